-- How much the vectors of a space count beside the words, as was measured. The table comes with
-- the first weight; a cp that does not know it leaves it alone.

CREATE TABLE IF NOT EXISTS weights (
  s         INTEGER PRIMARY KEY REFERENCES spaces(s),
  weight    REAL NOT NULL,
  questions INTEGER NOT NULL -- by which it was measured
) STRICT;

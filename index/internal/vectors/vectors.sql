-- Vectors of one clone: paid for with money or time, and no knowledge. The
-- packing is told in package index/vectors.

CREATE TABLE spaces (
  s         INTEGER PRIMARY KEY,
  model     TEXT NOT NULL,
  dimension INTEGER NOT NULL,
  scheme    TEXT NOT NULL,
  UNIQUE (model, dimension, scheme)
) STRICT;

-- The bits of all vectors, in the order they came, 1,024 to a row: a row for
-- each vector would cost more to step over than to compare.
CREATE TABLE blocks (
  s        INTEGER NOT NULL REFERENCES spaces(s),
  block    INTEGER NOT NULL,
  passages BLOB NOT NULL,   -- 16 bytes for each vector
  bits     BLOB NOT NULL,
  PRIMARY KEY (s, block)
) STRICT;

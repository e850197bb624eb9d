-- Access telemetry of one clone. Nothing here can be derived from the files.

CREATE TABLE IF NOT EXISTS state (
  one   INTEGER PRIMARY KEY CHECK (one = 1),
  seq   INTEGER NOT NULL, -- grows with every change
  epoch INTEGER NOT NULL  -- grows when counts are taken away
) STRICT;
INSERT OR IGNORE INTO state (one, seq, epoch) VALUES (1, 0, 0);

CREATE TABLE IF NOT EXISTS reads (
  id    TEXT PRIMARY KEY,
  count INTEGER NOT NULL,
  last  TEXT NOT NULL,    -- RFC 3339, UTC
  seq   INTEGER NOT NULL  -- of the last change
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS reads_seq ON reads(seq);

CREATE TABLE IF NOT EXISTS log (
  n     INTEGER PRIMARY KEY,
  id    TEXT NOT NULL,
  at    TEXT NOT NULL,    -- RFC 3339, UTC
  agent TEXT NOT NULL,
  depth INTEGER NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS log_id ON log(id, at DESC, n DESC);

-- Who we are where readings are shared, and what binds the name to this very
-- file: a copy of it is another clone.
CREATE TABLE IF NOT EXISTS clone (
  one   INTEGER PRIMARY KEY CHECK (one = 1),
  id    TEXT NOT NULL,
  bound TEXT NOT NULL
) STRICT;

-- What other clones have counted. Counts only grow.
CREATE TABLE IF NOT EXISTS team (
  clone TEXT NOT NULL,
  id    TEXT NOT NULL,
  count INTEGER NOT NULL,
  last  TEXT NOT NULL,
  seq   INTEGER NOT NULL,
  PRIMARY KEY (clone, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS team_id ON team(id);
CREATE INDEX IF NOT EXISTS team_seq ON team(seq);

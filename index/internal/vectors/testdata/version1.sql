-- Vectors of one clone: paid for with money or time, and no knowledge. The
-- packing is told in package index/vectors.

CREATE TABLE spaces (
  s         INTEGER PRIMARY KEY,
  model     TEXT NOT NULL,
  dimension INTEGER NOT NULL,
  scheme    TEXT NOT NULL,
  UNIQUE (model, dimension, scheme)
) STRICT;

CREATE TABLE vectors (
  s       INTEGER NOT NULL REFERENCES spaces(s),
  content BLOB NOT NULL,    -- vault.Memory.ContentHash, 16 bytes
  scale   REAL NOT NULL,
  numbers BLOB NOT NULL,    -- a byte for each
  PRIMARY KEY (s, content)
) STRICT;

-- The bits of all vectors, in the order they came, 1,024 to a row: a row for
-- each vector would cost more to step over than to compare.
CREATE TABLE chunks (
  s        INTEGER NOT NULL REFERENCES spaces(s),
  chunk    INTEGER NOT NULL,
  contents BLOB NOT NULL,   -- 16 bytes for each vector
  bits     BLOB NOT NULL,
  PRIMARY KEY (s, chunk)
) STRICT;
INSERT INTO spaces VALUES (1, 'test/pair', 2, 'none');
INSERT INTO vectors VALUES (1, x'01010101010101010101010101010101', 0.007874015748031496, x'7f00'), (1, x'02020202020202020202020202020202', 0.007874015748031496, x'007f');
INSERT INTO chunks VALUES (1, 0, x'0101010101010101010101010101010102020202020202020202020202020202', x'01000000000000000200000000000000');
PRAGMA user_version = 1;

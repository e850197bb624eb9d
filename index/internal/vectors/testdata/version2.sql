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
  passage BLOB NOT NULL,    -- the hash of its text, 16 bytes
  scale   REAL NOT NULL,
  numbers BLOB NOT NULL,    -- a byte for each
  PRIMARY KEY (s, passage)
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
-- The passages of each content, which came with version 2.

CREATE TABLE texts (
  s        INTEGER NOT NULL REFERENCES spaces(s),
  content  BLOB NOT NULL,   -- vault.Memory.ContentHash, 16 bytes
  passages BLOB NOT NULL,   -- 16 bytes for each, in order; zeros for one without a vector
  PRIMARY KEY (s, content)
) STRICT;

-- The same the other way round: a search comes from the passages.
CREATE TABLE parts (
  s       INTEGER NOT NULL REFERENCES spaces(s),
  passage BLOB NOT NULL,
  content BLOB NOT NULL,
  part    INTEGER NOT NULL, -- from 1
  PRIMARY KEY (s, passage, content, part)
) STRICT, WITHOUT ROWID;

ALTER TABLE spaces ADD COLUMN texts INTEGER NOT NULL DEFAULT 0; -- how many there are
PRAGMA user_version = 2;

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

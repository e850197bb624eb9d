-- What came with version 3. Which passages have a vector:

CREATE TABLE vectors (
  s       INTEGER NOT NULL REFERENCES spaces(s),
  passage BLOB NOT NULL,    -- the hash of its text, 16 bytes
  PRIMARY KEY (s, passage)
) STRICT, WITHOUT ROWID;

-- The numbers of all vectors, in the order of the blocks, as many to a row as fill a page of
-- the file: to read a row costs about the same, however much of the page it fills.
CREATE TABLE pages (
  n       INTEGER PRIMARY KEY, -- the space times 2^32, and the number of the page in it
  vectors BLOB NOT NULL        -- of each the passage, the scale (a float of 4 bytes, little-endian) and a byte for each number
) STRICT;

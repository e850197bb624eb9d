package code

// Tables are the tables of the package.
const Tables = `
CREATE TABLE about_bindings (
  n        INTEGER NOT NULL,
  position INTEGER NOT NULL,
  binding  TEXT NOT NULL,         -- as the memory says it
  stamp    TEXT NOT NULL,         -- '' without one
  words    TEXT NOT NULL,         -- of a whole file: those that its memory has in backticks
  path     TEXT NOT NULL,         -- of a file; '' of a folder and a glob
  dir      TEXT,                  -- of these the folder above which nothing is meant; NULL of a file
  finding  INTEGER NOT NULL,      -- it is the place of a finding
  PRIMARY KEY (n, position)
) STRICT, WITHOUT ROWID;

-- The work trees of code that were looked at, and what was found in each.
CREATE TABLE about_roots (
  root INTEGER PRIMARY KEY,
  path TEXT NOT NULL UNIQUE,
  used INTEGER NOT NULL
) STRICT;
CREATE TABLE about_now (
  root INTEGER NOT NULL,
  key  INTEGER NOT NULL,          -- of a binding, its stamp and its words
  stat BLOB NOT NULL,             -- of the file; empty where it has to be read again
  blob TEXT NOT NULL,
  path TEXT NOT NULL,             -- of the file, where another one has taken the place of the binding's
  head TEXT NOT NULL,             -- the commit on which it depends; '' for none
  state TEXT NOT NULL,            -- vault.BindingState as JSON
  PRIMARY KEY (root, key)
) STRICT, WITHOUT ROWID;
`

// Indexes are the indexes.
const Indexes = `
CREATE INDEX about_path ON about_bindings(path) WHERE path <> '';
CREATE INDEX about_dir ON about_bindings(dir) WHERE dir IS NOT NULL;
`

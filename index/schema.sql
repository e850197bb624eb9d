-- The mirror of a vault. Everything here is derived from the files and from
-- HEAD, but for reads, which repeats the telemetry for the views. Times are
-- microseconds since 1970 in UTC; NULL where the file does not say.

CREATE TABLE state (
  key   TEXT PRIMARY KEY, -- epoch, generation, head, filled, leaves, usage_seq, usage_epoch, agreed, traced
  value ANY
) STRICT, WITHOUT ROWID;

-- Every folder in which a row of files lies, and others that a scan has seen.
CREATE TABLE folders (
  f       INTEGER PRIMARY KEY,
  path    TEXT NOT NULL,
  listing BLOB                    -- vault.Listing: the files there are on disk, with their marks; NULL for none
) STRICT;

-- Every Markdown file on disk or in HEAD. n names it in all other tables.
CREATE TABLE files (
  n    INTEGER PRIMARY KEY,
  path TEXT NOT NULL,
  dir  INTEGER NOT NULL,          -- the f of the folder it lies in
  rank INTEGER NOT NULL,          -- vault.Path.FolderRank
  disk INTEGER NOT NULL DEFAULT 0, -- it is there on disk
  hash BLOB NOT NULL DEFAULT x'', -- git blob on disk; empty where it could not be read
  head BLOB NOT NULL DEFAULT x'', -- git blob in HEAD; empty where it is not committed
  size INTEGER NOT NULL DEFAULT 0,
  mark INTEGER NOT NULL DEFAULT 0, -- a hash of what the last scan saw; 0 means look again
  mtime INTEGER NOT NULL DEFAULT 0, -- of the file on disk, in seconds
  aside INTEGER NOT NULL DEFAULT 0, -- it is a read-only note: what git has of it is its person's affair
  place INTEGER                    -- of the commit that brought it (trace.go); NULL where that is not known
) STRICT;

-- The commits that brought files, and the places of names that have no row in files. All
-- this is asked from the history when somebody wants to know, and stands at state.traced.
CREATE TABLE commits (
  place  INTEGER PRIMARY KEY,     -- in the history: the newest commit has the smallest
  time   INTEGER,
  author TEXT NOT NULL,
  files  INTEGER NOT NULL         -- how many it brought
) STRICT;
CREATE TABLE gone (
  path  TEXT PRIMARY KEY,
  place INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TRIGGER files_deleted AFTER DELETE ON files WHEN OLD.place IS NOT NULL BEGIN
  INSERT OR REPLACE INTO gone VALUES (OLD.path, OLD.place);
END;
CREATE TRIGGER files_moved AFTER UPDATE OF path ON files WHEN OLD.place IS NOT NULL BEGIN
  INSERT OR REPLACE INTO gone VALUES (OLD.path, OLD.place);
  UPDATE files SET place = NULL WHERE n = NEW.n;
END;

-- What each readable file says. n is the file's, and the row in docs.
CREATE TABLE memories (
  n         INTEGER PRIMARY KEY,
  id        TEXT COLLATE NOCASE,  -- the id it goes by; those that differ in case are one
  claim     TEXT COLLATE NOCASE,  -- the id in the file where it goes by another, '' without one; NULL where that is id
  -- and here the columns of the table of fields (columns.go)
  held      INTEGER NOT NULL,     -- 2 in the tree; 1 an entry that has no place there; 0 a record, which is no memory
  has_block INTEGER NOT NULL,
  tokens    INTEGER NOT NULL,
  seen      INTEGER NOT NULL,     -- by how many sessions it was observed
  upward    INTEGER NOT NULL,     -- its text says ../, so a link may lead out of its folder
  content   BLOB NOT NULL,        -- vault.Memory.ContentHash
  doc       INTEGER NOT NULL,     -- the first 64 bits of its doc hash
  words     INTEGER NOT NULL,     -- a hash of what its row in docs is made of
  parts     INTEGER NOT NULL,     -- a hash of its labels, pointers and links
  parent    INTEGER,              -- its n
  depth     INTEGER NOT NULL DEFAULT 0,
  orphan    INTEGER NOT NULL DEFAULT 0,
  loose     INTEGER NOT NULL DEFAULT 0, -- see place.loose
  state     INTEGER AS (STATE)    -- see tallies
) STRICT;

CREATE TABLE labels (
  n        INTEGER NOT NULL,
  position INTEGER NOT NULL,
  label    TEXT NOT NULL,
  PRIMARY KEY (n, position)
) STRICT, WITHOUT ROWID;

-- What the parents' blocks say, in their order.
CREATE TABLE pointers (
  parent   INTEGER NOT NULL,
  position INTEGER NOT NULL,
  id       TEXT NOT NULL COLLATE NOCASE, -- as memories.id is compared
  title    TEXT NOT NULL,
  summary  TEXT NOT NULL,
  PRIMARY KEY (parent, position)
) STRICT, WITHOUT ROWID;

-- What can be meant by a link, and the links. Which memory a link means is not
-- stored: it is the first in names of its key, or what edges.go selects for a
-- reference, so it never has to be mended when a file comes or goes. A key is kept as 64 bits of its hash (names.go).
CREATE TABLE names (
  key  INTEGER NOT NULL,
  rank INTEGER NOT NULL,          -- the smaller one is meant, then the one with the smaller path
  n    INTEGER NOT NULL,
  PRIMARY KEY (key, rank, n)
) STRICT, WITHOUT ROWID;

-- The other names by which a person or a reference can ask for a memory; a link does not mean them.
CREATE TABLE aliases (
  n   INTEGER NOT NULL,
  key INTEGER NOT NULL,           -- as in names
  name TEXT NOT NULL,
  language INTEGER NOT NULL,      -- as in links
  PRIMARY KEY (n, key)
) STRICT, WITHOUT ROWID;

CREATE TABLE links (
  n      INTEGER NOT NULL,
  kind   TEXT NOT NULL,           -- references, link, supersedes or superseded_by
  key    INTEGER NOT NULL,
  target TEXT NOT NULL,           -- as written; two may mean the same here and not where the file moves to
  verb   TEXT NOT NULL,           -- that stands before it under a heading Relations; a row for each
  text   TEXT NOT NULL,           -- what it calls the target, one text a line; '' where that says nothing (package anchors)
  language INTEGER NOT NULL,      -- of what it stands in, as package tongue counts; 0 without text
  PRIMARY KEY (n, kind, key, target, verb)
) STRICT, WITHOUT ROWID;

CREATE TABLE problems (
  n    INTEGER NOT NULL,
  seq  INTEGER NOT NULL,
  kind TEXT NOT NULL,
  line INTEGER NOT NULL,
  msg  TEXT NOT NULL,
  PRIMARY KEY (n, seq)
) STRICT, WITHOUT ROWID;

-- See indexes.sql. A memory's state is the sum of 1 for a memory, which a record is not, 2 for one
-- that is not closed, 4 for one that was denied and 8 for an entry that waits for a decision.
CREATE TABLE tallies (
  type  TEXT NOT NULL,
  state INTEGER NOT NULL,
  n     INTEGER NOT NULL,
  PRIMARY KEY (type, state)
) STRICT, WITHOUT ROWID;

-- Telemetry, repeated from usage.db by what writes here, by hot and by prime.
CREATE TABLE reads (
  id    TEXT PRIMARY KEY,
  count INTEGER NOT NULL,
  last  TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- Terms of package analyse, separated by spaces; the text itself is not kept.
CREATE VIRTUAL TABLE docs USING fts5(
  title, path, labels, summary, body, keywords,
  content = '', contentless_delete = 1, tokenize = "ascii tokenchars '.+#'"
);
INSERT INTO docs(docs, rank) VALUES ('rank', 'bm25(10.0, 5.0, 3.0, 3.0, 1.0, 1.0)');

-- In how many rows of docs each term is.
CREATE VIRTUAL TABLE terms USING fts5vocab(docs, row);

-- In which rows each term is, and where.
CREATE VIRTUAL TABLE doc_rows USING fts5vocab(docs, instance);

-- Terms of package tongue, each once: other forms of the words of memories that are not
-- English, which have no row else. In which rows a term is, is all that is kept.
CREATE VIRTUAL TABLE forms USING fts5(
  terms,
  content = '', contentless_delete = 1, detail = none, tokenize = "ascii tokenchars '.+#'"
);
CREATE VIRTUAL TABLE form_rows USING fts5vocab(forms, instance);
CREATE VIRTUAL TABLE form_terms USING fts5vocab(forms, row);

-- For people, see `cp help sql`: sqlite3 .cp/index.db 'SELECT * FROM memory_hot'

CREATE VIEW memory_all AS
SELECT m.n, m.id, m.title, m.type, m.held, f.path, p.id AS parent_id, p.title AS parent_title, m.depth, m.status,
       (SELECT json_group_array(label) FROM (SELECT label FROM labels l WHERE l.n = m.n ORDER BY position)) AS labels,
       coalesce(r.count, 0) AS access_count, r.last AS last_accessed,
       (SELECT count(*) FROM memories c WHERE c.parent = m.n AND c.held > 0 AND c.status <> 'closed') AS child_count,
       CASE WHEN m.summary <> '' THEN m.summary
            ELSE coalesce((SELECT nullif(q.summary, 'PLACEHOLDER') FROM pointers q WHERE q.parent = m.parent AND q.id = m.id ORDER BY q.position LIMIT 1), '')
       END AS summary,
       strftime('%Y-%m-%dT%H:%M:%SZ', m.created / 1000000, 'unixepoch') AS created_at,
       coalesce(pr.count, 0) AS parent_access_count
FROM memories m
JOIN files f ON f.n = m.n
LEFT JOIN memories p ON p.n = m.parent
LEFT JOIN reads r ON r.id = m.id
LEFT JOIN reads pr ON pr.id = p.id;

-- All open memories by depth and age. summary is what the parent says of the child, so a
-- root has NULL; the phrase of a root is in memory_all.
CREATE VIEW memory_tree AS
SELECT id, title, parent_id, depth, status, labels, access_count, last_accessed, child_count,
       CASE WHEN parent_id IS NOT NULL THEN summary END AS summary, path, created_at
FROM memory_all
WHERE held = 2 AND status <> 'closed' AND depth <= 20
ORDER BY depth, created_at IS NULL, created_at, path;

-- SELECT *, readfile(path) AS content FROM memory_children WHERE parent_id = 'pf-…'
-- The text is in the file and not here a second time: readfile is the sqlite3 command's.
CREATE VIEW memory_children AS
SELECT a.parent_id, a.id, a.title, a.status, a.labels, a.access_count, a.last_accessed, a.child_count, a.summary, a.path, a.created_at
FROM memory_all a JOIN memories m ON m.n = a.n
WHERE a.held > 0 AND a.status <> 'closed' AND a.parent_id IS NOT NULL
ORDER BY a.parent_id, (SELECT coalesce(min(q.position), 1e9) FROM pointers q WHERE q.parent = m.parent AND q.id = m.id),
         a.created_at IS NULL, a.created_at, a.path;

-- SELECT * FROM memory_path WHERE memory_id = 'pf-…'
CREATE VIEW memory_path AS
WITH RECURSIVE way(memory_id, n, hops) AS (
  SELECT id, n, 0 FROM memories WHERE held > 0
  UNION ALL
  SELECT w.memory_id, m.parent, w.hops + 1 FROM way w JOIN memories m ON m.n = w.n
  WHERE m.parent IS NOT NULL AND w.hops < 20
)
SELECT w.memory_id, m.id, m.title, m.depth, f.path
FROM way w JOIN memories m ON m.n = w.n JOIN files f ON f.n = m.n
ORDER BY w.memory_id, m.depth;

-- Memories read more often than their parents.
CREATE VIEW memory_hot AS
SELECT id, title, depth, access_count, parent_id, parent_title, parent_access_count
FROM memory_all
WHERE held = 2 AND status <> 'closed' AND parent_id IS NOT NULL AND depth <= 20
  AND access_count > parent_access_count
ORDER BY access_count DESC, path;

-- Every relation: child-of, references, link, supersedes and superseded_by, or the verb that
-- stands before a link under a heading Relations. to_id is NULL where a target is not there.
CREATE VIEW edges AS
SELECT m.id AS from_id, m.parent_id AS to_id, 'child-of' AS kind, m.summary, m.parent_id AS target
FROM memory_all m WHERE m.parent_id IS NOT NULL AND m.held > 0
UNION ALL
SELECT m.id, (SELECT t.id FROM memories t WHERE t.n = MEANT),
       iif(l.verb = '', l.kind, l.verb), '', l.target
FROM (SELECT n, kind, key, min(target) AS target, verb FROM links GROUP BY n, kind, key, verb) l JOIN memories m ON m.n = l.n
WHERE l.verb <> '' OR NOT EXISTS (SELECT 1 FROM links o WHERE o.n = l.n AND o.kind = l.kind AND o.key = l.key AND o.verb <> '');

-- The knowledge graph, derived from the facts files (package index/graph). k is the number
-- in a node's or an edge's id. source is a memory's id, or the path of an untracked file.

CREATE TABLE facts (
  path  TEXT PRIMARY KEY,         -- of a facts file on disk
  id    TEXT NOT NULL,            -- of its memory; '' of an untracked file and of one that is not used
  hash  BLOB NOT NULL,            -- git blob on disk; empty where it could not be read
  mark  INTEGER NOT NULL,         -- as in files
  drawn TEXT NOT NULL,            -- what a model drew it from, its key of; '' where none did
  msg   TEXT NOT NULL,            -- why nothing of it is used; '' where it is
  stray INTEGER NOT NULL          -- 1 where there is an id, and no memory has it, letter by letter
) STRICT, WITHOUT ROWID;

CREATE TABLE fact_folders (
  path    TEXT PRIMARY KEY,
  listing BLOB NOT NULL           -- as in folders
) STRICT, WITHOUT ROWID;

CREATE TABLE graph_node_rows (
  k           INTEGER PRIMARY KEY,
  name        TEXT NOT NULL,
  type        TEXT NOT NULL,
  description TEXT NOT NULL,
  folded      INTEGER NOT NULL,   -- a hash of the name as names are compared
  sources     INTEGER NOT NULL    -- how many speak of it
) STRICT;

CREATE TABLE graph_edge_rows (
  k        INTEGER PRIMARY KEY,
  a        INTEGER NOT NULL,      -- from this node
  relation TEXT NOT NULL,
  b        INTEGER NOT NULL       -- to that one
) STRICT;

CREATE TABLE memory_nodes (
  k           INTEGER NOT NULL,
  at          INTEGER NOT NULL,   -- when the memory was made, in microseconds; the greatest number where that is not known
  source      TEXT NOT NULL,
  name        TEXT NOT NULL,
  description TEXT NOT NULL,
  hand        INTEGER NOT NULL,
  PRIMARY KEY (k, at, source)
) STRICT, WITHOUT ROWID;

CREATE TABLE memory_edges (
  k      INTEGER NOT NULL,
  source TEXT NOT NULL,
  hand   INTEGER NOT NULL,
  PRIMARY KEY (k, source)
) STRICT, WITHOUT ROWID;

-- Terms of package analyse, as in docs.
CREATE VIRTUAL TABLE nodes USING fts5(name, description, content = '', tokenize = "ascii tokenchars '.+#'");
INSERT INTO nodes(nodes, rank) VALUES ('rank', 'bm25(4.0, 1.0)');

CREATE VIEW graph_nodes AS
SELECT printf('n-%016x', k) AS id, name, type, description, sources FROM graph_node_rows;

CREATE VIEW graph_edges AS
SELECT printf('e-%016x', e.k) AS id, printf('n-%016x', e.a) AS from_id, a.name AS from_name, e.relation, printf('n-%016x', e.b) AS to_id, b.name AS to_name
FROM graph_edge_rows e JOIN graph_node_rows a ON a.k = e.a JOIN graph_node_rows b ON b.k = e.b;

-- Which memory says what. memory_id is NULL for what an untracked file says.
CREATE VIEW memory_provenance AS
SELECT m.id AS memory_id, s.source, s.kind, s.id, s.by_hand, strftime('%Y-%m-%dT%H:%M:%SZ', m.created / 1000000, 'unixepoch') AS created_at
FROM (SELECT source, 'node' AS kind, printf('n-%016x', k) AS id, hand AS by_hand FROM memory_nodes
      UNION ALL
      SELECT source, 'edge', printf('e-%016x', k), hand FROM memory_edges) s
LEFT JOIN memories m ON m.id = s.source;

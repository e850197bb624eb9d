package main

import (
	"crypto/sha256"
	"database/sql"
	"encoding/binary"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/cp-memory/cp/vault/fact"
)

// factsSchema are the tables of the graph, with the indexes that their questions need.
const factsSchema = `
CREATE TABLE n (k INTEGER PRIMARY KEY, name TEXT, type TEXT, description TEXT, folded INTEGER, sources INTEGER);
CREATE TABLE e (k INTEGER PRIMARY KEY, a INTEGER, relation TEXT, b INTEGER);
CREATE TABLE mn (k INTEGER, at INTEGER, source TEXT, name TEXT, description TEXT, hand INTEGER, PRIMARY KEY (k, at, source)) WITHOUT ROWID;
CREATE TABLE me (k INTEGER, source TEXT, hand INTEGER, PRIMARY KEY (k, source)) WITHOUT ROWID;
CREATE VIRTUAL TABLE nodes USING fts5(name, description, content = '');`

const factsIndexes = `
CREATE INDEX mn_source ON mn(source); CREATE INDEX me_source ON me(source);
CREATE INDEX n_folded ON n(folded); CREATE INDEX n_type ON n(type, sources); CREATE INDEX e_a ON e(a); CREATE INDEX e_b ON e(b);
INSERT INTO nodes(rowid, name, description) SELECT k, name, description FROM n;`

// factsFloor is the least that a rebuild has to do for the facts: read and decode each file, and
// insert a row for each node and edge, and for what each file says of them.
type factsFloor struct {
	node, edge, says, links *sql.Stmt
}

func loadFacts(tx *sql.Tx, dir string) error {
	if _, err := tx.Exec(factsSchema); err != nil {
		return err
	}
	var f factsFloor
	var errs [4]error
	f.node, errs[0] = tx.Prepare(`INSERT INTO n VALUES (?, ?, ?, ?, ?, 1) ON CONFLICT (k) DO UPDATE SET sources = sources + 1, description = substr(description || '; ' || excluded.description, 1, 500)`)
	f.edge, errs[1] = tx.Prepare(`INSERT OR IGNORE INTO e VALUES (?, ?, ?, ?)`)
	f.says, errs[2] = tx.Prepare(`INSERT OR IGNORE INTO mn VALUES (?, ?, ?, ?, ?, 0)`)
	f.links, errs[3] = tx.Prepare(`INSERT OR IGNORE INTO me VALUES (?, ?, 0)`)
	if err := errors.Join(errs[:]...); err != nil {
		return err
	}
	err := filepath.WalkDir(filepath.Join(dir, filepath.FromSlash(fact.Dir)), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		return f.file(path)
	})
	if err == nil {
		_, err = tx.Exec(factsIndexes)
	}
	return err
}

func (f *factsFloor) file(path string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	var all fact.Facts
	if err := json.Unmarshal(text, &all); err != nil {
		return err
	}
	sha256.Sum256(text)
	ends := make(map[string]int64, len(all.Entities))
	for _, e := range all.Entities {
		k := key(strings.ToLower(e.Name), e.Type)
		ends[e.Name] = k
		if _, err := f.node.Exec(k, e.Name, e.Type, e.Description, key(e.Name)); err != nil {
			return err
		}
		if _, err := f.says.Exec(k, 0, all.ID, e.Name, e.Description); err != nil {
			return err
		}
	}
	for _, r := range all.Relations {
		k := key(r.From, r.Relation, r.To)
		if _, err := f.edge.Exec(k, ends[r.From], r.Relation, ends[r.To]); err != nil {
			return err
		}
		if _, err := f.links.Exec(k, all.ID); err != nil {
			return err
		}
	}
	return nil
}

func key(parts ...string) int64 {
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return int64(binary.BigEndian.Uint64(sum[:]))
}

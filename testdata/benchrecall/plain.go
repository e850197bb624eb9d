package main

import (
	"database/sql"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	_ "github.com/mattn/go-sqlite3" // the product's SQLite, with FTS5

	"github.com/cp-memory/cp/vault"
)

// plain is what a few lines of SQL give: one FTS5 table of titles and texts.
type plain struct{ db *sql.DB }

func loadPlain(root string) (*plain, error) {
	db, err := sql.Open("sqlite3", "file::memory:")
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1)
	if _, err := db.Exec(`CREATE VIRTUAL TABLE docs USING fts5(path UNINDEXED, title, body, tokenize = 'porter')`); err != nil {
		return nil, err
	}
	tx, err := db.Begin()
	if err != nil {
		return nil, err
	}
	err = texts(root, func(path string, m *vault.Memory) error {
		_, err := tx.Exec(`INSERT INTO docs (path, title, body) VALUES (?, ?, ?)`, path, m.Title, m.Prose)
		return err
	})
	if err == nil {
		err = tx.Commit()
	}
	return &plain{db}, err
}

func (p *plain) close() {
	if p.db != nil {
		_ = p.db.Close()
	}
}

var words = regexp.MustCompile(`[\pL\pM\pN]+`)

// either is a query for rows with any of the words.
func either(text string) string {
	return `"` + strings.Join(words.FindAllString(text, -1), `" OR "`) + `"`
}

func (p *plain) ask(q labelled, dir string) ([]string, error) {
	if dir != "" {
		dir += "/"
	}
	rows, err := p.db.Query(`SELECT path FROM docs WHERE docs MATCH ? AND substr(path, 1, length(?)) = ? ORDER BY rank LIMIT ?`, either(q.Text), dir, dir, asked)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var paths []string
	for rows.Next() {
		var path string
		if err := rows.Scan(&path); err != nil {
			return nil, err
		}
		paths = append(paths, path)
	}
	return paths, rows.Err()
}

// texts calls fn with every Markdown file below root.
func texts(root string, fn func(path string, m *vault.Memory) error) error {
	return filepath.WalkDir(root, func(full string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && strings.HasPrefix(d.Name(), ".") && full != root:
			return filepath.SkipDir
		case d.IsDir() || filepath.Ext(full) != ".md":
			return nil
		}
		b, err := os.ReadFile(full)
		if err != nil {
			return err
		}
		path, err := filepath.Rel(root, full)
		if err != nil {
			return err
		}
		return fn(path, vault.ParseText(vault.Path(filepath.ToSlash(path)), b))
	})
}

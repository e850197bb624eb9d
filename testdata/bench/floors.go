package main

import (
	"bufio"
	"crypto/sha256"
	"database/sql"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	_ "github.com/mattn/go-sqlite3" // the product's SQLite, with FTS5
)

// loadFloor is the least that a rebuild has to do: read every text below
// args[0], hash it, and put it into a contentless full-text table in the new
// file args[1]. A third argument says that the facts are loaded, too.
func loadFloor(args []string) error {
	if len(args) != 2 && len(args) != 3 {
		return fmt.Errorf("load wants a folder and a file")
	}
	db, err := sql.Open("sqlite3", "file:"+args[1]+"?_journal_mode=WAL&_synchronous=NORMAL&_txlock=immediate")
	if err != nil {
		return err
	}
	defer db.Close()
	if _, err := db.Exec(`CREATE VIRTUAL TABLE docs USING fts5(body, content = '', contentless_delete = 1)`); err != nil {
		return err
	}
	tx, err := db.Begin()
	if err != nil {
		return err
	}
	if err := load(tx, args[0]); err != nil {
		return err
	}
	if len(args) == 3 {
		if err := loadFacts(tx, args[0]); err != nil {
			return err
		}
	}
	return tx.Commit()
}

func load(tx *sql.Tx, dir string) error {
	insert, err := tx.Prepare(`INSERT INTO docs(rowid, body) VALUES (?, ?)`)
	if err != nil {
		return err
	}
	n := 0
	hash := sha256.New()
	return filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && d.Name() == ".git":
			return filepath.SkipDir
		case d.IsDir() || filepath.Ext(path) != ".md":
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		hash.Reset()
		hash.Write(text)
		n++
		_, err = insert.Exec(n, string(text))
		return err
	})
}

// queryFloor is the least that a cold question costs: it opens the database
// args[0], runs args[1] with the other args bound, and prints the rows.
func queryFloor(args []string) error {
	if len(args) < 2 {
		return fmt.Errorf("query wants a file and a statement")
	}
	db, err := sql.Open("sqlite3", "file:"+args[0]+"?mode=ro")
	if err != nil {
		return err
	}
	defer db.Close()
	bound := make([]any, len(args)-2)
	for i := range bound {
		bound[i] = args[i+2]
	}
	rows, err := db.Query(args[1], bound...)
	if err != nil {
		return err
	}
	defer rows.Close()
	return printRows(rows)
}

func printRows(rows *sql.Rows) error {
	columns, err := rows.Columns()
	if err != nil {
		return err
	}
	values := make([]sql.RawBytes, len(columns))
	into := make([]any, len(columns))
	for i := range values {
		into[i] = &values[i]
	}
	out := bufio.NewWriter(os.Stdout)
	for rows.Next() {
		if err := rows.Scan(into...); err != nil {
			return err
		}
		for _, v := range values {
			out.Write(v)
			out.WriteByte('\t')
		}
		out.WriteByte('\n')
	}
	if err := rows.Err(); err != nil {
		return err
	}
	return out.Flush()
}

package main

import (
	"database/sql"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/cp-memory/cp/vault"
)

// questions are asked of the program and of the floor in turns.
var questions = []string{
	"how do I configure the collector exporter endpoint",
	"allocate memory for a class object in a constructor",
	"convert an image to another format on the command line",
	"who approves a change to the steering committee",
	"link to a note in another vault",
}

var heading = regexp.MustCompile(`(?m)^#{1,6} `)

// coldStart compares "cp memory recall" with the bare query of an FTS5 table
// that holds the same texts passage by passage, each a process of its own.
func coldStart(program, store, dir string, chunks int) error {
	root := filepath.Join(dir, "cold")
	floor := filepath.Join(dir, "floor.db")
	files, passages, err := gather(store, root, floor, chunks)
	if err != nil {
		return err
	}
	c := &set{root: root}
	if err := c.commit(program); err != nil {
		return err
	}
	if _, err := runIn(root, program, "memory", "list", "--limit", "1"); err != nil {
		return err
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	var recall, search, bare []time.Duration
	for range 5 {
		for _, q := range questions {
			for _, side := range []struct {
				to   *[]time.Duration
				args []string
			}{
				{&recall, []string{program, "memory", "recall", q}},
				{&search, []string{program, "memory", "search", q, "--limit", "10"}},
				{&bare, []string{self, "floor", floor, q}},
			} {
				cpu, err := cpuOf(root, side.args...)
				if err != nil {
					return err
				}
				*side.to = append(*side.to, cpu)
			}
		}
	}
	r, s, b := middle(recall), middle(search), middle(bare)
	fmt.Printf("cold start, %d files in %d passages, top 10, median cpu of a process: recall %.1f ms, search %.1f ms, bare FTS5 over the passages %.1f ms; recall is %.1f ×\n",
		files, passages, r, s, b, r/b)
	return nil
}

// gather copies files until there are enough passages, and loads those into the floor.
func gather(store, root, floor string, chunks int) (files, passages int, err error) {
	db, err := sql.Open("sqlite3", "file:"+floor)
	if err != nil {
		return 0, 0, err
	}
	defer db.Close()
	if _, err := db.Exec(`CREATE VIRTUAL TABLE docs USING fts5(body, content = '', contentless_delete = 1, tokenize = 'porter')`); err != nil {
		return 0, 0, err
	}
	tx, err := db.Begin()
	if err != nil {
		return 0, 0, err
	}
	err = texts(store, func(path string, m *vault.Memory) error {
		if passages >= chunks {
			return nil
		}
		to := filepath.Join(root, path)
		if err := os.MkdirAll(filepath.Dir(to), 0o777); err != nil {
			return err
		}
		if err := os.Link(filepath.Join(store, path), to); err != nil {
			return err
		}
		files++
		for _, part := range parts(m.Prose) {
			passages++
			if _, err := tx.Exec(`INSERT INTO docs (body) VALUES (?)`, part); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return 0, 0, err
	}
	return files, passages, tx.Commit()
}

// parts cuts a text before its headings.
func parts(text string) []string {
	var out []string
	from := 0
	for _, at := range heading.FindAllStringIndex(text, -1) {
		out, from = append(out, text[from:at[0]]), at[0]
	}
	out = append(out, text[from:])
	return slices.DeleteFunc(out, func(s string) bool { return strings.TrimSpace(s) == "" })
}

// floorQuery is the least that a cold question costs.
func floorQuery(path, text string) error {
	db, err := sql.Open("sqlite3", "file:"+path+"?mode=ro")
	if err != nil {
		return err
	}
	defer db.Close()
	rows, err := db.Query(`SELECT rowid, rank FROM docs WHERE docs MATCH ? ORDER BY rank LIMIT 10`, either(text))
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var n int64
		var rank float64
		if err := rows.Scan(&n, &rank); err != nil {
			return err
		}
		fmt.Println(n, rank)
	}
	return rows.Err()
}

// cpuOf runs a process and returns its user and system time.
func cpuOf(dir string, args ...string) (time.Duration, error) {
	p := exec.Command(args[0], args[1:]...)
	p.Dir, p.Env = dir, append(os.Environ(), "HOME=/nonexistent", "CP_AGENT=bench", "CP_VAULT=")
	if err := p.Run(); err != nil {
		return 0, fmt.Errorf("%q: %w", args, err)
	}
	return p.ProcessState.UserTime() + p.ProcessState.SystemTime(), nil
}

// middle is the median in milliseconds.
func middle(all []time.Duration) float64 {
	slices.Sort(all)
	return float64(all[len(all)/2].Microseconds()) / 1000
}

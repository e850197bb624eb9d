package main_test

import (
	"database/sql"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gofrs/flock"
	_ "github.com/mattn/go-sqlite3"
)

// What agents run at their start waits for nobody: while another process holds the index, it
// answers as the index has it, though the person's settings have others wait for hours.
func TestNothingWaitsForTheIndexAtTheStart(t *testing.T) {
	p := build(t, "cp-memory").in(t, map[string]string{"../home/.cp/config.yaml": "lock_timeout: 1000h\nhooks: {prompt: true}\n"})
	p.must("git init -q . && git config user.name t && git config user.email t@example.org && cp-memory init . --prefix pf")
	p.must("cp-memory add --title Deploy --summary 'When you deploy the gateway' 'Nomad runs it.' && cp-memory tree")
	asked := []struct{ line, want string }{
		{"cp-memory awareness", "memory: 1 memory"},
		{"cp-memory hook start </dev/null", "(not fresh:"},
		{"cp-memory hook start </dev/null", "When you deploy the gateway"},
		{`printf '{"prompt": "how do I deploy the gateway?"}' | cp-memory hook prompt`, "When you deploy the gateway"},
	}

	p.write("by-hand.md", "# By hand\n\nThe index does not know it yet.\n")
	open := lockIndex(t, filepath.Join(p.dir, ".cp", "index.db"))
	for _, ask := range asked {
		if got := p.sh(ask.line); got.exit != 0 || !strings.Contains(got.out, ask.want) || strings.Contains(got.out, "By hand") {
			t.Errorf("rows held: %s: got %+v, want %q", ask.line, got, ask.want)
		}
	}
	open()
	if got := p.must("cp-memory awareness"); !strings.Contains(got, "memory: 2 memories") {
		t.Errorf("rows free again: got %q", got)
	}

	// Another process is filling an index that is empty.
	if err := os.Truncate(filepath.Join(p.dir, ".cp", "index.db"), 0); err != nil {
		t.Fatal(err)
	}
	making := flock.New(filepath.Join(p.dir, ".git", "cp", "root", "index.db.lock"))
	if err := making.Lock(); err != nil {
		t.Fatal(err)
	}
	defer making.Close()
	for line, want := range map[string]string{"cp-memory awareness": "", "cp-memory hook start </dev/null": "its index is not ready yet"} {
		if got := p.sh(line); got.exit != 0 || !strings.Contains(got.out, want) || want == "" && got.out != "" {
			t.Errorf("index being made: %s: got %+v, want %q", line, got, want)
		}
	}
}

// lockIndex takes the write lock of an index until open is called.
func lockIndex(t *testing.T, path string) (open func()) {
	t.Helper()
	db, err := sql.Open("sqlite3", path)
	if err == nil {
		db.SetMaxOpenConns(1)
		_, err = db.Exec(`BEGIN IMMEDIATE`)
	}
	if err != nil {
		t.Fatal(err)
	}
	return func() { _ = db.Close() }
}

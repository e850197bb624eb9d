//go:build sqlite_fts5

package opencode_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/cp-memory/cp/index/opencode"
	"github.com/cp-memory/cp/index/sqlite"
	"github.com/cp-memory/cp/vault"
)

// made makes a database as opencode has it.
func made(t *testing.T, more string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "opencode.db")
	db, err := sqlite.Open(path, time.Second, "")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	if _, err := db.Exec(`
		CREATE TABLE session (id TEXT PRIMARY KEY, directory TEXT, parent_id TEXT, time_updated INTEGER);
		CREATE TABLE message (id TEXT PRIMARY KEY, session_id TEXT, time_created INTEGER, data TEXT);
		CREATE TABLE part (id TEXT PRIMARY KEY, message_id TEXT, session_id TEXT, time_created INTEGER, data TEXT);
		INSERT INTO session VALUES ('s1', '/app', NULL, 5), ('s2', '/app', 's1', 9), ('s3', '/other', NULL, 7);
		INSERT INTO message VALUES ('m1', 's1', 1790000000000, '{"role":"user"}'), ('m2', 's1', 1790000001000, '{"role":"assistant"}'), ('m3', 's1', 'x', 'no JSON'), ('m4', 's1', 1790000003000, '{"role":"user"}');
		INSERT INTO part VALUES ('p1', 'm1', 's1', 0, '{"type":"text","text":"Use tabs."}'), ('p2', 'm1', 's1', 0, '{"type":"text","text":"The file says so.","synthetic":true}'),
			('p3', 'm1', 's1', 0, '{"type":"text","text":"Always."}'), ('p4', 'm2', 's1', 0, '{"type":"text","text":"Yes."}'), ('p5', 'm4', 's1', 0, '{"type":"tool","text":"x"}'), ('p6', 'm3', 's1', 0, '{"type":"text","text":"x"}');` + more); err != nil {
		t.Fatal(err)
	}
	return path
}

// The latest session of a folder is read, with what the person typed, and the file stays as it is.
func TestRead(t *testing.T) {
	path := made(t, "")
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	s, err := opencode.Read(t.Context(), path, opencode.Which{Dir: "/app"})
	if err != nil || s.ID != "s1" || len(s.Turns) != 1 || s.Turns[0].ID != "m1" || s.Turns[0].Text != "Use tabs.\nAlways." || s.Turns[0].At.IsZero() {
		t.Errorf("got %+v, %v", s, err)
	}
	if s, err := opencode.Read(t.Context(), path, opencode.Which{}); err != nil || s.ID != "s3" {
		t.Errorf("the latest one: got %+v, %v", s, err)
	}
	if after, err := os.ReadFile(path); err != nil || string(after) != string(before) {
		t.Error("the file has changed")
	}
	for _, which := range []opencode.Which{{ID: "s2"}, {ID: "none"}, {Dir: "/none"}} {
		if _, err := opencode.Read(t.Context(), path, which); vault.CodeOf(err) != vault.CodeNotFound {
			t.Errorf("%+v: %v", which, err)
		}
	}
}

// What is no such database is told as one that cannot be read.
func TestUnreadable(t *testing.T) {
	file := filepath.Join(t.TempDir(), "x.db")
	if err := os.WriteFile(file, []byte("no database, but a text that is long enough to be taken for one"), 0o600); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]vault.Code{file: vault.CodeIO, made(t, "DROP TABLE part"): vault.CodeIO, file + ".not": vault.CodeNotFound} {
		if _, err := opencode.Read(t.Context(), path, opencode.Which{}); vault.CodeOf(err) != want {
			t.Errorf("%s: %v", path, err)
		}
	}
}

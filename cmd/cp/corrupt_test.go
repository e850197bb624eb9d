package main_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cp-memory/cp/testdata/testlevel"
)

// corruptions are what may happen to the index's file. Each works on the files
// as they are, whoever has them open.
var corruptions = []struct {
	name string
	do   func(db string, r *rand.Rand) error
}{
	{"deleted", func(db string, _ *rand.Rand) error { return removeIndex(db) }},
	{"only the file deleted", func(db string, _ *rand.Rand) error { return gone(os.Remove(db)) }},
	{"the log deleted", func(db string, _ *rand.Rand) error { return gone(os.Remove(db + "-wal")) }},
	{"emptied", func(db string, _ *rand.Rand) error { return gone(os.Truncate(db, 0)) }},
	{"cut", func(db string, r *rand.Rand) error { return cut(db, r) }},
	{"noise in the log", func(db string, r *rand.Rand) error { return noise(db+"-wal", r, 0, 4096) }},
	{"noise from the start", func(db string, r *rand.Rand) error { return noise(db, r, 0, 4096) }},
	{"noise in a header", func(db string, r *rand.Rand) error { return noise(db, r, 0, 100) }},
	{"another text", func(db string, r *rand.Rand) error { return replace(db, []byte(strings.Repeat("no database\n", 1000))) }},
	{"noise as a whole", func(db string, r *rand.Rand) error { return replace(db, random(r, 20_000)) }},
	{"an older schema", func(db string, _ *rand.Rand) error { return version(db, 1) }},
	{"a newer schema", func(db string, _ *rand.Rand) error { return version(db, 1_000_000) }},
	{"another one's", func(db string, _ *rand.Rand) error { return replace(db, []byte("SQLite format 3\x00")) }},
}

func gone(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

func removeIndex(db string) error {
	return errors.Join(gone(os.Remove(db)), gone(os.Remove(db+"-wal")), gone(os.Remove(db+"-shm")))
}

// cut shortens the file to any length.
func cut(db string, r *rand.Rand) error {
	info, err := os.Stat(db)
	if err != nil || info.Size() == 0 {
		return gone(err)
	}
	return gone(os.Truncate(db, r.Int64N(info.Size())))
}

func random(r *rand.Rand, n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	return b
}

func noise(path string, r *rand.Rand, at int64, n int) error {
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return gone(err)
	}
	_, err = f.WriteAt(random(r, n), at)
	return errors.Join(err, f.Close())
}

func replace(path string, b []byte) error {
	if err := os.WriteFile(path+".new", b, 0o644); err != nil {
		return err
	}
	return os.Rename(path+".new", path)
}

// version writes SQLite's user_version: four bytes at offset 60.
func version(db string, v uint32) error {
	f, err := os.OpenFile(db, os.O_WRONLY, 0)
	if err != nil {
		return gone(err)
	}
	_, err = f.WriteAt([]byte{byte(v >> 24), byte(v >> 16), byte(v >> 8), byte(v)}, 60)
	return errors.Join(err, f.Close())
}

// TestIndexCorruptedAtAnyMoment damages index.db beside readers and writers.
// None of them fails, and afterwards every answer is that of a rebuild.
// Faults M9.
func TestIndexCorruptedAtAnyMoment(t *testing.T) {
	testlevel.Check(t)
	rounds := 50
	if torture() {
		rounds = 1000
	}
	r := rand.New(rand.NewPCG(11, 5))
	s := newScene(t)
	parent := s.add("Parent")
	acked := []string{parent}
	db := filepath.Join(s.dir, ".cp", "index.db")
	for i := range rounds {
		c := corruptions[i%len(corruptions)]
		name := fmt.Sprintf("round %d, %s", i, c.name)
		acked = append(acked, s.beside(name, parent, i, func() error { return c.do(db, r) })...)
		s.sameAsRebuilt(name, db, acked)
		if t.Failed() {
			return
		}
	}
	t.Logf("%d corruptions, %d memories", rounds, len(acked))
	s.healthy()
}

// beside runs readers and a writer, the damage in the midst of them, and
// returns the ids that were acknowledged.
func (s *scene) beside(name, parent string, i int, damage func() error) []string {
	s.t.Helper()
	var wg sync.WaitGroup
	run := func(args ...string) {
		wg.Go(func() {
			if _, err := s.run(s.cp, append([]string{"memory"}, args...)...); err != nil {
				s.t.Errorf("%s: %v", name, err)
			}
		})
	}
	run("list", "-o", "json")
	run("show", parent, "--depth", "1")
	run("search", "child")
	var id string
	wg.Go(func() {
		out, err := s.run(s.cp, "memory", "add-sub", parent, "--title", fmt.Sprintf("Child %d", i), "--body", "text", "--summary", "When", "-o", "json")
		var added struct{ ID string }
		if err != nil || json.Unmarshal([]byte(out), &added) != nil {
			s.t.Errorf("%s: %v %s", name, err, out)
		}
		id = added.ID
	})
	if err := damage(); err != nil {
		s.t.Errorf("%s: %v", name, err)
	}
	run("tree", "-o", "json")
	wg.Wait()
	return []string{id}
}

// sameAsRebuilt compares answers before and after the index is deleted.
func (s *scene) sameAsRebuilt(name, db string, acked []string) {
	s.t.Helper()
	ask := func() string {
		var all strings.Builder
		for _, args := range [][]string{{"list", "--limit", "1000", "-o", "json"}, {"tree", "-o", "json"}, {"search", "text", "--limit", "1000", "-o", "json"}, {"recall", "text", "-o", "json"}} {
			out, err := s.run(s.cp, append([]string{"memory"}, args...)...)
			if err != nil {
				s.t.Errorf("%s: %v", name, err)
			}
			all.WriteString(out)
		}
		return all.String()
	}
	got := ask()
	if err := removeIndex(db); err != nil {
		s.t.Fatal(err)
	}
	if want := ask(); got != want {
		s.t.Errorf("%s: not as after a rebuild (-want +got):\n%s", name, cmp.Diff(want, got))
	}
	if missing := slices.IndexFunc(acked, func(id string) bool { return !strings.Contains(got, `"`+id+`"`) }); missing >= 0 {
		s.t.Errorf("%s: %s was acknowledged and is in no answer", name, acked[missing])
	}
}

package main_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
)

// These tests have an older program and this one work on one vault. "make compat OLD=v0.1.0" builds the
// older one with the fault points of package disk, and names it in CP_OLD.

// pair is the older program and this one, each with fault points.
type pair struct{ older, newer string }

func newPair(t *testing.T) pair {
	t.Helper()
	older := os.Getenv("CP_OLD")
	if older == "" {
		t.Skip("no older program: make compat OLD=v0.1.0")
	}
	return pair{older, faultyProgram(t)}
}

// by returns the scene in the hands of another program.
func (s *scene) by(program string) *scene {
	other := *s
	other.cp = program
	return &other
}

// schema is the version of the index, as SQLite keeps it in the file: four bytes at offset 60.
func (s *scene) schema() int {
	s.t.Helper()
	b, err := os.ReadFile(filepath.Join(s.dir, ".cp", "index.db"))
	if err != nil || len(b) < 64 {
		s.t.Fatalf("no index: %v", err)
	}
	return int(b[60])<<24 | int(b[61])<<16 | int(b[62])<<8 | int(b[63])
}

// The two take turns: what one writes the other finds, changes and moves, and each calls the vault
// consistent. An index of the other's schema is made anew, and never read.
func TestCompatInTurns(t *testing.T) {
	p := newPair(t)
	for _, turn := range []pair{p, {older: p.newer, newer: p.older}} {
		s := newScene(t).by(turn.older)
		s.must(turn.older, "memory", "list")
		first := s.schema()
		parent, child := s.add("Gateway"), s.by(turn.newer).add("Worker")
		s.by(turn.newer).finds(parent, "Gateway")
		s.finds(child, "Worker")
		s.must(turn.newer, "memory", "move", child, parent, "--summary", "When it stops")
		s.must(turn.older, "memory", "update", child, "--append", "Ask the pager first.")
		s.must(turn.newer, "memory", "add-sub", parent, "--title", "Rollback", "--body", "Revert it.", "--summary", "If a release is bad")
		s.write("hand.md", "# By hand\n\nSee [[Worker]] and a zebra.\n")
		s.must(turn.older, "memory", "sync")
		for _, program := range []string{turn.newer, turn.older} {
			c := s.by(program)
			c.tells("pager", "memory", "recall", "pager")
			c.tells("zebra", "memory", "recall", "zebra")
			c.tells("CONSISTENT: 4 files", "memory", "verify")
			c.healthy()
		}
		s.tells("pager", "memory", "recall", "pager")
		if last := s.schema(); last != first {
			t.Errorf("the index has schema %d; this program made %d", last, first)
		}
	}
}

func (s *scene) finds(id, title string) { s.t.Helper(); s.tells(title, "memory", "show", id) }

// tells runs a command, and wants a word in its answer.
func (s *scene) tells(word string, args ...string) {
	s.t.Helper()
	if out := s.must(s.cp, args...); !strings.Contains(out, word) {
		s.t.Errorf("%s %v: no %q in\n%s", filepath.Base(s.cp), args, word, out)
	}
}

// They write beside each other: nothing is lost, no pointer is missing, and each finds all of it.
func TestCompatBesideEachOther(t *testing.T) {
	p := newPair(t)
	s := newScene(t)
	parent := s.add("Shared parent")
	var mu sync.Mutex
	ids := map[string]bool{}
	var wg sync.WaitGroup
	for w, program := range []string{p.older, p.newer, p.older, p.newer} {
		wg.Go(func() {
			for i := range 10 {
				id, err := s.by(program).addBelow(parent, fmt.Sprintf("Child %d of %d", i, w))
				if err != nil {
					t.Errorf("writer %d: %v", w, err)
					return
				}
				mu.Lock()
				ids[id] = true
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	if len(ids) != 40 {
		t.Errorf("%d of 40 adds were acknowledged", len(ids))
	}
	for _, program := range []string{p.older, p.newer} {
		c := s.by(program)
		c.lostNothing(parent, ids, nil)
		c.tells("CONSISTENT: 41 files", "memory", "verify")
		c.healthy()
	}
}

// addBelow adds a sub-memory, recalls it at once, and returns its id.
func (s *scene) addBelow(parent, title string) (string, error) {
	var added struct{ ID string }
	out, err := s.run(s.cp, "memory", "add-sub", parent, "--title", title, "--body", "text", "--summary", "When in doubt", "-o", "json")
	if err == nil {
		err = json.Unmarshal([]byte(out), &added)
	}
	if err == nil {
		out, err = s.run(s.cp, "memory", "recall", title, "--limit", "50")
	}
	if err == nil && !strings.Contains(out, added.ID) {
		err = fmt.Errorf("%s is not found:\n%s", added.ID, out)
	}
	return added.ID, err
}

// compatSweeps are the writes that every version knows.
var compatSweeps = []string{"add", "add-sub", "add-sub, the first child", "update, the text", "update, a file with edits", "move", "move, to the root", "delete", "capture",
	"approve", "resolve", "supersede", "fact add", "sync", "sync, folders in one another", "batch", "restore, a deleted one", "undo", "what waited"}

// One is killed before a change to the disk, in turn also in the recovery, and the other one recovers:
// the write is there whole or not at all, and what a person typed and staged is as it was.
func TestCompatKilled(t *testing.T) {
	p := newPair(t)
	for name, turn := range map[string]struct{ killed, recovers string }{
		"the older one is killed": {p.older, p.newer},
		"this one is killed":      {p.newer, p.older},
	} {
		template := sweepScene(t)
		for _, sw := range sweeps {
			if !slices.Contains(compatSweeps, sw.name) {
				continue
			}
			t.Run(name+", "+sw.name, func(t *testing.T) {
				t.Parallel()
				s := template.copy(t)
				s.prepare(sw.prep)
				s.by(turn.recovers).sweep(turn.killed, sw)
			})
		}
	}
}

// knowsFormats is how a program refuses a vault of a newer format.
var knowsFormats = regexp.MustCompile(`has format \d+; this .* knows formats up to \d+`)

// A vault of a format that a program does not know is not written, in one sentence that says so. What
// this one writes in a newer format than the older one knows is such a vault for it.
func TestCompatNewerFormat(t *testing.T) {
	p := newPair(t)
	s := newScene(t)
	id := s.add("Bound")
	s.write("code.go", "package code\n")
	s.must("git", "add", "code.go")
	s.must("git", "commit", "-qm", "code")
	s.must(p.newer, "memory", "bind", id, "code.go:1")
	if _, err := s.run(p.older, "memory", "update", id, "--append", "More."); err != nil {
		s.by(p.older).refusesFormat(id)
	}
	marker := filepath.Join(s.dir, ".cp", "vault.yaml")
	b, err := os.ReadFile(marker)
	if err != nil {
		t.Fatal(err)
	}
	s.write(".cp/vault.yaml", regexp.MustCompile(`(?m)^format: .*`).ReplaceAllString(string(b), "format: 99"))
	s.must("git", "commit", "-qam", "from the future")
	for _, program := range []string{p.older, p.newer} {
		s.by(program).refusesFormat(id)
	}
}

// refusesFormat wants every write refused, and nothing changed by it.
func (s *scene) refusesFormat(id string) {
	s.t.Helper()
	before := s.must("git", "rev-parse", "HEAD") + s.must("git", "status", "--porcelain")
	for _, args := range [][]string{{"add", "New"}, {"update", id, "--append", "x"}, {"delete", id, "--force"}, {"sync"}, {"undo", "--force"}} {
		_, err := s.run(s.cp, append([]string{"memory"}, args...)...)
		if err == nil || !knowsFormats.MatchString(err.Error()) {
			s.t.Errorf("%s memory %v: %v", filepath.Base(s.cp), args, err)
		}
	}
	if after := s.must("git", "rev-parse", "HEAD") + s.must("git", "status", "--porcelain"); after != before {
		s.t.Errorf("%s changed something:\n%s\n%s", filepath.Base(s.cp), before, after)
	}
}

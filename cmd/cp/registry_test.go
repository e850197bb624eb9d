package main_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/cp-memory/cp/cmd/internal/registry"
	"github.com/cp-memory/cp/testdata/testlevel"
)

// noted is a list of projects with a person's comment, a key of a newer program, and a vault
// that is gone.
const noted = "# mine\nprojects:\n- {path: /nowhere/a, colour: blue}\n# the second\n- /nowhere/b\n"

// listed is the file of a scene's list, as it is.
func (s *scene) listed() string { return filepath.Join(s.home, ".cp", "projects.yaml") }

// rewrite puts a text in its place.
func (s *scene) rewrite(text string) {
	s.t.Helper()
	if err := os.WriteFile(s.listed(), []byte(text), 0o600); err != nil {
		s.t.Fatal(err)
	}
}

// whole checks that the list can be read, and holds what a person wrote and no half of an
// entry; more are the vaults that may be on it.
func (s *scene) whole(when string, more ...string) registry.List {
	s.t.Helper()
	b, err := os.ReadFile(s.listed())
	l := registry.Parse(b)
	if err != nil || l.Why != nil {
		s.t.Errorf("%s: %v, %v\n%s", when, err, l.Why, b)
	}
	for _, kept := range []string{"# mine\n", "# the second\n"} {
		if !strings.Contains(string(b), kept) {
			s.t.Errorf("%s: %q is gone:\n%s", when, kept, b)
		}
	}
	for _, e := range l.Entries {
		if !slices.Contains(append(more, "/nowhere/a", "/nowhere/b"), e.Vault) {
			s.t.Errorf("%s: there is an entry %+v", when, e)
		}
	}
	return l
}

// registering are the commands that write the list, and whether the list is what they are for.
var registering = []struct {
	args []string
	ours bool
}{
	{[]string{"memory", "list"}, false},
	{[]string{"project", "add", "."}, true},
	{[]string{"project", "scan", "."}, true},
	{[]string{"project", "prune"}, true},
}

// TestListOfProjectsKilled kills each command that writes the list of projects before each of
// its changes to the disk. The list is then as it was or as it is to be, with what a person
// has noted in it, and the next command finishes.
func TestListOfProjectsKilled(t *testing.T) {
	testlevel.Check(t)
	faulty := faultyProgram(t)
	template := newScene(t)
	template.must(template.cp, "memory", "list")
	for _, c := range registering {
		t.Run(strings.Join(c.args, " "), func(t *testing.T) {
			s := template.copy(t)
			s.home = filepath.Join(t.TempDir(), "home")
			if err := os.CopyFS(s.home, os.DirFS(template.home)); err != nil {
				t.Fatal(err)
			}
			for n := 1; ; n++ {
				s.rewrite(noted)
				how := s.killed(faulty, n, c.args)
				s.whole(how, s.dir)
				if strings.HasPrefix(how, "not killed") {
					if n < 3 {
						t.Errorf("it changes the disk %d times", n-1)
					}
					break
				}
				s.rewrite(noted)
				s.must(s.cp, "memory", "list")
				if l := s.whole("after "+how, s.dir); l.Of(s.dir) == nil || len(l.Entries) != 3 {
					t.Errorf("after %s: %+v", how, l.Entries)
				}
			}
		})
	}
}

// TestListOfProjectsFails fails each change to the disk, and all of them from one on, as a full
// disk, a read-only one and a broken one do. A question is answered all the same; a command
// that is about the list refuses in a sentence, and the list is whole.
func TestListOfProjectsFails(t *testing.T) {
	testlevel.Check(t)
	faulty := faultyProgram(t)
	s := newScene(t)
	s.must(s.cp, "memory", "add", "A test.", "--title", "Noted")
	for _, c := range registering {
		for _, fault := range []string{"ENOSPC", "EROFS"} {
			for _, at := range []string{"1", "2", "3", "4", "1+"} {
				s.rewrite(noted)
				run := *s
				run.env = append(slices.Clone(s.env), "CP_FAULT="+at+":"+fault)
				out, err := run.run(faulty, c.args...)
				when := fmt.Sprint(c.args, " ", at, ":", fault)
				switch s.whole(when, s.dir); {
				case !c.ours && (err != nil || !strings.Contains(out, "Noted")):
					t.Errorf("%s: it is in the way of an answer: %v\n%s", when, err, out)
				case c.ours && err != nil && !strings.Contains(err.Error(), "projects.yaml"):
					t.Errorf("%s: %v", when, err)
				}
			}
		}
	}
}

// TestSixteenProgramsRegisterAtOnce has sixteen programs run in sixteen vaults at one moment,
// with no list there yet: each answers, and none is missing from the list.
func TestSixteenProgramsRegisterAtOnce(t *testing.T) {
	testlevel.Check(t)
	s := newScene(t)
	vaults := make([]scene, 16)
	for i := range vaults {
		vaults[i] = *s
		vaults[i].dir = filepath.Join(filepath.Dir(s.dir), fmt.Sprint("v", i))
		if err := os.Mkdir(vaults[i].dir, 0o755); err != nil {
			t.Fatal(err)
		}
		vaults[i].must(s.cp, "init")
	}
	for round := range 3 {
		if err := os.Remove(s.listed()); err != nil {
			t.Fatal(err)
		}
		var all sync.WaitGroup
		for i := range vaults {
			all.Go(func() {
				if out, err := vaults[i].run(s.cp, "memory", "list"); err != nil {
					t.Errorf("%s: %v\n%s", vaults[i].dir, err, out)
				}
			})
		}
		all.Wait()
		l := registry.Registry{Path: s.listed()}.Read()
		for i := range vaults {
			if l.Of(vaults[i].dir) == nil {
				t.Errorf("round %d: %s is missing", round, vaults[i].dir)
			}
		}
		if len(l.Entries) != len(vaults) || l.Why != nil {
			t.Errorf("round %d: %d entries, %v", round, len(l.Entries), l.Why)
		}
	}
}

package main_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/cp-memory/cp/testdata/testlevel"
)

// scene is a vault with a person and real cp processes in it.
type scene struct {
	t    *testing.T
	cp   string // the program
	dir  string // the vault
	home string
	env  []string    // on top of the ordinary ones
	said *transcript // by all commands; nil where nobody asks
}

// transcript is what commands that run at once have told on stderr.
type transcript struct {
	mu   sync.Mutex
	text strings.Builder
}

func (t *transcript) add(text []byte) {
	if t == nil {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.text.Write(text)
}

// newScene builds the program and makes a vault.
func newScene(t *testing.T) *scene {
	t.Helper()
	cp, err := binary()
	if err != nil {
		t.Fatal(err)
	}
	s := &scene{t: t, cp: cp, dir: filepath.Join(t.TempDir(), "w", "vault"), home: t.TempDir(), said: new(transcript)}
	config := "[user]\n\tname = Penny Fold\n\temail = penny@example.org\n[init]\n\tdefaultBranch = main\n[gc]\n\tauto = 0\n"
	if err := os.WriteFile(filepath.Join(s.home, ".gitconfig"), []byte(config), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(s.dir, 0o755); err != nil {
		t.Fatal(err)
	}
	s.patient()
	s.must(s.cp, "init", "--prefix", "pf")
	return s
}

// patient makes every writer wait for the lock as long as a crowded machine may need.
func (s *scene) patient() {
	s.t.Helper()
	dir := filepath.Join(s.home, ".cp")
	if err := os.Mkdir(dir, 0o755); err != nil {
		s.t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "config.yaml"), []byte("lock_timeout: 10m\n"), 0o644); err != nil {
		s.t.Fatal(err)
	}
}

// environ is what a command run in the vault finds in its environment.
func (s *scene) environ() []string {
	return append(append(os.Environ(), "HOME="+s.home, "GIT_CONFIG_NOSYSTEM=1", "CP_VAULT=", "CP_AGENT="), s.env...)
}

// run runs a command in the vault and returns its output.
func (s *scene) run(name string, args ...string) (string, error) {
	cmd := exec.Command(name, args...)
	cmd.Dir = s.dir
	cmd.Env = s.environ()
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	s.said.add(errs.Bytes())
	if err != nil {
		return out.String(), fmt.Errorf("%s %s: %w\n%s", name, strings.Join(args, " "), err, errs.String())
	}
	return out.String(), nil
}

// must is run for what may not fail.
func (s *scene) must(name string, args ...string) string {
	s.t.Helper()
	out, err := s.run(name, args...)
	if err != nil {
		s.t.Fatal(err)
	}
	return out
}

// add makes a root memory with a fixed text and returns its id.
func (s *scene) add(title string) string {
	s.t.Helper()
	var added struct{ ID string }
	out := s.must(s.cp, "memory", "add", title, "-o", "json")
	if err := json.Unmarshal([]byte(out), &added); err != nil {
		s.t.Fatalf("%v in %s", err, out)
	}
	return added.ID
}

// healthy checks what must hold after every story.
func (s *scene) healthy() {
	s.t.Helper()
	s.must("git", "fsck", "--strict", "--no-dangling")
	for _, pattern := range []string{"cp/*/tx/*.json*", "cp/*/mark/[^c]*", "index.lock", "gc.pid", "refs/heads/*.lock"} {
		if left, _ := filepath.Glob(filepath.Join(s.dir, ".git", pattern)); len(left) > 0 {
			s.t.Errorf("left behind: %v", left)
		}
	}
	out := s.must(s.cp, "memory", "sync", "--dry-run")
	if ejected := out == ""; !ejected && !strings.Contains(out, "All pointer blocks are in sync") {
		s.t.Errorf("not in sync:\n%s", out)
	}
}

const (
	writers  = 16
	perEach  = 25
	nReaders = 30
)

// Sixteen processes add sub-memories to one parent while a person edits its
// prose and commits: nothing is lost, no pointer is missing.
func TestManyWritersOneParent(t *testing.T) {
	testlevel.Check(t)
	s := newScene(t)
	parent := s.add("Shared parent")
	acks := make(chan struct{}, writers*perEach)
	person := s.personAtWork("shared-parent.md", acks)
	var mu sync.Mutex
	ids := map[string]bool{}
	var wg sync.WaitGroup
	for w := range writers {
		wg.Go(func() {
			for i := range perEach {
				var added struct{ ID string }
				out, err := s.run(s.cp, "memory", "add-sub", parent, "--title", fmt.Sprintf("Child %d of %d", i, w),
					"--body", "text", "--summary", "When in doubt", "-o", "json")
				if err != nil || json.Unmarshal([]byte(out), &added) != nil {
					t.Errorf("writer %d: %v %s", w, err, out)
					return
				}
				mu.Lock()
				ids[added.ID] = true
				mu.Unlock()
				acks <- struct{}{}
			}
		})
	}
	wg.Wait()
	close(acks)
	lines := <-person
	if len(ids) != writers*perEach {
		t.Errorf("%d of %d adds were acknowledged", len(ids), writers*perEach)
	}
	s.must(s.cp, "memory", "sync")
	s.lostNothing(parent, ids, lines)
	s.healthy()
}

// personAtWork types a line into a file's prose for each tick, in place and by
// rename in turn, and commits every fifth time. When the ticks end it sends the
// lines that were saved.
func (s *scene) personAtWork(file string, ticks <-chan struct{}) <-chan []string {
	path := filepath.Join(s.dir, file)
	done := make(chan []string)
	go func() {
		var lines []string
		for i := 0; ; i++ {
			if _, more := <-ticks; !more {
				done <- lines
				return
			}
			line := fmt.Sprintf("typed line %d.", i)
			if err := s.typeLine(path, line, i%2 == 0); err == nil {
				lines = append(lines, line)
			}
			if i%5 == 0 { // git may find its lock taken; a person tries again later
				_, _ = s.run("git", "commit", "-qam", fmt.Sprintf("by hand %d", i))
			}
		}
	}()
	return done
}

// typeLine saves the file with a line more in its prose, as editors do: by a
// rename, or by a look at the file, then a write in place. A person's editor
// warns when the file has changed since it was read; so does this one.
func (s *scene) typeLine(path, line string, rename bool) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if len(text) == 0 {
		return errors.New("nothing to read") // the other editor is saving
	}
	changed := above(text, line)
	if now, err := os.ReadFile(path); err != nil || !bytes.Equal(now, text) {
		return errors.New("changed on disk")
	}
	if !rename {
		return os.WriteFile(path, changed, 0o644)
	}
	tmp := path + "~"
	if err := os.WriteFile(tmp, changed, 0o644); err != nil {
		return err
	}
	return os.Rename(tmp, path)
}

// above returns a file's text with a line more at the end of its prose.
func above(text []byte, line string) []byte {
	at := bytes.Index(text, []byte("<!-- sub-memories -->"))
	if at < 0 {
		at = len(text)
	}
	return slices.Concat(text[:at], []byte(line+"\n\n"), text[at:])
}

// lostNothing checks that every acknowledged child is committed and pointed to,
// and every line the person typed is in the file.
func (s *scene) lostNothing(parent string, ids map[string]bool, lines []string) {
	s.t.Helper()
	head := s.must("git", "show", "HEAD:shared-parent.md")
	disk, err := os.ReadFile(filepath.Join(s.dir, "shared-parent.md"))
	if err != nil {
		s.t.Fatal(err)
	}
	pointers := regexp.MustCompile(`\{"id": "(pf-[0-9a-z]+)"`)
	for where, text := range map[string]string{"HEAD": head, "disk": string(disk)} {
		found := map[string]int{}
		for _, m := range pointers.FindAllStringSubmatch(text, -1) {
			found[m[1]]++
		}
		for id := range ids {
			if found[id] != 1 {
				s.t.Errorf("%s points to %s %d times", where, id, found[id])
			}
		}
	}
	tree := s.must("git", "grep", "-h", "^id: ", "HEAD", "--", "shared-parent/")
	for id := range ids {
		if !strings.Contains(tree, "id: "+id+"\n") {
			s.t.Errorf("%s is not in HEAD", id)
		}
	}
	for _, line := range lines {
		if !strings.Contains(string(disk), line) && !s.kept(line) {
			s.t.Errorf("the person's %q is gone", line)
		}
	}
	s.t.Logf("%d adds beside %d lines typed by hand", len(ids), len(lines))
}

// kept reports whether a command has told that a text which is not in its file is kept: that of
// a person who opened the file before a write replaced it, and saved into it after the write had
// looked for that. A replaced file that no command named does not count: each has what was there
// before it.
func (s *scene) kept(text string) bool {
	names, _ := filepath.Glob(filepath.Join(s.dir, ".git", "cp", "*", "displaced", "*", "*"))
	for _, name := range names {
		if held, err := os.ReadFile(name); err == nil && strings.Contains(s.said.text.String(), filepath.Base(name)) && strings.Contains(string(held), text) {
			s.t.Logf("%q was saved too late, and is kept in %s", text, filepath.Base(name))
			return true
		}
	}
	return false
}

// Two processes move two roots below each other: one wins, and never a cycle.
func TestOppositeMoves(t *testing.T) {
	testlevel.Check(t)
	s := newScene(t)
	for round := range 15 {
		a, b := s.add(fmt.Sprintf("A %d", round)), s.add(fmt.Sprintf("B %d", round))
		var wg sync.WaitGroup
		var failures [2]error
		wg.Go(func() { _, failures[0] = s.run(s.cp, "memory", "move", a, b) })
		wg.Go(func() { _, failures[1] = s.run(s.cp, "memory", "move", b, a) })
		wg.Wait()
		if (failures[0] == nil) == (failures[1] == nil) {
			t.Errorf("round %d: want one of two moves, got %v and %v", round, failures[0], failures[1])
		}
		tree := s.must(s.cp, "memory", "tree", "--all")
		if !strings.Contains(tree, a) || !strings.Contains(tree, b) {
			t.Errorf("round %d: a member is gone from the tree:\n%s", round, tree)
		}
	}
	s.healthy()
}

// Thirty processes read one memory at once: every reading is counted and logged.
func TestReadersAreCountedExactly(t *testing.T) {
	s := newScene(t)
	id := s.add("Popular")
	var wg sync.WaitGroup
	for range nReaders {
		wg.Go(func() {
			if _, err := s.run(s.cp, "memory", "show", id); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if out := s.must(s.cp, "memory", "show", id, "-o", "json"); !strings.Contains(out, fmt.Sprintf(`"access_count": %d`, nReaders)) {
		t.Errorf("want %d readings, got\n%s", nReaders, out)
	}
}

package main_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// sweeps are the writes that are killed before every change to the disk.
var sweeps = map[string]struct {
	args   []string
	done   func(s *scene) bool // the write is there, on disk and in HEAD
	undone func(s *scene) bool // nothing of it is there
}{
	"add-sub": {
		args:   []string{"memory", "add-sub", "pf-aaa", "--title", "New", "--body", "text", "--summary", "When new"},
		done:   func(s *scene) bool { return s.has("a/new.md") && s.says("a.md", `"title": "New"`) },
		undone: func(s *scene) bool { return !s.has("a/new.md") && !s.says("a.md", `"title": "New"`) },
	},
	"move": {
		args: []string{"memory", "move", "pf-bbb", "pf-xxx"},
		done: func(s *scene) bool {
			return s.has("x/b.md") && s.has("x/b/c.md") && !s.has("a/b.md") && !s.has("a/b/c.md") &&
				s.says("x.md", "pf-bbb") && !s.says("a.md", "pf-bbb")
		},
		undone: func(s *scene) bool {
			return s.has("a/b.md") && s.has("a/b/c.md") && !s.has("x/b.md") && !s.has("x/b/c.md") &&
				s.says("a.md", "pf-bbb") && !s.says("x.md", "pf-bbb")
		},
	},
	"delete": {
		args:   []string{"memory", "delete", "pf-bbb", "--recursive", "--force"},
		done:   func(s *scene) bool { return !s.has("a/b.md") && !s.has("a/b/c.md") && !s.says("a.md", "pf-bbb") },
		undone: func(s *scene) bool { return s.has("a/b.md") && s.has("a/b/c.md") && s.says("a.md", "pf-bbb") },
	},
}

// TestKillSweep kills each write before its first, second, … change to the
// disk, lets the next command recover, and checks that the write is there whole
// or not at all, and that the person's uncommitted prose and staged file are as
// they were.
func TestKillSweep(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the program a few hundred times")
	}
	faulty := faultyProgram(t)
	for name, sweep := range sweeps {
		t.Run(name, func(t *testing.T) {
			template := sweepScene(t)
			for n := 1; ; n++ {
				s := template.copy(t)
				s.cp = faulty
				if finished := s.killed(n, sweep.args); finished {
					t.Logf("%d points", n-1)
					return
				}
				s.cp = template.cp
				s.must(s.cp, "memory", "sync")
				if !sweep.done(s) && !sweep.undone(s) {
					t.Errorf("killed before change %d: half done\n%s", n, s.must("git", "status", "--short"))
				}
				s.untouched(n)
			}
		})
	}
}

// faultyProgram builds cp with the fault points of package disk.
func faultyProgram(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "cp-faulty")
	build := exec.Command("go", "build", "-tags", "sqlite_fts5 failpoints", "-o", path, ".")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	return path
}

// sweepScene is a vault with prose typed and not committed in a parent, and a
// file staged.
func sweepScene(t *testing.T) *scene {
	t.Helper()
	s := newScene(t)
	for path, text := range map[string]string{
		"a.md":     "---\nid: pf-aaa\ntitle: A\n---\nOverview.\n",
		"a/b.md":   "---\nid: pf-bbb\ntitle: B\nsummary: When b\n---\nText.\n",
		"a/b/c.md": "---\nid: pf-ccc\ntitle: C\nsummary: When c\n---\nText.\n",
		"x.md":     "---\nid: pf-xxx\ntitle: X\n---\nOverview.\n",
	} {
		s.write(path, text)
	}
	s.must(s.cp, "memory", "sync")
	disk, err := os.ReadFile(filepath.Join(s.dir, "a.md"))
	if err != nil {
		t.Fatal(err)
	}
	s.write("a.md", strings.Replace(string(disk), "Overview.", "Overview, typed and not committed.", 1))
	s.write("staged.txt", "staged\n")
	s.must("git", "add", "staged.txt")
	return s
}

func (s *scene) write(path, text string) {
	s.t.Helper()
	full := filepath.Join(s.dir, path)
	if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
		s.t.Fatal(err)
	}
	if err := os.WriteFile(full, []byte(text), 0o644); err != nil {
		s.t.Fatal(err)
	}
}

// copy is the scene once more, in a folder of its own.
func (s *scene) copy(t *testing.T) *scene {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "vault")
	if out, err := exec.Command("/bin/cp", "-a", s.dir, dir).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return &scene{t: t, cp: s.cp, dir: dir, home: s.home}
}

// killed runs the program and kills it before its n-th change; it reports
// whether the program finished because it makes fewer.
func (s *scene) killed(n int, args []string) (finished bool) {
	s.t.Helper()
	s.t.Setenv("CP_FAULT", strconv.Itoa(n)+":kill")
	_, err := s.run(s.cp, args...)
	s.t.Setenv("CP_FAULT", "")
	if err == nil {
		return true
	}
	if !strings.Contains(err.Error(), "fault: killed") {
		s.t.Fatalf("change %d: %v", n, err)
	}
	return false
}

// has reports whether a file is on disk and in HEAD; it fails the test when the
// two disagree.
func (s *scene) has(path string) bool {
	s.t.Helper()
	_, err := os.Stat(filepath.Join(s.dir, path))
	disk := err == nil
	_, err = s.run("git", "cat-file", "-e", "HEAD:"+path)
	if head := err == nil; head != disk {
		s.t.Errorf("%s: on disk %v, in HEAD %v", path, disk, head)
	}
	return disk
}

// says reports whether a file holds text, on disk and in HEAD alike.
func (s *scene) says(path, text string) bool {
	s.t.Helper()
	b, err := os.ReadFile(filepath.Join(s.dir, path))
	if err != nil {
		s.t.Fatal(err)
	}
	disk := strings.Contains(string(b), text)
	if head := strings.Contains(s.must("git", "show", "HEAD:"+path), text); head != disk {
		s.t.Errorf("%s says %q on disk: %v, in HEAD: %v", path, text, disk, head)
	}
	return disk
}

// untouched checks what is the person's: the typed prose is on disk and in no
// commit, the staged file is staged and nothing else is.
func (s *scene) untouched(n int) {
	s.t.Helper()
	const typed = "Overview, typed and not committed."
	if b, _ := os.ReadFile(filepath.Join(s.dir, "a.md")); !strings.Contains(string(b), typed) {
		s.t.Errorf("change %d: the typed prose is gone", n)
	}
	if log := s.must("git", "log", "-p", "--all"); strings.Contains(log, typed) {
		s.t.Errorf("change %d: the typed prose is in a commit", n)
	}
	if got := s.must("git", "diff", "--cached", "--name-status"); got != "A\tstaged.txt\n" {
		s.t.Errorf("change %d: staged: %q", n, got)
	}
	if got, want := s.must("git", "status", "--porcelain"), " M a.md\nA  staged.txt\n"; got != want {
		s.t.Errorf("change %d: status %q, want %q", n, got, want)
	}
	s.healthy()
}

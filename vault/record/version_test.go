package record_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cp-memory/cp/testdata/testlevel"
)

// person is somebody with git and an editor in a folder.
type person struct {
	t   *testing.T
	dir string
}

func (p person) git(args ...string) {
	p.t.Helper()
	git := exec.CommandContext(p.t.Context(), "git", args...)
	git.Dir = p.dir
	if out, err := git.CombinedOutput(); err != nil {
		p.t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
}

// says commits each of the texts as the file's next one.
func (p person) says(name string, texts ...string) {
	p.t.Helper()
	for _, text := range texts {
		doc := "---\nid: pf-aa1\n---\n# A\n\n" + text + "\n"
		if err := os.WriteFile(filepath.Join(p.dir, name), []byte(doc), 0o600); err != nil {
			p.t.Fatal(err)
		}
		p.git("add", "-A")
		p.git("commit", "-q", "--allow-empty", "-m", text)
	}
}

// A version is one of the line that HEAD follows by first parents. Each row makes a memory, what
// a branch does to it, and what main does until that comes in.
func TestVersionOfAMerge(t *testing.T) {
	testlevel.Check(t)
	for _, row := range []struct {
		name   string
		theirs func(p person)
		ours   func(p person)
		merge  func(p person)
		want   int
	}{
		{name: "both changed it",
			theirs: func(p person) { p.says("a.md", "t1", "t2", "t3") }, ours: func(p person) { p.says("a.md", "o1", "o2") },
			merge: func(p person) {
				p.git("merge", "-q", "-s", "ours", "--no-commit", "theirs")
				p.says("a.md", "both")
			}, want: 4},
		{name: "both changed it, and ours stays",
			theirs: func(p person) { p.says("a.md", "t1", "t2", "t3") }, ours: func(p person) { p.says("a.md", "o1", "o2") },
			merge: func(p person) { p.git("merge", "-q", "-s", "ours", "-m", "m", "theirs") }, want: 3},
		{name: "the branch alone changed it",
			theirs: func(p person) { p.says("a.md", "t1", "t2", "t3") }, ours: func(p person) { p.git("commit", "-q", "--allow-empty", "-m", "o") },
			merge: func(p person) { p.git("merge", "-q", "-m", "m", "theirs") }, want: 2},
		{name: "main alone changed it",
			theirs: func(p person) { p.git("commit", "-q", "--allow-empty", "-m", "t") }, ours: func(p person) { p.says("a.md", "o1", "o2") },
			merge: func(p person) { p.git("merge", "-q", "-m", "m", "theirs") }, want: 3},
		{name: "the branch moved and changed it",
			theirs: func(p person) { p.git("mv", "a.md", "b.md"); p.says("b.md", "start", "t1", "t2") }, ours: func(p person) { p.git("commit", "-q", "--allow-empty", "-m", "o") },
			merge: func(p person) { p.git("merge", "-q", "-m", "m", "theirs") }, want: 2},
		{name: "no merge: main goes forward",
			theirs: func(p person) { p.says("a.md", "t1", "t2", "t3") }, ours: func(person) {},
			merge: func(p person) { p.git("merge", "-q", "--ff-only", "theirs") }, want: 4},
	} {
		t.Run(row.name, func(t *testing.T) {
			p := person{t, t.TempDir()}
			s, end, err := open(p.dir)
			if err != nil {
				t.Fatal(err)
			}
			defer end()
			p.says("a.md", "start")
			p.git("checkout", "-q", "-b", "theirs")
			row.theirs(p)
			p.git("checkout", "-q", "main")
			row.ours(p)
			row.merge(p)
			if r, err := s.GetMemory(t.Context(), "pf-aa1"); err != nil || r.Version != row.want {
				t.Errorf("got version %d, %v, want %d", r.Version, err, row.want)
			}
		})
	}
}

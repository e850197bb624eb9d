package gitstore

import (
	"strings"
	"testing"

	"github.com/cp-memory/cp/testdata/testlevel"
)

// TestNewestWork commits on top of a commit of code what is no work, and what is.
func TestNewestWork(t *testing.T) {
	testlevel.Check(t)
	ours := `-m 'memory: add pf-1 "A"' -m 'Cp-Op: 1
Cp-Verb: add'`
	file := func(path string) string {
		return "mkdir -p $(dirname " + path + ") && date +%N >>" + path + " && git add -A && git commit -q "
	}
	for _, c := range []struct {
		name, do string
		is       string // "before", "HEAD" or another revision
	}{
		{"a write of ours", file("memory/a.md") + ours, "before"},
		{"a write of ours in another vault of the repository", file("other/a.md") + ours, "before"},
		{"nine writes of ours", strings.Repeat(file("memory/a.md")+ours+"\n", 9), "before"},
		{"a person's edit of the vault", file("memory/a.md") + "-m typo", "before"},
		{"a person's edit of both", "mkdir memory; echo x >memory/a.md; " + file("src/b.go") + "-m both", "HEAD"},
		{"work", file("src/b.go") + "-m work", "HEAD"},
		{"a deletion", "git rm -q a.go && git commit -qm gone", "HEAD"},
		{"an empty commit", "git commit -q --allow-empty -m ci", "HEAD"},
		{"work below writes of ours", file("src/b.go") + "-m work\ngit tag x\n" + file("memory/a.md") + ours, "x"},
		{"a squash, which kept a trailer", file("src/b.go") + "-m 'Limit the rate (#12)' -m 'memory: add' -m 'Cp-Op: 1'", "HEAD"},
		{"work that only speaks of a trailer", file("src/b.go") + "-m 'memory: leak' -m 'Cp-Op: 1 is the trailer' -m 'Thanks.'", "HEAD"},
		{"a merge that brings work", "git checkout -qb side && " + file("src/b.go") + "-m work && git checkout -q main && git merge -q --no-ff -m merge side", "HEAD"},
		{"a merge that brings memories", "git checkout -qb side && " + file("memory/a.md") + "-m note && git checkout -q main && git merge -q --no-ff -m merge side", "before"},
		{"an import of many notes", "mkdir memory; for i in $(seq 1000); do echo $i >memory/n$i.md; done; git add -A && git commit -qm import", "before"},
		{"a moved submodule", "git update-index --add --cacheinfo 160000,$(git rev-parse HEAD),sub && git commit -qm sub", "HEAD"},
		{"a file with the vault's name before it", file("memory.go") + "-m work", "HEAD"},
		{"too many writes of ours", `m='memory: add

Cp-Op: 1'; for i in $(seq 201); do printf 'commit refs/heads/main\ncommitter Pat <p@example.org> 1 +0000\ndata %d\n%s\n' ${#m} "$m"; [ $i = 1 ] && echo 'from refs/heads/main^0'; echo; done | git fast-import --quiet`, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t).init("")
			w.sh("echo a >a.go && git add -A && git commit -qm code && git tag before")
			w.sh(c.do)
			want := ""
			if c.is != "" {
				want = strings.TrimSpace(w.sh("git rev-parse " + c.is + "^{commit}"))
			}
			if got := w.newestWork(t); got != want {
				t.Errorf("got %q, want %q of\n%s", got, want, w.sh("git log --graph --stat --oneline"))
			}
		})
	}
}

// newestWork asks for the newest work, with the vault in the folder memory.
func (w world) newestWork(t *testing.T) string {
	t.Helper()
	r, _ := w.open(false)
	tip, err := r.Tip(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	got, err := r.NewestWork(t.Context(), tip, func(path string) bool { return !strings.HasPrefix(path, "memory/") })
	if err != nil {
		t.Fatal(err)
	}
	return got.Commit
}

// TestNewestWorkInAShallowClone ends where the clone does.
func TestNewestWorkInAShallowClone(t *testing.T) {
	w := newWorld(t).init("")
	w.sh("for i in 1 2 3; do echo $i >a.go; git add -A; git commit -qm $i; done")
	if got, head := w.newestWork(t), strings.TrimSpace(w.sh("git rev-parse HEAD")); got != head {
		t.Errorf("got %q, want HEAD %q", got, head)
	}
	w.sh("git clone -q --depth 1 file://$PWD shallow")
	s := w.in(w.dir + "/shallow")
	s.sh("git config user.name Pat && git config user.email pat@example.org && mkdir memory && echo x >memory/a.md && git add -A && git commit -qm note")
	if got, want := s.newestWork(t), strings.TrimSpace(s.sh("git rev-parse HEAD^")); got != want {
		t.Errorf("in the shallow clone: got %q, want %q", got, want)
	}
}

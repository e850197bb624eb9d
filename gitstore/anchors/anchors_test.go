package anchors_test

import (
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/cp-memory/cp/gitstore/anchors"
	"github.com/cp-memory/cp/testdata/testlevel"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/header"
)

// start makes three commits of one author, each tagged: one, two and three; and also, beside the last
// one, in the second of two. work commits a file as
// the author would at that time.
const start = `work() { echo "$1" >>"$1"; git add -A; GIT_AUTHOR_DATE="$2 +0000" git commit -qm "$3"; }
git init -q -b main; work a 1700000001 One; git tag one; work b 1700000002 Two; git tag two; work c 1700000003 Three; git tag three
git checkout -q -b beside two; work d 1700000002 Also; git tag also; git checkout -q main; git branch -q -D beside; export GIT_EDITOR=true
`

// TestFollow rewrites history in every way that people do, and asks what has become of its commits.
func TestFollow(t *testing.T) {
	const gc = "\ngit tag -d one two three also >/dev/null; git reflog expire --expire=now --all; git gc -q --prune=now"
	const rebase = "git checkout -q -b side one; work s 1700000009 Side; git checkout -q main; git rebase -q side; git branch -q -D side"
	for _, c := range []struct{ name, do, of, is string }{
		{"nothing", "", "two", "two"},
		{"a rebase", rebase, "three", "main"},
		{"a rebase, and the old commits are gone", rebase + gc, "three", "main"},
		{"a rebase, and what stays stands for itself", rebase, "one", "one"},
		{"an amended text", "echo x >>c; git commit -qa --amend --no-edit", "three", "main"},
		{"an amended subject", "git commit -q --amend -m Third" + gc, "three", "main"},
		{"another author's date", "GIT_AUTHOR_DATE=1700000007 git commit -q --amend --reset-author -m Third", "three", ""},
		{"a squash of two: the first", "git reset -q --soft one; git commit -q -C two", "two", "main"},
		{"a squash of two: the second", "git reset -q --soft one; git commit -q -C two", "three", ""},
		{"a squash as of a pull request", "git checkout -q -b pr one; git merge -q --squash main; GIT_AUTHOR_DATE=1700000008 git commit -qm 'All (#1)'", "three", ""},
		{"all of history rewritten", "git filter-branch -f --env-filter 'export GIT_COMMITTER_NAME=Sam' -- main >/dev/null 2>&1" + gc, "two", "main~1"},
		{"a cherry-pick to another branch", "git checkout -q -b release one; git cherry-pick three >/dev/null", "three", "release"},
		{"another branch, which lacks it", "git checkout -q -b release one", "three", ""},
		{"twice picked: by the subject", "git checkout -q -b x one; git cherry-pick three >/dev/null; work d 1700000003 Other; git tag -d three >/dev/null", "main", "x~1"},
		{"twice picked, with one subject: by the change", "git checkout -q -b x one; git cherry-pick three >/dev/null; work d 1700000003 Three", "three", "x~1"},
		{"twice picked, and nothing tells which", "git checkout -q -b x one; git cherry-pick three >/dev/null; work d 1700000003 Three; git branch -q -D main" + gc, "three", "? x~1 x"},
		{"a commit made in one second with it stood beside it", "", "also", ""},
		{"a write of ours in its second is not it", "git reset -q --hard two; work m 1700000003 'memory: capture pf-1 x\n\nCp-Op: 1\nCp-Verb: capture'", "three", ""},
		{"an unborn branch", "git checkout -q --orphan x", "three", ""},
		{"a detached HEAD", rebase + "; git checkout -q --detach", "three", "HEAD"},
		{"a reverted commit stays", "git revert --no-edit HEAD >/dev/null", "three", "three"},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t)
			w.sh(start)
			was := w.anchor(t, c.of)
			w.sh(start[:strings.Index(start, "\n")+1] + "export GIT_EDITOR=true\n" + c.do)
			known, err := anchors.Follow(t.Context(), w.dir, header.Successors{}, []header.Anchor{was})
			if err != nil {
				t.Fatal(err)
			}
			var want header.Successor
			if of, several := strings.CutPrefix(c.is, "? "); several {
				for r := range strings.FieldsSeq(of) {
					want.Candidates = append(want.Candidates, w.id(r))
				}
			} else if c.is != "" {
				want.Commit = w.id(c.is)
			}
			got := known.Next[was.Commit]
			slices.Sort(got.Candidates)
			slices.Sort(want.Candidates)
			if got.Commit != want.Commit || !slices.Equal(got.Candidates, want.Candidates) {
				t.Errorf("got %v, want %v of\n%s", got, want, w.sh("git log --all --graph --format='%H %at %s %d'"))
			}
		})
	}
}

// What was known holds while it can, and is looked up again when HEAD no longer reaches it.
func TestFollowAgain(t *testing.T) {
	w := newWorld(t)
	w.sh(start)
	all := []header.Anchor{w.anchor(t, "one"), w.anchor(t, "three"), {Commit: "by hand"}, {Commit: strings.Repeat("01", 20), CommitKey: "no key"}}
	follow := func(known header.Successors) header.Successors {
		t.Helper()
		known, err := anchors.Follow(t.Context(), w.dir, known, all)
		if err != nil {
			t.Fatal(err)
		}
		return known
	}
	known := follow(header.Successors{})
	if len(known.Next) != 3 || known.Next[all[1].Commit].Commit != all[1].Commit || known.Next[all[3].Commit].Commit != "" {
		t.Errorf("got %v", known)
	}
	w.sh("git commit -q --allow-empty -m more")
	if again := follow(known); again.Head == known.Head || !maps.EqualFunc(again.Next, known.Next, func(a, b header.Successor) bool { return a.Commit == b.Commit }) {
		t.Errorf("HEAD went on: got %v, was %v", again, known)
	}
	w.sh("git reset -q --hard one; echo x >x; git add -A; git commit -q -C three")
	if again := follow(known); again.Next[all[0].Commit].Commit != all[0].Commit || again.Next[all[1].Commit].Commit != w.id("HEAD") {
		t.Errorf("HEAD went elsewhere: got %v", again)
	}
}

// A range is what git says it is; what is none is named, and nothing is an option.
func TestListRange(t *testing.T) {
	w := newWorld(t)
	w.sh(start + "git checkout -q -b side one; work s 1700000009 Side; git tag -a -m x side-tag; git checkout -q main")
	for _, c := range []struct{ expr, is, err string }{
		{"one..three", "two three", ""},
		{"one..", "two three", ""},
		{"three..", "", ""},
		{"..one", "", ""},
		{"..side", "side", ""},
		{"side...main", "two three side", ""},
		{"...side-tag", "two three side", ""},
		{"two", "one two", ""},
		{"HEAD~2..HEAD^{/Two}", "two", ""},
		{"v9..three", "", "'v9' is no commit of this repository"},
		{"one..v9", "", "'v9' is no commit of this repository"},
		{"one^{tree}..three", "", "'one^{tree}' is no commit of this repository"},
		{"--all", "", "'--all' is no commit of this repository"},
		{"--output=x..one", "", "'--output=x' is no commit of this repository"},
		{"^one..three", "", "'^one' is no commit of this repository"},
		{"one..three..two", "", "'three..two' is no commit of this repository"},
		{"one\nthree", "", "is no commit of this repository"},
	} {
		got, err := anchors.ListRange(t.Context(), w.dir, c.expr)
		if c.err != "" {
			if vault.CodeOf(err) != vault.CodeNotFound || !strings.Contains(err.Error(), c.err) {
				t.Errorf("%s: got %v", c.expr, err)
			}
			continue
		}
		want := map[string]bool{}
		for r := range strings.FieldsSeq(c.is) {
			want[w.id(r)] = true
		}
		if err != nil || !maps.Equal(got, want) {
			t.Errorf("%s: got %v, %v", c.expr, got, err)
		}
	}
	if names, _ := os.ReadDir(w.dir); len(names) != 4 {
		t.Errorf("a file was written: %v", names)
	}
}

// A range with more commits than anybody asks for is refused.
func TestListRangeIsBounded(t *testing.T) {
	testlevel.Check(t)
	w := newWorld(t)
	w.sh(`git init -q -b main; for i in $(seq 100001); do printf 'commit refs/heads/main\ncommitter P <p@e> %d +0000\ndata 1\nx' $i; echo; done | git fast-import --quiet`)
	if _, err := anchors.ListRange(t.Context(), w.dir, "main"); vault.CodeOf(err) != vault.CodeInvalid || !strings.Contains(err.Error(), "more than 100000 commits") {
		t.Errorf("got %v", err)
	}
	if all, err := anchors.ListRange(t.Context(), w.dir, "main~100000..main"); err != nil || len(all) != 100_000 {
		t.Errorf("got %d, %v", len(all), err)
	}
}

// The key is what git itself says of a commit.
func TestKeyIsGits(t *testing.T) {
	w := newWorld(t)
	w.sh("git init -q -b main")
	for _, message := range []string{"One", "\n\n  Two\nlines  \n\nBody", "Ünïcode ✓", "x\n\nCo-Authored-By: y", " ", "tab\tin"} {
		w.sh("git commit -q --allow-empty --allow-empty-message --cleanup=verbatim -m " + "'" + message + "'")
		said := strings.SplitN(strings.TrimSuffix(w.sh("git log -1 --format=%at%x00%ae%x00%s"), "\n"), "\x00", 3)
		got, ok := header.ParseCommitKey(w.anchor(t, "HEAD").CommitKey)
		if want := header.NewCommitKey(got.Time, said[1], said[2]); !ok || got != want {
			t.Errorf("%q: got %v, want %v", message, got, want)
		}
	}
}

// world is a repository with git's own command line.
type world struct {
	*testing.T
	dir string
}

func newWorld(t *testing.T) world {
	t.Helper()
	home := t.TempDir()
	for name, value := range map[string]string{"HOME": home, "XDG_CONFIG_HOME": filepath.Join(home, "config"), "GIT_CONFIG_NOSYSTEM": "1",
		"GIT_AUTHOR_NAME": "Pat", "GIT_AUTHOR_EMAIL": "pat@example.org", "GIT_COMMITTER_NAME": "Pat", "GIT_COMMITTER_EMAIL": "pat@example.org"} {
		t.Setenv(name, value)
	}
	return world{t, t.TempDir()}
}

func (w world) sh(line string) string {
	w.Helper()
	cmd := exec.Command("sh", "-e", "-c", line)
	cmd.Dir = w.dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		w.Fatalf("%s: %v\n%s", line, err, out)
	}
	return string(out)
}

func (w world) id(revision string) string {
	w.Helper()
	return strings.TrimSpace(w.sh("git rev-parse --verify -q '" + revision + "^{commit}'"))
}

func (w world) anchor(t *testing.T, revision string) header.Anchor {
	t.Helper()
	a, err := anchors.FindCommit(t.Context(), w.dir, revision)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

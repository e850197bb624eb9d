package gitstore

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cp-memory/cp/gitstore/internal/gitindex"
	"github.com/cp-memory/cp/gitstore/plumb"
	"github.com/cp-memory/cp/testdata/gitscene"
)

// Only attribute files without a word that could mean a conversion are judged
// in this process.
func TestUnconverted(t *testing.T) {
	gitscene.Placed(t, plumb.SystemDir())
	for _, row := range []struct {
		name, set string
		want      bool
	}{
		{"none", "true", true},
		{"the driver of a vault", "echo '*.md merge=cp-memory' > .gitattributes", true},
		{"text", "echo '* text=auto' > .gitattributes", false},
		{"a macro", "echo '[attr]x -diff' > .gitattributes", false},
		{"in a folder above", "mkdir -p a && echo '*.md filter=lfs' > a/.gitattributes", false},
		{"in a folder beside", "mkdir -p z && echo '*.md filter=lfs' > z/.gitattributes", true},
		{"in the git directory", "mkdir -p .git/info && echo '*.md eol=crlf' > .git/info/attributes", false},
		{"of the person", "mkdir -p $XDG_CONFIG_HOME/git && echo '*.md ident' > $XDG_CONFIG_HOME/git/attributes", false},
		{"only in the index", "echo '* text' > .gitattributes && git add . && rm .gitattributes", false},
		{"a link", "ln -s x .gitattributes", false},
	} {
		t.Run(row.name, func(t *testing.T) {
			w := newWorld(t).init("")
			w.sh(row.set)
			r, err := FindRepo(w.dir)
			if err != nil {
				t.Fatal(err)
			}
			x, err := gitindex.Read(r.indexFile())
			if err != nil {
				t.Fatal(err)
			}
			s, err := r.survey()
			if err != nil || !s.Named {
				t.Fatalf("got %+v, %v", s, err)
			}
			for _, staged := range []func(string) bool{x.Has, s.Attribute} {
				if got := r.hasNoConversion(plumb.Settings{}, staged, []string{"a/b/c.md", "d"}); got != row.want {
					t.Errorf("got %v", got)
				}
			}
		})
	}
}

// Wherever git lies, it is asked once for its settings, and again when a file of
// them is another one: also one that is included, and one that was not there.
func TestSettingsAreAskedForOnce(t *testing.T) {
	w := newWorld(t).init("")
	real, err := exec.LookPath("git")
	if err != nil {
		t.Fatal(err)
	}
	bin, calls := t.TempDir(), filepath.Join(t.TempDir(), "calls")
	script := "#!/bin/sh\necho \"$@\" >>" + calls + "\nexec " + real + " \"$@\"\n"
	if err := os.WriteFile(filepath.Join(bin, "git"), []byte(script), 0o777); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", bin+":"+os.Getenv("PATH"))
	r, state := w.open(false)
	asked := func() int {
		said, err := os.ReadFile(calls)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			t.Fatal(err)
		}
		_ = os.Remove(calls)
		return strings.Count(string(said), " config ")
	}
	w.write("a.md", "a\n")
	w.publish(r, state, newCommit("op-1", create("a.md", "a\n")))
	for _, repo := range []*Repo{r, r.Hasty()} {
		if _, err := repo.Settings(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if n := asked(); n != 1 {
		t.Errorf("a command asked %d times", n)
	}
	for _, change := range []string{"git config a.b local", "git config --global a.b global && git config --unset a.b",
		"echo '[a]\nb = more' >more && git config --global include.path $PWD/more", "echo '[a]\nb = other' >more"} {
		w.sh(change)
		asked()
		s, err := r.Settings(t.Context())
		if want := strings.TrimSpace(w.sh("git config a.b")); err != nil || s["a.b"] != want {
			t.Errorf("%s: got %q, want %q: %v", change, s["a.b"], want, err)
		}
	}
}

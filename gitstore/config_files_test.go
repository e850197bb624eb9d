package gitstore

import (
	"context"
	"errors"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cp-memory/cp/gitstore/plumb"
)

// What is read in this process is what git says; what is not plain is left to git.
func TestSettingsAreThoseOfGit(t *testing.T) {
	rows := []struct {
		name, text string
		plain      bool
	}{
		{"nothing", "", true},
		{"plain", "[user]\n\tname = Ada Lovelace\n  email=ada@example.org\n", true},
		{"the last value counts", "[user]\nname = A\n[core]\nx = 1\n[USER]\n\tNAME = B  \n", true},
		{"a part with its case", "[remote \"Origin\"]\n\tURL = https://example.org/a.b\n[branch \"feature/x.y\"]\nmerge=refs/heads/x\n", true},
		{"comments and blank lines", "# one\n; two\n\n[a]\n\t# three\n\tb = c\n", true},
		{"a bool and an empty value", "[a]\n\tb\n\tc =\n", true},
		{"quoted as a whole", "[a]\n\tb = \" x ; y # z \"\n", true},
		{"Windows line ends and a BOM", "\ufeff[a]\r\n\tb = c\r\n", true},
		{"equals in the value", "[alias]\n\tl = log --format=%h\n", true},
		{"a dollar and a backtick", "[a]\n\tb = $(x) `y`\n", true},
		{"a comment behind a value", "[a]\n\tb = c # d\n", false},
		{"an escape", "[a]\n\tb = c\\td\n", false},
		{"a quote inside", "[a]\n\tb = c \"d\" e\n", false},
		{"a continued line", "[a]\n\tb = c \\\n d\n", false},
		{"a tab inside", "[a]\n\tb = c\td\n", false},
		{"a key beside its section", "[a] b = c\n", false},
		{"an include", "[include]\n\tpath = other\n", false},
		{"a conditional include", "[includeIf \"gitdir:/\"]\n\tpath = other\n", false},
		{"an old section", "[a.B]\n\tc = d\n", false},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			w := newWorld(t).init("")
			r := &Repo{Git: plumb.At(w.dir, filepath.Join(w.dir, ".git"), filepath.Join(w.dir, ".git"))}
			if err := os.WriteFile(filepath.Join(os.Getenv("HOME"), ".gitconfig"), []byte(row.text), 0o666); err != nil {
				t.Fatal(err)
			}
			got, ok := r.readSettings()
			if systemDir() == "" {
				t.Skip("git is not in its usual place")
			}
			if ok != row.plain {
				t.Fatalf("plain: got %v", ok)
			}
			want, _, err := r.askSettings(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			for key := range want {
				if ours, _, _ := strings.Cut(key, "="); isOurs(ours) {
					delete(want, key)
				}
			}
			if ok && !maps.Equal(got, want) {
				t.Errorf("got %q\ngit %q", got, want)
			}
		})
	}
}

// isOurs reports whether we set a key ourselves in every call of git.
func isOurs(key string) bool {
	for _, arg := range plumb.SafeConfig {
		if name, _, ok := strings.Cut(arg, "="); ok && strings.EqualFold(name, key) {
			return true
		}
	}
	return false
}

// Variables that set keys, and those that name other files.
func TestSettingsHonourVariables(t *testing.T) {
	w := newWorld(t).init("")
	r := &Repo{Git: plumb.At(w.dir, filepath.Join(w.dir, ".git"), filepath.Join(w.dir, ".git"))}
	if systemDir() == "" {
		t.Skip("git is not in its usual place")
	}
	other := filepath.Join(t.TempDir(), "other")
	if err := os.WriteFile(other, []byte("[user]\nname = Other\n[a]\nb = c\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	t.Setenv("GIT_CONFIG_GLOBAL", other)
	if s, ok := r.readSettings(); !ok || s["a.b"] != "c" || s["user.name"] != "Pat" {
		t.Errorf("GIT_CONFIG_GLOBAL: %v, %q", ok, s)
	}
	t.Setenv("GIT_CONFIG_COUNT", "1")
	if _, ok := r.readSettings(); ok {
		t.Error("GIT_CONFIG_COUNT is left to git")
	}
}

// Only attribute files without a word that could mean a conversion are judged
// in this process.
func TestUnconverted(t *testing.T) {
	if systemDir() == "" {
		t.Skip("git is not in its usual place")
	}
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
			r, err := Find(w.dir)
			if err != nil {
				t.Fatal(err)
			}
			x, err := r.readIndex()
			if err != nil {
				t.Fatal(err)
			}
			s, err := r.survey()
			if err != nil || !s.named {
				t.Fatalf("got %+v, %v", s, err)
			}
			for _, staged := range []func(string) bool{x.has, s.attribute} {
				if got := r.unconverted(settings{}, staged, []string{"a/b/c.md", "d"}); got != row.want {
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
		if _, err := repo.settings(t.Context()); err != nil {
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
		s, err := r.settings(t.Context())
		if want := strings.TrimSpace(w.sh("git config a.b")); err != nil || s["a.b"] != want {
			t.Errorf("%s: got %q, want %q: %v", change, s["a.b"], want, err)
		}
	}
}

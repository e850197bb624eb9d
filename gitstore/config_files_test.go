package gitstore

import (
	"context"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
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
			r := &Repo{top: w.dir, gitDir: filepath.Join(w.dir, ".git"), commonDir: filepath.Join(w.dir, ".git")}
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
			want, err := r.askSettings(context.Background())
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
	for _, arg := range safeConfig {
		if name, _, ok := strings.Cut(arg, "="); ok && strings.EqualFold(name, key) {
			return true
		}
	}
	return false
}

// Variables that set keys, and those that name other files.
func TestSettingsHonourVariables(t *testing.T) {
	w := newWorld(t).init("")
	r := &Repo{top: w.dir, gitDir: filepath.Join(w.dir, ".git"), commonDir: filepath.Join(w.dir, ".git")}
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

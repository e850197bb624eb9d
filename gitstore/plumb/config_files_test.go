package plumb

import (
	"context"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cp-memory/cp/testdata/gitscene"
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
			dir := newRepository(t)
			g := NewGit(dir, filepath.Join(dir, ".git"), filepath.Join(dir, ".git"))
			if err := os.WriteFile(filepath.Join(os.Getenv("HOME"), ".gitconfig"), []byte(row.text), 0o666); err != nil {
				t.Fatal(err)
			}
			got, ok := g.readSettings()
			gitscene.Placed(t, SystemDir())
			if ok != row.plain {
				t.Fatalf("plain: got %v", ok)
			}
			want, _, err := g.askSettings(context.Background())
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
	dir := newRepository(t)
	g := NewGit(dir, filepath.Join(dir, ".git"), filepath.Join(dir, ".git"))
	gitscene.Placed(t, SystemDir())
	other := filepath.Join(t.TempDir(), "other")
	if err := os.WriteFile(other, []byte("[user]\nname = Other\n[a]\nb = c\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	t.Setenv("GIT_CONFIG_GLOBAL", other)
	if s, ok := g.readSettings(); !ok || s["a.b"] != "c" || s["user.name"] != "Pat" {
		t.Errorf("GIT_CONFIG_GLOBAL: %v, %q", ok, s)
	}
	t.Setenv("GIT_CONFIG_COUNT", "1")
	if _, ok := g.readSettings(); ok {
		t.Error("GIT_CONFIG_COUNT is left to git")
	}
}

// newRepository makes a repository with a person in it, and a home of its own.
func newRepository(t *testing.T) (dir string) {
	t.Helper()
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("XDG_CONFIG_HOME", filepath.Join(home, "config"))
	t.Setenv("GIT_CONFIG_NOSYSTEM", "1")
	dir = t.TempDir()
	for _, args := range [][]string{{"init", "-q", dir}, {"-C", dir, "config", "user.name", "Pat"}, {"-C", dir, "config", "user.email", "pat@example.org"}} {
		if out, err := exec.Command("git", args...).CombinedOutput(); err != nil {
			t.Fatalf("git %s: %v\n%s", args, err, out)
		}
	}
	return dir
}

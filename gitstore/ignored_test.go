package gitstore

import (
	"os"
	"path/filepath"
	"testing"
)

// TestTrackedByIndexOrHead asks for files and folders in every kind of index.
func TestTrackedByIndexOrHead(t *testing.T) {
	for _, row := range []struct{ name, do string }{
		{"plain", ""},
		{"names cut short", "git update-index --index-version 4"},
		{"split", "git update-index --split-index"},
		{"a conflict", "git checkout -q -b other && echo 1 >kept.md && git commit -qam 1 && git checkout -q - && echo 2 >kept.md && git commit -qam 2 && ! git merge -q other"},
	} {
		t.Run(row.name, func(t *testing.T) {
			w := newWorld(t).init("")
			w.sh(`mkdir -p private/deep && echo x | tee private/deep/kept.md kept.md left.md new.md && git add -f private kept.md left.md && git commit -qm x`)
			w.sh("git add -f new.md && git rm -q --cached left.md")
			if row.do != "" {
				if row.name == "a conflict" {
					w.sh("git reset -q")
				}
				w.sh(row.do)
			}
			repo, _ := w.open(false)
			has, done := repo.AskTracked(t.Context())
			defer done()
			for _, ask := range []struct {
				name         string
				folder, want bool
			}{
				{"kept.md", false, true}, {"left.md", false, true}, {"new.md", false, row.name != "a conflict"}, {"none.md", false, false},
				{"private", true, true}, {"private/deep", true, true}, {"private/dee", true, false}, {"private/deep/kept.md", false, true}, {"priv", true, false},
			} {
				if got := has(ask.name, ask.folder); got != ask.want {
					t.Errorf("%s: got %v", ask.name, got)
				}
			}
		})
	}
}

// TestExcludesAreThoseOfGit names the person's ignore file in the ways that git reads.
func TestExcludesAreThoseOfGit(t *testing.T) {
	w := newWorld(t).init("")
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("XDG_CONFIG_HOME", "")
	for _, name := range []string{"GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM"} {
		t.Setenv(name, "") // so that it comes back
		os.Unsetenv(name)
	}
	write := func(name, text string) {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(home, name)), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(home, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	personal := func() string {
		repo, _ := w.open(false)
		_, texts, err := repo.Excludes(t.Context())
		if err != nil || len(texts) != 2 {
			t.Fatal(texts, err)
		}
		return string(texts[0])
	}
	if got := personal(); got != "" {
		t.Errorf("without one: %q", got)
	}
	write(".config/git/ignore", "usual")
	if got := personal(); got != "usual" {
		t.Errorf("in its usual place: %q", got)
	}
	write("mine", "mine")
	write(".gitconfig", "[core]\n\texcludesFile = ~/mine\n")
	if got := personal(); got != "mine" {
		t.Errorf("named: %q", got)
	}
	write("more", "[core]\n\texcludesfile = ~/mine\n")
	write(".gitconfig", "[include]\n\tpath = more\n")
	if got := personal(); got != "mine" {
		t.Errorf("named by a file that is included: %q", got)
	}
	write("more", "[user]\n\tname = ann\n")
	if got := personal(); got != "usual" {
		t.Errorf("in its usual place, with a file that is included: %q", got)
	}
	w.sh("git config core.excludesFile " + filepath.Join(home, "mine"))
	if got := personal(); got != "mine" {
		t.Errorf("named in the repository: %q", got)
	}
}

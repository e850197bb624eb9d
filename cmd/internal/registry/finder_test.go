package registry

import (
	"context"
	"errors"
	"github.com/cp-memory/cp/vault/family"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cp-memory/cp/cmd/internal/app"
	"github.com/cp-memory/cp/cmd/internal/settings"
)

// machine is a home with folders beside it, in which a finder looks.
type machine struct {
	*testing.T
	dir string
	*Finder
}

func newMachine(t *testing.T) *machine {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	m := &machine{T: t, dir: dir}
	home := filepath.Join(dir, "home")
	m.Finder = New(&app.App{Dir: dir, Now: time.Now, Git: m.git, Env: func(name string) string {
		if name == "HOME" {
			return home
		}
		return ""
	}, Tracked: m.tracks, IgnoredFolders: m.ignores, Wire: func(context.Context, settings.Settings) (app.Opened, error) {
		return app.Opened{}, errors.New("no vault opens here")
	}}, About{})
	return m
}

// git runs it as the program does.
func (m *machine) git(ctx context.Context, dir string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "git", append([]string{"--literal-pathspecs", "-c", "user.name=P", "-c", "user.email=p@e", "-c", "protocol.file.allow=always"}, args...)...)
	cmd.Dir = dir
	out, err := cmd.Output()
	return string(out), err
}

// tracks asks git for what the program reads in git's index.
func (m *machine) tracks(ctx context.Context, dir, ending string) (folders []string, err error) {
	out, err := m.git(ctx, dir, "ls-files", "-z")
	for _, name := range strings.Split(out, "\x00") {
		if folder, ok := strings.CutSuffix(name, "/"+ending); ok {
			folders = append(folders, filepath.Join(dir, folder))
		}
	}
	return folders, err
}

// ignores asks git for what the program finds by the rules.
func (m *machine) ignores(ctx context.Context, top string) (func(string) string, error) {
	_, err := m.App.Git(ctx, top, "rev-parse", "--git-dir")
	return func(dir string) (within string) {
		for at := dir; at != top; at = filepath.Dir(at) {
			if _, err := m.git(ctx, top, "--no-literal-pathspecs", "check-ignore", "-q", "--no-index", "--", at); err == nil {
				within = at
			}
		}
		return within
	}, err
}

// must runs git in a folder of the machine.
func (m *machine) must(dir string, args ...string) {
	m.Helper()
	if out, err := m.git(m.Context(), filepath.Join(m.dir, dir), args...); err != nil {
		m.Fatalf("git %s: %v\n%s", args, err, out)
	}
}

// vault makes a folder one, and returns its path.
func (m *machine) vault(path string) string {
	m.Helper()
	m.write(path+"/.cp/vault.yaml", "format: 1\nproject: "+filepath.Base(path)+"\nprefix: pf\n")
	return filepath.Join(m.dir, path)
}

func (m *machine) write(path, text string) {
	m.Helper()
	path = filepath.Join(m.dir, path)
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o644)); err != nil {
		m.Fatal(err)
	}
}

// at returns the settings of a vault, with the list of projects or without it.
func (m *machine) at(root string, listed bool) settings.Settings {
	s, err := m.Load(root, settings.Settings{})
	if err != nil {
		m.Fatal(err)
	}
	if s.Families.Registry = ""; listed {
		s.Families.Registry = filepath.Join(m.dir, "home/.cp/projects.yaml")
	}
	return s
}

func paths(all []family.Project) (out []string) {
	for _, p := range all {
		out = append(out, p.Path)
	}
	slices.Sort(out)
	return out
}

// What stands apart, and why. Everything else joins the families above it.
func TestApart(t *testing.T) {
	m := newMachine(t)
	for _, repo := range []string{"repo", "ignored/own", "module"} {
		m.write(repo+"/main.go", "package main\n")
		m.must(repo, "init", "-q")
		m.must(repo, "add", "-A")
		m.must(repo, "commit", "-qm", "code")
	}
	m.must("repo", "submodule", "add", "-q", filepath.Join(m.dir, "module"), "mod")
	m.write("repo/.gitignore", "vendor/\nbuild\n")
	m.write("repo/vendor/cloned/main.go", "package main\n")
	m.must("repo/vendor/cloned", "init", "-q")
	m.must("repo", "worktree", "add", "-q", "build/tree")
	for path, want := range map[string]string{
		"plain": "", "repo/memory": "", "repo/src/lib": "", "repo/a[b]*": "",
		"repo/vendor/lib": "git ignores its folder", "repo/vendor/cloned": "git ignores its folder", "repo/vendor/cloned/sub": "git ignores its folder",
		"repo/mod": "it is a submodule", "repo/mod/sub": "it is a submodule",
		"repo/build/tree": "", "repo/build/tree/src": "", // a work tree of the same repository, wherever it lies
	} {
		root := m.vault(path)
		if got, _ := m.whyApart(t.Context(), root, root); got != want {
			t.Errorf("%s: got %q, want %q", path, got, want)
		}
	}
	if os.Geteuid() == 0 {
		other := m.vault("theirs")
		if err := os.Chown(filepath.Join(other, ".cp/vault.yaml"), 65534, 65534); err != nil {
			t.Fatal(err)
		}
		if got, _ := m.whyApart(t.Context(), other, other); got != "its files are another user's" {
			t.Errorf("of another user: %q", got)
		}
	}
	m.App.Git = func(context.Context, string, ...string) (string, error) { return "", errors.New("no git here") }
	m.Finder = New(m.App, About{})
	root := filepath.Join(m.dir, "repo/src/lib")
	if got, _ := m.whyApart(t.Context(), root, root); got == "" {
		t.Error("where git cannot say, a folder joins")
	}
}

// Without a list the vaults below are looked for; with one they are on it. Neither has the
// same vault twice.
func TestKnown(t *testing.T) {
	m := newMachine(t)
	top, low := m.vault("p/top"), m.vault("p/top/a/low")
	m.vault("p/top/node_modules/x")
	m.vault("p/beside")
	s := m.at(top, false)
	if got := paths(m.FindKnown(s).Projects); !slices.Equal(got, []string{top, low}) {
		t.Errorf("by a walk: %v", got)
	}
	s = m.at(top, true)
	m.NoteSeen(t.Context(), s)
	if got := paths(m.FindKnown(m.at(low, true)).Projects); !slices.Equal(got, []string{low}) {
		t.Errorf("before the list is read again: %v", got)
	}
	again := New(m.App, About{})
	if got := paths(again.FindKnown(m.at(low, true)).Projects); !slices.Equal(got, []string{top, low}) {
		t.Errorf("by the list: %v", got)
	}
	if l := (Registry{Path: s.Families.Registry}).Read(); len(l.Entries) != 1 || l.Entries[0].Name != "top" {
		t.Errorf("the list: %+v", l)
	}
}

// A walk is bounded, and finds what lies higher first.
func TestWalkIsBounded(t *testing.T) {
	m := newMachine(t)
	m.vault("p/a/deep/er")
	high := m.vault("p/z")
	if got := walk(filepath.Join(m.dir, "p"), 3); !slices.Equal(got, []string{high}) {
		t.Errorf("three folders: %v", got)
	}
	if got := walk(filepath.Join(m.dir, "p"), maxWalk); len(got) != 2 {
		t.Errorf("all: %v", got)
	}
}

// What git tracks below a project is in its family without a list of projects, and what has come
// to stand apart since it was noted does so with the next question.
func TestAFamilyNeedsNoList(t *testing.T) {
	m := newMachine(t)
	top, low, deep := m.vault("repo"), m.vault("repo/pkg/low"), m.vault("repo/pkg/low/deep")
	m.vault("repo/pkg/untracked")
	m.must("repo", "init", "-q")
	m.must("repo", "add", ".cp", "pkg/low")
	family := func() []string {
		f := New(m.App, About{})
		k := f.FindKnown(m.at(top, true))
		return paths(k.Others(k.Here, f.Standing(t.Context(), Reachable(k.Near(k.Here, false))), false))
	}
	if got := family(); !slices.Equal(got, []string{low, deep}) {
		t.Errorf("tracked: got %q", got)
	}
	m.write("home/.cp/projects.yaml", "projects:\n- {\"path\": \""+low+"\", \"name\": \"low\", \"vault\": \""+low+"\"}\n")
	if got := family(); !slices.Equal(got, []string{low, deep}) {
		t.Errorf("one of them on the list: got %q", got)
	}
	m.write("repo/.gitignore", "deep/\n")
	if got := family(); !slices.Equal(got, []string{low}) {
		t.Errorf("ignored since: got %q", got)
	}
	m.write("repo/.gitignore", "")
	if os.Geteuid() == 0 {
		if err := os.Chown(filepath.Join(low, ".cp/vault.yaml"), 65534, 65534); err != nil {
			t.Fatal(err)
		}
		if got := family(); len(got) != 0 { // what lies in it as well
			t.Errorf("another user's since: got %q", got)
		}
		_ = os.Chown(filepath.Join(low, ".cp/vault.yaml"), 0, 0)
	}
	if err := os.Remove(filepath.Join(deep, ".cp/vault.yaml")); err != nil {
		t.Fatal(err)
	}
	if got := family(); !slices.Equal(got, []string{low}) {
		t.Errorf("tracked and not there: got %q", got)
	}
}

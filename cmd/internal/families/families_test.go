package families

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cp-memory/cp/cmd/internal/app"
	"github.com/cp-memory/cp/cmd/internal/registry"
	"github.com/cp-memory/cp/cmd/internal/settings"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/family"
)

// machine is a home with folders beside it, in which a finder looks.
type machine struct {
	*testing.T
	dir string
	Finder
}

func newMachine(t *testing.T) *machine {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	m := &machine{T: t, dir: dir}
	home := filepath.Join(dir, "home")
	m.App = &app.App{Dir: dir, Now: time.Now, Git: m.git, Env: func(name string) string {
		if name == "HOME" {
			return home
		}
		return ""
	}, Wire: func(context.Context, settings.Settings) (app.Opened, error) {
		return app.Opened{}, errors.New("no vault opens here")
	}}
	return m
}

// git runs it as the program does.
func (m *machine) git(ctx context.Context, dir string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "git", append([]string{"--literal-pathspecs", "-c", "user.name=P", "-c", "user.email=p@e", "-c", "protocol.file.allow=always"}, args...)...)
	cmd.Dir = dir
	out, err := cmd.Output()
	return string(out), err
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
	s, err := m.load(root, settings.Settings{})
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
		if got := m.apart(t.Context(), root, root); got != want {
			t.Errorf("%s: got %q, want %q", path, got, want)
		}
	}
	if os.Geteuid() == 0 {
		other := m.vault("theirs")
		if err := os.Chown(filepath.Join(other, ".cp/vault.yaml"), 65534, 65534); err != nil {
			t.Fatal(err)
		}
		if got := m.apart(t.Context(), other, other); got != "its files are another user's" {
			t.Errorf("of another user: %q", got)
		}
	}
	m.App.Git = func(context.Context, string, ...string) (string, error) { return "", errors.New("no git here") }
	root := filepath.Join(m.dir, "repo/src/lib")
	if got := m.apart(t.Context(), root, root); got == "" {
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
	if got := paths(m.Known(s).Projects); !slices.Equal(got, []string{top, low}) {
		t.Errorf("by a walk: %v", got)
	}
	s = m.at(top, true)
	m.Seen(t.Context(), s)
	if got := paths(m.Known(m.at(low, true)).Projects); !slices.Equal(got, []string{low}) {
		t.Errorf("before the list is read again: %v", got)
	}
	again := &Finder{App: m.App}
	if got := paths(again.Known(m.at(low, true)).Projects); !slices.Equal(got, []string{top, low}) {
		t.Errorf("by the list: %v", got)
	}
	if l := (registry.Registry{Path: s.Families.Registry}).Read(); len(l.Entries) != 1 || l.Entries[0].Name != "top" {
		t.Errorf("the list: %+v", l)
	}
}

// The vaults that are opened for a question: those below, those above of the same repository,
// in which a part may lie below, and the global one.
func TestWhoseVaultsAreOpened(t *testing.T) {
	m := newMachine(t)
	for _, path := range []string{"repo", "repo/src/web", "repo/src/web/deep", "else", "global"} {
		m.vault(path)
	}
	m.must("repo", "init", "-q")
	m.must("repo/src/web/deep", "init", "-q")
	k := Known{Here: family.Project{Vault: filepath.Join(m.dir, "repo/src/web")}}
	for _, path := range []string{"repo", "repo/src/web", "repo/src/web/deep", "else", "global"} {
		p := family.Project{Name: filepath.Base(path), Path: filepath.Join(m.dir, path), Vault: filepath.Join(m.dir, path), Global: path == "global"}
		k.Projects = append(k.Projects, p)
	}
	k.Here = k.Projects[1]
	for _, c := range []struct {
		everyone bool
		want     string
	}{{false, "deep global repo"}, {true, "deep else global repo"}} {
		near := reachable(k.near(k.Here, c.everyone))
		var names []string
		for _, p := range k.others(k.Here, near, c.everyone) {
			names = append(names, p.Name)
		}
		if slices.Sort(names); strings.Join(names, " ") != c.want {
			t.Errorf("everyone %v: got %v, want %s", c.everyone, names, c.want)
		}
	}
	alone := Known{Here: k.Projects[3], Projects: k.Projects[:4]}
	if near := alone.near(alone.Here, false); near != nil {
		t.Errorf("who has no family looks at %v", paths(near))
	}
}

// A part with the path of a vault that is there is no project: its memories stay where they are.
func TestPartsAtThePathOfAVault(t *testing.T) {
	m := newMachine(t)
	root, web := m.vault("repo"), m.vault("repo/web")
	of := func(name, path, part string) family.Project {
		return family.Project{Name: name, Path: path, Vault: root, Part: part, Folder: strings.TrimSuffix(part, ".md")}
	}
	whole := family.Project{Name: "repo", Path: root, Vault: root}
	all := []family.Project{whole, of("web", web, "web.md"), of("api", root+"/api", "api.md"), of("twin", root+"/api", "twin.md"), of("gone", root+"/gone", "gone.md")}
	k := Known{Here: whole, Projects: []family.Project{whole, {Name: "web", Path: web, Vault: web}, {Name: "gone", Path: root + "/gone", Vault: root + "/gone"}}}
	held := all
	k.dissolve(&held)
	var names []string
	for _, p := range held {
		names = append(names, p.Name)
	}
	if !slices.Equal(names, []string{"repo", "api", "gone"}) {
		t.Errorf("left are %v", names)
	}
	if len(all) != 5 || all[1].Name != "web" {
		t.Error("the list that was given has changed")
	}
	found := clashing(k, all)
	if len(found) != 2 || !strings.Contains(found[0].Evidence, "twin") || !strings.Contains(found[1].Evidence, web) || found[0].Fix == "" {
		t.Errorf("doctor says %+v", found)
	}
}

// What is not there, and what is and may not be used.
func TestReach(t *testing.T) {
	m := newMachine(t)
	good := m.vault("good")
	m.write("file", "")
	m.write("linked/.cp/real.yaml", "")
	if err := os.Symlink("real.yaml", filepath.Join(m.dir, "linked/.cp/vault.yaml")); err != nil {
		t.Fatal(err)
	}
	var all []family.Project
	for _, path := range []string{good, m.dir + "/gone", m.dir + "/file", m.dir + "/linked", m.dir} {
		all = append(all, family.Project{Vault: path})
	}
	got := reach(all)
	if got[0] != nil || got[1] != errGone || got[2] != errGone || got[3] == nil || got[3] == errGone || got[4] != errGone {
		t.Errorf("got %v", got)
	}
	if len(reach(nil)) != 0 || len(reachable(all)) != 1 {
		t.Errorf("reachable: %v", reachable(all))
	}
}

// looks counts the looks at a disk.
type looks struct {
	vault.Refresher
	n int
}

func (l *looks) CatchUp(context.Context, vault.Source, vault.Scope) (vault.Report, error) {
	l.n++
	return vault.Report{Files: l.n}, nil
}

// A vault that was looked at for a question is not looked at once more by it; by what follows
// it is, and by what looks at more.
func TestOneLookAtEachVault(t *testing.T) {
	whole, top, facts := vault.Scope{}, vault.Scope{Shallow: true}, vault.Scope{Each: true}
	for _, c := range []struct {
		name  string
		first vault.Scope
		then  []vault.Scope
		looks int
	}{
		{"the same", whole, []vault.Scope{whole}, 0},
		{"twice", whole, []vault.Scope{whole, whole}, 1},
		{"a folder of it", whole, []vault.Scope{{Dir: "a"}}, 0},
		{"its top", whole, []vault.Scope{top}, 0},
		{"each file of facts", whole, []vault.Scope{facts, whole}, 1},
		{"named files", whole, []vault.Scope{{Paths: []vault.Path{"a.md"}}}, 1},
		{"more than the top", top, []vault.Scope{whole, top}, 1},
		{"a folder beside the top", top, []vault.Scope{{Dir: "a", Shallow: true}}, 1},
	} {
		disk := &looks{}
		f := &fresh{Refresher: disk, scope: c.first, report: vault.Report{Files: 100}}
		for _, scope := range c.then {
			if _, err := f.CatchUp(t.Context(), vault.Source{}, scope); err != nil {
				t.Fatal(err)
			}
		}
		if disk.n != c.looks {
			t.Errorf("%s: %d looks, want %d", c.name, disk.n, c.looks)
		}
	}
}

// Names, paths in any form, and what is none.
func TestNamed(t *testing.T) {
	m := newMachine(t)
	a, b := m.vault("a/app"), m.vault("b/app")
	if err := os.Symlink("a", filepath.Join(m.dir, "link")); err != nil {
		t.Fatal(err)
	}
	s := m.at(a, true)
	m.Seen(t.Context(), m.at(b, true))
	f := &Finder{App: m.App}
	for ref, want := range map[string]string{
		a: a, a + "/": a, "a/app": a, "./b/app": b, "link/app": a, "link/../b/app/.": b, b + "//": b,
	} {
		if p, err := f.Named(t.Context(), s, ref); err != nil || p.Path != want {
			t.Errorf("%s: got %q, %v", ref, p.Path, err)
		}
	}
	if _, err := f.Named(t.Context(), s, "app"); vault.CodeOf(err) != vault.CodeAmbiguous || !strings.Contains(err.Error(), a+", "+b) {
		t.Errorf("two of a name: %v", err)
	}
	if _, err := f.Named(t.Context(), s, a+"2"); vault.CodeOf(err) != vault.CodeNotFound {
		t.Errorf("a path that is none: %v", err)
	}
}

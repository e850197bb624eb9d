package registry

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/family"
)

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
		near := Reachable(k.Near(k.Here, c.everyone))
		var names []string
		for _, p := range k.Others(k.Here, near, c.everyone) {
			names = append(names, p.Name)
		}
		if slices.Sort(names); strings.Join(names, " ") != c.want {
			t.Errorf("everyone %v: got %v, want %s", c.everyone, names, c.want)
		}
	}
	alone := Known{Here: k.Projects[3], Projects: k.Projects[:4]}
	if near := alone.Near(alone.Here, false); near != nil {
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
	k.Dissolve(&held)
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
	got := probeAll(all)
	if got[0] != nil || got[1] != errGone || got[2] != errGone || got[3] == nil || got[3] == errGone || got[4] != errGone {
		t.Errorf("got %v", got)
	}
	if len(probeAll(nil)) != 0 || len(Reachable(all)) != 1 {
		t.Errorf("reachable: %v", Reachable(all))
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
	m.NoteSeen(t.Context(), m.at(b, true))
	f := New(m.App, About{})
	for ref, want := range map[string]string{
		a: a, a + "/": a, "a/app": a, "./b/app": b, "link/app": a, "link/../b/app/.": b, b + "//": b,
	} {
		if p, err := f.FindProject(t.Context(), s, ref); err != nil || p.Path != want {
			t.Errorf("%s: got %q, %v", ref, p.Path, err)
		}
	}
	if _, err := f.FindProject(t.Context(), s, "app"); vault.CodeOf(err) != vault.CodeAmbiguous || !strings.Contains(err.Error(), a+", "+b) {
		t.Errorf("two of a name: %v", err)
	}
	if _, err := f.FindProject(t.Context(), s, a+"2"); vault.CodeOf(err) != vault.CodeNotFound {
		t.Errorf("a path that is none: %v", err)
	}
}

package main_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	reconcile "github.com/cp-memory/cp/vault/sync"

	"github.com/cp-memory/cp/vault"
)

// verify checks what was promised.
func (m *team) verify() {
	trees := map[string]bool{}
	for _, c := range m.clones {
		trees[m.git(c.root, "rev-parse", "HEAD^{tree}")] = true
		left, err := c.Sync(m.t.Context(), reconcile.Options{DryRun: true})
		m.check(err)
		if len(left.Discrepancies) > 0 {
			m.t.Errorf("%s: sync still finds %+v", c.name, left.Discrepancies)
		}
		for _, p := range left.Problems {
			m.t.Errorf("%s: %s:%d: %s", c.name, p.Path, p.Line, p.Msg)
		}
		if dirty := m.git(c.root, "status", "--porcelain"); dirty != "" {
			m.t.Errorf("%s: is left with\n%s", c.name, dirty)
		}
	}
	if out, err := m.tryGit(m.clones[0].root, "fsck", "--strict", "--no-dangling"); err != nil {
		m.t.Errorf("fsck: %s", out)
	}
	if len(trees) != 1 {
		m.t.Errorf("the trees differ: %v", trees)
	}
	c := m.clones[0]
	m.complete(c)
	m.pointers(c)
	m.datesStand(c)
	if m.t.Failed() {
		m.t.Log(m.git(c.root, "log", "--graph", "--oneline", "-90", "--name-status"))
	}
}

// complete checks that nothing is lost: what was done to a memory is there,
// unless it was deleted by somebody who knew of that. So an edit wins over a
// deletion, and nothing comes back that was deleted for good reason.
func (m *team) complete(c *clone) {
	texts := map[vault.ID]string{}
	at := map[vault.ID]vault.Path{}
	all := ""
	for _, n := range c.nodes() {
		b, err := os.ReadFile(c.file(n.Path))
		m.check(err)
		texts[n.ID], at[n.ID] = string(b), n.Folder()
		all += string(b)
	}
	for _, e := range c.entries() {
		text, err := os.ReadFile(c.file(e.Path))
		m.check(err)
		texts[e.ID] = string(text)
		all += string(text)
	}
	files := m.attachments(c)
	for i, d := range m.deeds {
		switch {
		case d.deletes != nil || m.deleted(i) && !d.file, m.unsaid[d.word], m.unsaid[string(d.id)+" "+d.word]:
		case d.file:
			m.attached(d, files, at)
		case texts[d.id] == "" && m.overruled(i):
		case texts[d.id] == "" && !m.copied[d.id]:
			m.t.Errorf("%s is lost, with %q", d.id, d.word)
		case !strings.Contains(texts[d.id], d.word) && !(m.copied[d.id] && strings.Contains(all, d.word)):
			m.t.Errorf("%q, put into %s, is lost", d.word, d.id)
		}
	}
}

// deleted reports whether the memory of a deed was deleted by somebody who knew of it.
func (m *team) deleted(i int) bool {
	return slices.ContainsFunc(m.deeds, func(d deed) bool { return d.id == m.deeds[i].id && d.deletes[i] })
}

// overruled reports whether somebody else has set what a deed set: it may have
// left nothing by the time that its memory met a deletion.
func (m *team) overruled(i int) bool {
	d := m.deeds[i]
	for j, other := range m.deeds {
		if j != i && d.key != "" && other.key == d.key && other.id == d.id {
			return true
		}
	}
	return false
}

// files reads what is no memory.
func (m *team) attachments(c *clone) map[vault.Path]string {
	texts := map[vault.Path]string{}
	for name := range strings.Lines(m.git(c.root, "ls-files", "--", "*.txt", "*.bin")) {
		name = strings.TrimSpace(name)
		b, err := os.ReadFile(filepath.Join(c.root, name))
		m.check(err)
		texts[vault.Path(name)] = string(b)
	}
	return texts
}

// attached checks that a file is there, and in the folder of its memory, where
// nobody has deleted that: a deletion leaves files where they are.
func (m *team) attached(d deed, files map[vault.Path]string, at map[vault.ID]vault.Path) {
	var places []vault.Path
	for p, text := range files {
		if strings.Contains(text, d.word) {
			places = append(places, p)
		}
	}
	folder, lives := at[d.id]
	lives = lives && !slices.ContainsFunc(m.deeds, func(other deed) bool { return other.id == d.id && other.deletes != nil })
	switch {
	case len(places) == 0:
		m.t.Errorf("%q, in a file below %s, is lost", d.word, d.id)
	case lives && !m.copied[d.id] && !slices.ContainsFunc(places, func(p vault.Path) bool { return p.Within(folder) }):
		m.t.Errorf("%q, in a file below %s in %s, is in %s", d.word, d.id, folder, places)
	}
}

// pointers checks that every child has one.
func (m *team) pointers(c *clone) {
	m.check(c.View(m.t.Context(), vault.Scope{}, func(t vault.Tree) error {
		return t.Parents(m.t.Context(), "", func(f vault.Family) error {
			var points, children []string
			for _, e := range f.Entries {
				points = append(points, e.ID)
			}
			for _, n := range f.Children {
				children = append(children, string(n.ID))
			}
			slices.Sort(points)
			slices.Sort(children)
			if !slices.Equal(points, children) {
				m.t.Errorf("%s points to %q and has %q", f.Parent.Path, points, children)
			}
			return nil
		})
	}))
}

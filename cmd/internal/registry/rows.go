package registry

import (
	"context"
	"errors"
	"slices"

	"github.com/cp-memory/cp/cmd/internal/settings"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/family"
)

// Row is a project as a list shows it.
type Row struct {
	Name     string   `json:"name"`
	Path     string   `json:"path"`
	Vault    string   `json:"vault"`
	Part     string   `json:"part,omitempty"` // the memory whose subtree it is
	Parent   string   `json:"parent"`         // the path of the parent; empty for a topmost one
	Level    int      `json:"level"`
	Family   []string `json:"family"` // the paths of those that answer with it, itself first
	Current  bool     `json:"current,omitempty"`
	Global   bool     `json:"global,omitempty"`
	Apart    string   `json:"apart,omitempty"`  // why it joins no family above
	Within   string   `json:"within,omitempty"` // with Apart: the folder that stands apart with all in it
	Seen     string   `json:"last_seen,omitempty"`
	Gone     bool     `json:"gone,omitempty"`     // there is no vault any more
	Memories *int     `json:"memories,omitempty"` // its own; with counts
	Total    *int     `json:"total,omitempty"`    // with those of its family
}

// Listed are the projects of a machine.
type Listed struct {
	Rows     []Row
	Warnings []string
}

// List returns all projects in the order of a tree. With counts it opens each vault; the
// parts of vaults are then among them, and without only those of the current vault.
func (f *Finder) List(ctx context.Context, s settings.Settings, counts bool) (Listed, error) {
	k := f.withHere(ctx, f.FindKnown(s), s)
	l := f.readRegistry(s)
	out := Listed{Rows: []Row{}, Warnings: k.Warnings}
	var there, silent, gone []family.Project
	for i, err := range probeAll(k.Projects) {
		switch p := k.Projects[i]; {
		case err == nil:
			there = append(there, p)
		case errors.Is(err, errGone):
			gone = append(gone, p)
		default:
			silent = append(silent, p)
			out.Warnings = append(out.Warnings, Unavailable(p, err))
		}
	}
	there = f.Standing(ctx, there)
	var memories map[string]int // by path
	if counts {
		there, memories = f.countMemories(ctx, s, k, there, &out)
	} else {
		there = append(there, f.partsHere(ctx, s, k)...)
	}
	out.rows(f, s, k, there, memories)
	for _, p := range silent {
		r := makeRow(family.Placed{Project: p}, l)
		out.Rows = append(out.Rows, r)
	}
	var roots []string
	for _, p := range gone {
		r := makeRow(family.Placed{Project: p}, l)
		r.Gone, r.Family = true, []string{}
		out.Rows, roots = append(out.Rows, r), append(roots, p.Vault)
	}
	f.markGone(s, roots, f.today())
	return out, nil
}

// rows adds those of projects that are there, as a tree; memories are counted by path, or nil.
func (out *Listed) rows(f *Finder, s settings.Settings, k Known, there []family.Project, memories map[string]int) {
	l := f.readRegistry(s)
	current := f.AboutProject(k, slices.DeleteFunc(slices.Clone(there), func(p family.Project) bool { return p.Vault != s.Root }))
	for _, p := range k.Rules.Tree(WithTrees(there)) {
		r := makeRow(p, l)
		r.Current = current.Vault != "" && p.Vault == current.Vault && p.Part == current.Part
		if own, known := memories[projectKey(p.Project)]; known {
			total := 0
			for _, path := range r.Family {
				total += memories[path]
			}
			r.Memories, r.Total = &own, &total
		}
		out.Rows = append(out.Rows, r)
	}
}

func makeRow(p family.Placed, l List) Row {
	r := Row{Name: p.Name, Path: p.Path, Vault: p.Vault, Part: p.Part, Parent: p.Parent, Level: p.Level, Global: p.Global, Apart: p.Apart, Within: p.Within, Family: append([]string{p.Path}, p.Below...)}
	if e := l.Of(p.Vault); e != nil && p.IsVault() {
		r.Seen = e.Seen
	}
	return r
}

// partsHere returns the parts of the current vault that are projects. One that cannot be read
// has none: the list is not about it.
func (f *Finder) partsHere(ctx context.Context, s settings.Settings, k Known) []family.Project {
	if s.Root == "" {
		return nil
	}
	m, err := f.MemberOf(ctx, s, k.Here, vault.Scope{})
	if err != nil {
		f.App.Debugf("%s: %v", s.Root, err)
		return nil
	}
	defer f.App.Close(m.Session)
	k.Dissolve(&m.Held)
	return m.Held[1:]
}

func projectKey(p family.Project) string { return p.Path }

// countMemories opens each vault and counts the memories of each project, at most atOnce at a time.
func (f *Finder) countMemories(ctx context.Context, s settings.Settings, k Known, vaults []family.Project, out *Listed) (all []family.Project, memories map[string]int) {
	held, counts, failed := make([][]family.Project, len(vaults)), make([][]int, len(vaults)), make([]error, len(vaults))
	SideBySide(len(vaults), func(i int) {
		m, err := f.MemberOf(ctx, s, vaults[i], vault.Scope{})
		if err == nil {
			counts[i], err = m.CountMemories(ctx)
			held[i] = m.Held
			f.App.Close(m.Session)
		}
		failed[i] = err
	})
	left := make([]*[]family.Project, len(vaults))
	for i := range held {
		of := held[i]
		left[i] = &of
	}
	k.Dissolve(left...)
	memories = map[string]int{}
	for i, p := range vaults {
		all = append(all, p)
		if failed[i] != nil {
			out.Warnings = append(out.Warnings, Unavailable(p, failed[i]))
			continue
		}
		all = append(all, (*left[i])[1:]...)
		for j, h := range held[i] {
			if in, ok := family.Holding(*left[i], string(h.Part)); ok {
				memories[in.Path] += counts[i][j]
			}
		}
	}
	return all, memories
}

// CountMemories returns how many memories of the tree each of the projects holds by itself.
func (m Member) CountMemories(ctx context.Context) (counts []int, err error) {
	err = m.View(ctx, vault.Scope{}, func(t vault.Tree) error {
		for _, p := range m.Held {
			o := vault.ListOptions{Status: []string{"*"}, Limit: 1, Share: family.ShareOf([]family.Project{p}, m.Held)}
			_, n, err := t.List(ctx, o)
			if err != nil {
				return err
			}
			counts = append(counts, n)
		}
		return nil
	})
	return counts, err
}

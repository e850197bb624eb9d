package families

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"github.com/cp-memory/cp/cmd/internal/registry"
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
	Apart    string   `json:"apart,omitempty"` // why it joins no family above
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
	k := f.Known(s)
	l := f.read(s)
	out := Listed{Rows: []Row{}, Warnings: k.Warnings}
	memories := map[string]int{} // by path
	all := k.Projects
	if counts {
		all, memories = f.counted(ctx, s, k, &out)
	}
	var there, gone []family.Project
	for _, p := range all {
		if alive(p) {
			there = append(there, p)
		} else {
			gone = append(gone, p)
		}
	}
	for _, p := range k.Rules.Tree(withTrees(there)) {
		r := row(p, l)
		r.Current = s.Root != "" && p.Vault == s.Root && p.Whole()
		if counts {
			own, total := memories[key(p.Project)], 0
			for _, path := range r.Family {
				total += memories[path]
			}
			if !p.Whole() && slices.ContainsFunc(there, func(o family.Project) bool { return o.Whole() && o.Path == p.Path }) {
				total = own
			}
			r.Memories, r.Total = &own, &total
		}
		out.Rows = append(out.Rows, r)
	}
	for _, p := range gone {
		r := row(family.Placed{Project: p}, l)
		r.Gone, r.Family = true, []string{}
		out.Rows = append(out.Rows, r)
		if e := l.Of(p.Vault); e != nil && e.Gone == "" {
			f.markGone(s, p.Vault)
		}
	}
	return out, nil
}

func row(p family.Placed, l registry.List) Row {
	r := Row{Name: p.Name, Path: p.Path, Vault: p.Vault, Part: p.Part, Parent: p.Parent, Level: p.Level, Global: p.Global, Apart: p.Apart, Family: append([]string{p.Path}, p.Below...)}
	if e := l.Of(p.Vault); e != nil && p.Whole() {
		r.Seen = e.Seen
	}
	return r
}

func key(p family.Project) string { return p.Path }

// counted opens each vault and counts the memories of each project, at most atOnce at a time.
func (f *Finder) counted(ctx context.Context, s settings.Settings, k Known, out *Listed) (all []family.Project, memories map[string]int) {
	type answer struct {
		held  []family.Project
		count []int
		err   error
	}
	answers := make([]answer, len(k.Projects))
	each(len(k.Projects), func(i int) {
		a := &answers[i]
		if !alive(k.Projects[i]) {
			return
		}
		var m Member
		if m, a.err = f.memberOf(ctx, s, k.Projects[i]); a.err == nil {
			a.count, a.err = m.counts(ctx)
			a.held = m.Held
			f.App.Close(m.Session)
		}
	})
	memories = map[string]int{}
	for i, p := range k.Projects {
		a := answers[i]
		if a.err != nil {
			out.Warnings = append(out.Warnings, fmt.Sprintf("the project %s (%s) does not answer: %v", p.Name, p.Path, a.err))
		}
		all = append(all, p)
		for j, h := range a.held {
			if memories[h.Path] += a.count[j]; j > 0 {
				all = append(all, h)
			}
		}
	}
	return all, memories
}

// counts returns how many memories of the tree each of the projects holds by itself.
func (m Member) counts(ctx context.Context) (counts []int, err error) {
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

// Add registers the vault at a path, or that the folder there names: from then on it is in
// the families above it, whoever its files belong to.
func (f *Finder) Add(ctx context.Context, s settings.Settings, path string) (family.Project, error) {
	as := settings.Absolute(path, f.App.Place())
	if real, err := filepath.EvalSymlinks(as); err == nil {
		as = real
	}
	p, err := f.at(as, s)
	if err != nil {
		return p, err
	}
	if s.Families.Registry == "" {
		return p, off()
	}
	return p, f.note(ctx, s, p, true, settings.LockTimeout)
}

// Scan registers the vaults in a folder and below it, and returns those that are new.
func (f *Finder) Scan(ctx context.Context, s settings.Settings, dir string) (found []family.Project, err error) {
	if s.Families.Registry == "" {
		return nil, off()
	}
	at, err := filepath.EvalSymlinks(settings.Absolute(dir, f.App.Place()))
	if err != nil {
		return nil, vault.Errorf(vault.CodeNotFound, "check the path", "there is no folder %s", dir)
	}
	found = []family.Project{}
	var entries []registry.Entry
	for _, root := range walk(at, scanned) {
		own, err := f.load(root, s)
		if err != nil {
			f.App.Debugf("%s: %v", root, err)
			continue
		}
		p := f.project(own)
		entries = append(entries, registry.Entry{Path: p.Path, Name: p.Name, Vault: p.Vault, Seen: f.App.Now().Format(time.DateOnly), Apart: f.apart(ctx, p.Path, root)})
	}
	err = file(s).Update(settings.LockTimeout, func(l *registry.List) (changed bool) {
		for _, e := range entries {
			if l.Of(e.Vault) == nil {
				found = append(found, ofEntry(e))
			}
			changed = l.Put(e) || changed
		}
		return changed
	})
	return found, err
}

// scanned bounds the folders that Scan looks at.
const scanned = 500_000

// Prune drops the entries whose vaults are gone, and returns them.
func (f *Finder) Prune(s settings.Settings, dry bool) (gone []family.Project, err error) {
	if s.Families.Registry == "" {
		return nil, off()
	}
	gone = []family.Project{}
	err = file(s).Update(settings.LockTimeout, func(l *registry.List) bool {
		was := len(l.Entries)
		kept := l.Entries[:0:0]
		for _, e := range l.Entries {
			if p := ofEntry(e); alive(p) {
				kept = append(kept, e)
			} else {
				gone = append(gone, p)
			}
		}
		if dry {
			return false
		}
		l.Entries = kept
		return len(kept) != was
	})
	return gone, err
}

// markGone notes since when a vault is gone.
func (f *Finder) markGone(s settings.Settings, root string) {
	err := file(s).Update(50*time.Millisecond, func(l *registry.List) bool {
		e := l.Of(root)
		if e == nil || e.Gone != "" {
			return false
		}
		e.Gone = f.App.Now().Format(time.DateOnly)
		return true
	})
	if err != nil {
		f.App.Debugf("the list of projects: %v", err)
	}
}

func off() error {
	return vault.Errorf(vault.CodeConfig, "unset CP_REGISTRY, and take registry: false out of ~/.cp/config.yaml", "the list of projects is switched off")
}

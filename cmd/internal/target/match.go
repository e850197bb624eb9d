package target

import (
	"cmp"
	"context"
	"slices"

	"github.com/cp-memory/cp/cmd/internal/app"
	"github.com/cp-memory/cp/cmd/internal/registry"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/family"
)

// Match is a memory in another vault than the current one, or a folder without one. The vault is
// open.
type Match struct {
	family.Project
	vault.Node
	*app.Session
	Text string // of the file
}

// idOrFolder is the id of the memory, or the folder.
func (m Match) idOrFolder() string { return cmp.Or(string(m.Node.ID), string(m.Node.Path)+"/") }

// lookup finds what ref names in an open vault.
type lookup func(ctx context.Context, s *app.Session, ref string) (vault.Node, error)

// lookup is how what is sought is found in another vault.
func (sought Sought) lookup() lookup {
	if sought == Folder {
		return folderOrMemory
	}
	return locateMemory
}

func locateMemory(ctx context.Context, s *app.Session, ref string) (vault.Node, error) {
	return s.Locate(ctx, ref)
}

// folderOrMemory finds a folder that has no memory yet, or a memory.
func folderOrMemory(ctx context.Context, s *app.Session, ref string) (vault.Node, error) {
	n, dir, err := s.Place(ctx, ref)
	if err == nil && dir != "" {
		n = vault.Node{Path: dir}
	}
	return n, err
}

// matches returns the vaults that have what ref names, in their order, open. The caller closes
// them.
func (t Target) matches(ctx context.Context, all []family.Project, ref string, find lookup) (found []Match) {
	all = registry.Reachable(all)
	at := make([]*Match, len(all))
	registry.SideBySide(len(all), func(i int) { at[i] = t.matchIn(ctx, all[i], ref, find) })
	for _, m := range at {
		if m != nil {
			found = append(found, *m)
		}
	}
	return found
}

// matchIn opens a vault that has what ref names; nil is one that has not, or cannot be opened.
func (t Target) matchIn(ctx context.Context, p family.Project, ref string, find lookup) *Match {
	s, err := t.Find.SessionOf(ctx, t.Settings, p)
	if err != nil {
		return nil
	}
	n, err := find(ctx, s, ref)
	if err != nil {
		t.Find.App.Close(s)
		return nil
	}
	text := []byte(p.Path) // folders are no twins
	if n.ID != "" {
		text, _, _ = s.Store.Read(n.Path)
	}
	return &Match{p, n, s, string(text)}
}

// firstWithPast returns the first vault that once had a memory, open.
func (t Target) firstWithPast(ctx context.Context, all []family.Project, ref string) []Match {
	gone := func(ctx context.Context, s *app.Session, ref string) (vault.Node, error) {
		if !had(ctx, s, ref) {
			return vault.Node{}, vault.Errorf(vault.CodeNotFound, "", "%s was never there", ref)
		}
		return vault.Node{}, nil
	}
	for _, p := range registry.Reachable(all) {
		if m := t.matchIn(ctx, p, ref, gone); m != nil {
			return []Match{*m}
		}
	}
	return nil
}

// findElsewhere finds what ref names in vaults, and leaves none of them open.
func (t Target) findElsewhere(ctx context.Context, all []family.Project, ref string, find lookup) (m Match, ok bool) {
	open := t.matches(ctx, all, ref, find)
	for _, m := range open {
		t.Find.App.Close(m.Session)
	}
	if len(open) == 0 {
		return m, false
	}
	return Distinct(open, ref)[0], true
}

// Distinct leaves of the same memory in several clones the first, and those alone whose id is what
// was typed, if there are any: a title of another vault says less.
func Distinct(all []Match, ref string) (out []Match) {
	for _, m := range all {
		if !slices.ContainsFunc(out, func(o Match) bool { return o.Node.ID == m.Node.ID && o.Text == m.Text }) {
			out = append(out, m)
		}
	}
	named := func(m Match) bool { return m.Node.ID.Fold() == vault.ID(ref).Fold() }
	if slices.ContainsFunc(out, named) {
		out = slices.DeleteFunc(out, func(m Match) bool { return !named(m) })
	}
	return out
}

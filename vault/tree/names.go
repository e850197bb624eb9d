package tree

import (
	"context"
	"slices"
	"strings"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/filename"
	"github.com/cp-memory/cp/vault/prose"
)

// A wikilink by a name is [[pf-7k2m9qx4]], [[The title]], or a path or the end of one:
// [[deploy/rollback]], [[rollback]]. What it means depends on all files, not on the place of
// the text it stands in. So a move can take a name away, and it can give one to another
// file. Such a link is mended to mean what it meant, by as few names of the path as it has now:
//
//	[[rollback]]        deploy/rollback.md > deploy/undo.md    [[undo]]
//	[[rollback]]        deploy/rollback.md > old/rollback.md   as it is
//	[[deploy/rollback]] deploy/rollback.md > old/rollback.md   [[old/rollback]]

// call returns what a wikilink by a name is to say then; see destination.
func (m *Mender) call(ctx context.Context, t linkMoving, raw, name string) (to, shown string, err error) {
	lead := m.known[name]
	if lead.Holds() || m.Made && lead.Is != "" && !(t.fresh && m.came(lead.Is)) {
		return "", "", nil
	}
	names := possibleNames(name, lead)
	if err := m.askNames(ctx, slices.Clone(names)); err != nil {
		return "", "", err
	}
	for _, next := range names {
		if l := m.known[next]; l.Is != lead.Goes || l.IsBy == vault.ByName {
			continue
		}
		if to, ok := prose.Call(raw, next); ok {
			return to, next, nil
		}
	}
	return "", string(lead.Goes.Stem()), nil
}

// learn asks at once what the names in destinations mean.
func (m *Mender) learn(ctx context.Context, raws []string) error {
	var names []string
	for _, raw := range raws {
		if name, ok := prose.WikilinkName(raw); ok {
			names = append(names, name)
		}
	}
	return m.askNames(ctx, names)
}

// askNames asks what names mean that it does not know yet.
func (m *Mender) askNames(ctx context.Context, names []string) error {
	names = slices.DeleteFunc(names, func(name string) bool { _, known := m.known[name]; return known })
	if len(names) == 0 {
		return nil
	}
	if m.known == nil {
		m.known = make(map[string]vault.Lead)
	}
	leads, err := m.Leads(ctx, names)
	for i, l := range leads {
		m.known[names[i]] = l
	}
	return err
}

// came reports whether the file at p moved there.
func (m *Mender) came(p vault.Path) bool {
	return slices.ContainsFunc(m.Moves, func(move FileMove) bool { return p == move.To || move.Tree && p.Within(move.To) })
}

// possibleNames returns how the memory can be called then, in the order of likeness to the present
// name: with as many names of its path, with more, and from the top.
func possibleNames(name string, l vault.Lead) (all []string) {
	path := string(l.Goes.Stem())
	if l.Goes.FolderRank() > 0 && l.Was.FolderRank() > 0 && !ends(string(l.Was.Stem()), name) {
		path = string(l.Goes.Dir())
	}
	parts := strings.Split(path, "/")
	least := min(strings.Count(name, "/")+1, len(parts))
	if l.WasBy == vault.ByTop {
		least = len(parts)
	}
	for n := least; n <= len(parts); n++ {
		all = append(all, strings.Join(parts[len(parts)-n:], "/"))
	}
	return append(all, "/"+path)
}

// ends reports whether a path ends with a name, which may have an ending.
func ends(path, name string) bool {
	name = filename.Fold(string(vault.Path(name).Stem()))
	return strings.HasSuffix("/"+filename.Fold(path), "/"+name)
}

// mendBare returns what a reference of one name without .md is to say then. It is taken for an
// id first; then it names the file of that name in the vault's top folder.
func (m *Mender) mendBare(ctx context.Context, raw, name string) (string, error) {
	err := m.askNames(ctx, []string{name})
	lead := m.known[name]
	if err != nil || lead.WasBy == vault.ByName || string(lead.Was.Home()) != name || lead.Goes == "" || lead.Goes == lead.Was {
		return "", err
	}
	if now := lead.Is; m.Made && now.Dir() == "" && string(now.Stem()) == name {
		return "", nil // another file came to its place
	}
	next := string(lead.Goes.Stem())
	err = m.askNames(ctx, []string{next})
	if l := m.known[next]; l.Is != lead.Goes || l.IsBy == vault.ByName {
		next += ".md"
	}
	return raw[:len(raw)-len(name)] + next, err
}

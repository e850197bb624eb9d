package vault

import (
	"context"

	"github.com/cp-memory/cp/pointer"
)

// planRevive brings a deleted memory back to its place, or the next free one,
// and the pointer to it.
func (v *Vault) planRevive(ctx context.Context, t Tree, r *restoration, out *Restored) (*Change, error) {
	m := Parse(r.path, r.doc)
	*out = Restored{ID: r.id, Title: m.Title, Commit: r.commit, IDs: []ID{r.id}, Left: r.left}
	if n, err := t.Find(ctx, string(r.id)); err == nil && n.ID == r.id {
		return nil, Errorf(CodeConflict, "`cp memory show "+string(r.id)+"` shows it", "%s is there again: %s", r.id, n.Path)
	}
	p, err := v.seat(ctx, r.path)
	if err != nil {
		return nil, err
	}
	out.Path = p
	change := &Change{Verb: "restore", AllowSecret: true, ID: r.id, Title: m.Title, Note: "Deleted in " + short(r.lost) + "."}
	if err := v.reviveBelow(ctx, t, r, p, change, out); err != nil {
		return nil, err
	}
	return change, v.repointRevived(ctx, t, p, m, change, out)
}

// seat returns the path that a file had, or the next free one beside it.
func (v *Vault) seat(ctx context.Context, p Path) (Path, error) {
	spot, err := v.Store.Look(ctx, p)
	if err != nil || !spot.File {
		return p, err
	}
	return v.place(ctx, p.Dir(), p.Stem().Base())
}

// reviveBelow adds the files: the memory and what was deleted below it. Their
// blocks name only who is there.
func (v *Vault) reviveBelow(ctx context.Context, t Tree, r *restoration, p Path, c *Change, out *Restored) error {
	back := map[string]bool{}
	for _, b := range r.below {
		id := Parse(b.path, b.doc).ID
		if n, err := t.Find(ctx, string(id)); id == "" || err == nil && n.ID == id {
			continue
		}
		back[string(id)] = true
		out.IDs = append(out.IDs, id)
	}
	for _, b := range append([]revived{{r.path, r.doc}}, r.below...) {
		m := Parse(b.path, b.doc)
		if b.path != r.path && !back[string(m.ID)] {
			continue
		}
		doc, err := v.pruned(ctx, t, b, m, back)
		if err != nil {
			return err
		}
		to := p
		if b.path != r.path {
			to = p.Stem().Join(string(b.path[len(r.path.Stem())+1:]))
		}
		c.Edits = append(c.Edits, Edit{Path: to, Create: doc})
	}
	return nil
}

// pruned drops from a block who neither comes back nor lives below the memory.
func (v *Vault) pruned(ctx context.Context, t Tree, b revived, m *Memory, back map[string]bool) ([]byte, error) {
	var entries []pointer.Entry
	for _, e := range m.Pointers {
		n, err := t.Find(ctx, e.ID)
		if back[e.ID] || err == nil && string(n.ID) == e.ID && n.Path.Within(b.path.Stem()) {
			entries = append(entries, e)
		}
	}
	if len(entries) == len(m.Pointers) {
		return b.doc, nil
	}
	return ApplySteps([]Step{{Op: OpSetBlock, Entries: entries}}, b.doc)
}

// repointRevived adds the pointer to the memory that stands above it now.
func (v *Vault) repointRevived(ctx context.Context, t Tree, p Path, m *Memory, c *Change, out *Restored) error {
	owner, ok, err := t.Owner(ctx, p.Dir())
	if err != nil || !ok {
		return err
	}
	parent, err := v.pinMemory(ctx, t, string(owner.ID))
	if err != nil {
		return err
	}
	if err := parent.editable(); err != nil {
		return err
	}
	steps, err := v.adopt(ctx, t, parent)
	if err != nil {
		return err
	}
	entry := pointer.Entry{ID: string(m.ID), Title: m.Title, Summary: orElse(m.Summary, Placeholder)}
	out.Parent, _ = idOf(parent)
	c.Edits = append(c.Edits, Edit{Path: parent.Path, Steps: append(steps, Step{Op: OpAddPointer, Entry: &entry}), Adopt: true})
	return nil
}

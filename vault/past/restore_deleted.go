package past

import (
	"cmp"
	"context"

	"github.com/cp-memory/cp/pointer"
	"github.com/cp-memory/cp/vault"
)

// restoreDeleted brings a deleted memory back to its place, or the next free one, and
// the pointer to it.
func (r *restoration) restoreDeleted(ctx context.Context, tx *vault.Tx) (Restored, error) {
	m := vault.Parse(r.path, r.doc)
	out := Restored{ID: r.id, Title: m.Title, Commit: r.commit, IDs: []vault.ID{r.id}, Left: r.left}
	if n, err := tx.Tree().Find(ctx, string(r.id)); err == nil && n.ID.Is(r.id) {
		return out, vault.Errorf(vault.CodeConflict, "`cp memory show "+string(r.id)+"` shows it", "%s is there again: %s", r.id, n.Path)
	}
	var err error
	if out.Path, err = seat(ctx, tx, r.path); err != nil {
		return out, err
	}
	tx.About(r.id, m.Title)
	if r.lost == r.commit {
		tx.Note("The text of " + vault.Short(r.commit) + ", which is not on the branch.")
	} else {
		tx.Note("Deleted in " + vault.Short(r.lost) + ".")
	}
	if err := r.restoreFiles(ctx, tx, &out); err != nil {
		return out, err
	}
	out.Parent, err = repoint(ctx, tx, out.Path, m)
	return out, err
}

// seat returns the path that a file had, or the next free one beside it.
func seat(ctx context.Context, tx *vault.Tx, p vault.Path) (vault.Path, error) {
	there, err := tx.Look(ctx, p)
	if err != nil || !there.File {
		return p, err
	}
	return tx.NewPath(ctx, p.Dir(), p.Stem().Base())
}

// restoreFiles creates the files: the memory and those deleted below it. Their blocks name
// only memories that exist.
func (r *restoration) restoreFiles(ctx context.Context, tx *vault.Tx, out *Restored) error {
	back := map[string]bool{}
	for _, b := range r.below {
		id := vault.Parse(b.path, b.doc).ID
		if n, err := tx.Tree().Find(ctx, string(id)); id == "" || err == nil && n.ID.Is(id) {
			continue
		}
		back[id.Fold()] = true
		out.IDs = append(out.IDs, id)
	}
	for _, b := range r.allDeleted() {
		m := vault.Parse(b.path, b.doc)
		if b.path != r.path && !back[m.ID.Fold()] {
			continue
		}
		doc, err := pruneBlock(ctx, tx, b, m, back)
		if err != nil {
			return err
		}
		to := out.Path
		if b.path != r.path {
			to = to.Stem().Join(string(b.path[len(r.path.Stem())+1:]))
		}
		tx.Create(vault.Node{ID: m.ID, Path: to}, doc)
		facts, err := r.returnFacts(ctx, tx, m.ID)
		if err != nil {
			return err
		}
		out.Facts = out.Facts || facts
	}
	return nil
}

// pruneBlock drops from a block who neither comes back nor lives below the memory.
func pruneBlock(ctx context.Context, tx *vault.Tx, b deleted, m *vault.Memory, back map[string]bool) ([]byte, error) {
	var entries []pointer.Entry
	for _, e := range m.Pointers {
		n, err := tx.Tree().Find(ctx, e.ID)
		if back[pointer.FoldID(e.ID)] || err == nil && e.PointsTo(string(n.ID)) && n.Path.Within(b.path.Stem()) {
			entries = append(entries, e)
		}
	}
	if len(entries) == len(m.Pointers) {
		return b.doc, nil
	}
	return vault.ApplySteps([]vault.Step{{Op: vault.OpSetBlock, Entries: entries}}, b.doc)
}

// repoint adds the pointer to the memory that stands above it now.
func repoint(ctx context.Context, tx *vault.Tx, p vault.Path, m *vault.Memory) (*vault.ID, error) {
	owner, ok, err := tx.Tree().Owner(ctx, p.Dir())
	if err != nil || !ok {
		return nil, err
	}
	parent, err := tx.OpenMemory(ctx, string(owner.ID))
	if err != nil {
		return nil, err
	}
	if err := parent.Editable(); err != nil {
		return nil, err
	}
	entry := pointer.Entry{ID: string(m.ID), Title: m.Title, Summary: cmp.Or(m.Summary, vault.Placeholder)}
	return &parent.ID, tx.AdoptAndEdit(ctx, parent, vault.Step{Op: vault.OpAddPointer, Entry: &entry})
}

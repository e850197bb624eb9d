package vault

import (
	"cmp"
	"context"
	"slices"

	"github.com/cp-memory/cp/pointer"
)

// Amend plans steps on a memory, and carries a changed title or phrase into the
// parent's block. Where nothing would differ it plans nothing, and reports false.
func (tx *Tx) Amend(ctx context.Context, d *Doc, steps ...Step) (changed bool, err error) {
	adopts := d.Mem.ID == "" || d.ID.Provisional()
	if adopts { // first of all: what follows stands below the header that it makes
		if err := tx.Adopt(ctx, d); err != nil {
			return false, err
		}
	}
	after, _, differs, err := d.changes(steps)
	if err != nil {
		return false, err
	}
	parent, entry, err := tx.findStalePointer(ctx, d, after, steps)
	if err != nil || !differs && parent == nil && !adopts {
		return false, err
	}
	if err := tx.AdoptAndEdit(ctx, d, steps...); err != nil {
		return false, err
	}
	if parent != nil {
		if err := tx.Edit(parent, Step{Op: OpSetPointer, Entry: entry}); err != nil {
			return false, err
		}
	}
	tx.About(d.ID, d.Mem.Title)
	return true, nil
}

// AmendWhole amends a file that is committed as it is on disk. Its title and phrase,
// whatever they are, go into the parent's block.
func (tx *Tx) AmendWhole(ctx context.Context, d *Doc, steps ...Step) error {
	if err := tx.CommitWhole(d, steps...); err != nil {
		return err
	}
	tx.About(d.ID, d.Mem.Title)
	parent, entry, err := tx.findStalePointer(ctx, d, d.Mem, nil)
	if err == nil && parent != nil {
		err = tx.Edit(parent, Step{Op: OpSetPointer, Entry: entry})
	}
	return err
}

// findStalePointer returns the parent whose block has to take over a changed title or phrase, and
// the entry. It returns nil if the block says it already or there is no pointer to change.
// It takes over only what the steps change: other text a person may have typed, and that
// is for sync. Without steps it takes over what is committed.
func (tx *Tx) findStalePointer(ctx context.Context, d *Doc, after *Memory, steps []Step) (*Doc, *pointer.Entry, error) {
	parent, err := tx.Parent(ctx, d)
	if err != nil || parent == nil || parent.Mem.Header.Quiet() || parent.Editable() != nil {
		return nil, nil, err
	}
	e, ok := parent.Entry(d.ID)
	want := pointer.Entry{ID: string(d.ID), Title: after.Title, Summary: cmp.Or(after.Summary, cmp.Or(e.Summary, Placeholder)), Extra: e.Extra}
	typed := func(key string) bool {
		return ok && steps != nil && !slices.ContainsFunc(steps, func(s Step) bool { return s.Key == key })
	}
	if typed("title") && after.Title == d.Mem.Title {
		want.Title = e.Title
	}
	if typed("summary") && after.Summary == d.Mem.Summary {
		want.Summary = e.Summary
	}
	if ok && e.Title == want.Title && e.Summary == want.Summary {
		return nil, nil, nil
	}
	return parent, &want, nil
}

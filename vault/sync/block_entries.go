package sync

import (
	"cmp"
	"math"
	"slices"

	"github.com/cp-memory/cp/pointer"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/header"
)

// present goes through the entries of the block.
func (f *family) present() error {
	for _, e := range f.before {
		child, ok := f.children[pointer.Fold(e.ID)]
		if ok {
			if err := f.compare(e, child); err != nil {
				return err
			}
			continue
		}
		switch stays, err := f.stays(vault.ID(e.ID)); {
		case err != nil:
			return err
		case stays:
			f.keep(e)
		default:
			if err := f.stale(e); err != nil {
				return err
			}
		}
	}
	return nil
}

// stale takes out an entry without a child. What a person typed in it goes into the history
// first; where that cannot be, the commit's message keeps it.
func (f *family) stale(e pointer.Entry) error {
	said, listed, err := f.typed(e)
	if f.file(f.was(f.Parent.Path)).head == nil && e.Summary != vault.Placeholder { // the commit that adopts the file tells it
		said, listed = e.Summary, true
	}
	switch {
	case err != nil:
		return err
	case said != "" && !listed && f.editable && !f.repair && f.was(f.Parent.Path) == f.Parent.Path:
		f.historic = append(f.historic, vault.Edit{Path: f.Parent.Path, Steps: []vault.Step{{Op: vault.OpSetPointer, Entry: &e}}})
	case said != "":
		f.tell(e, said)
	}
	f.steps = append(f.steps, vault.Step{Op: vault.OpRemovePointer, ID: vault.ID(e.ID)})
	found := Discrepancy{Type: StalePointer, Child: vault.ID(e.ID)}
	if at := f.memory(found.Child).stands; at != "" {
		found.Detail = "it is at " + string(at) + " now"
	}
	f.found(found, "removed stale pointer to %s", e.ID)
	return nil
}

// tell has the commit's message keep what an entry that goes has said.
func (f *family) tell(e pointer.Entry, said string) {
	f.notes = append(f.notes, string(f.Parent.Path)+": the pointer to "+e.ID+" said: "+said)
	f.found(Discrepancy{Type: EdgeMismatch, Child: vault.ID(e.ID), ChildTitle: e.Title, Detail: "the pointer block said: " + said}, "the commit's message keeps what the pointer to %s said: %s", e.ID, vault.Clip(said, 200))
}

// keep appends an entry to the new block.
func (f *family) keep(e pointer.Entry) {
	f.after = append(f.after, e)
	f.named[pointer.Fold(e.ID)] = true
}

// stays reports whether an entry without a child is left in the block: its file
// cannot be read just now, or is of another type than memory.
func (f *family) stays(id vault.ID) (bool, error) {
	if f.memory(id).spared || !f.out.Report.Complete {
		return true, nil
	}
	if err := f.loadRecords(); err != nil {
		return false, err
	}
	p := f.memory(id).record
	return p != "" && f.home(f.Parent, p), nil
}

// loadRecords reads where the records of other types lie, once and for all entries: a
// file that was pulled may have thousands without a child.
func (r *reconciler) loadRecords() error {
	if r.recorded {
		return nil
	}
	nodes, _, err := r.t.List(r.ctx, vault.ListOptions{Types: header.RecordTypes[:], Status: []string{"*"}, Limit: math.MaxInt32})
	for _, n := range nodes {
		r.memory(n.ID).record = n.Path
	}
	r.recorded = true
	return err
}

// compare settles what an entry and its child say differently.
func (f *family) compare(e pointer.Entry, child node) error {
	id := f.id(child)
	if f.file(child.Path).damaged { // what it says of itself cannot be read
		f.keep(e)
		return nil
	}
	said, err := f.unformatted(e, &child)
	if err != nil {
		return err
	}
	want := said
	if !e.Names(string(id)) {
		want.ID = string(id)
	}
	if want.Title, err = f.title(said, child); err != nil {
		return err
	}
	if want.Summary, err = f.phrase(said, child); err != nil {
		return err
	}
	for _, of := range [...]trait{byTitle, byPhrase} {
		switch is, own := of.entry(&want), of.memory(&vault.Memory{Header: vault.Header{Title: child.Title, Summary: child.Summary}}); {
		case is == own && is != of.entry(&said):
			f.commit(child, of, own)
		case is == own:
			if err := f.both(said, child, of); err != nil {
				return err
			}
		}
	}
	switch {
	case want.ID != e.ID:
		f.repair = true
	case want.Title != e.Title || want.Summary != e.Summary:
		f.point(want)
	case f.memory(id).touched:
		words, listed, err := f.typed(said)
		if err != nil {
			return err
		}
		if words != "" && listed && !f.memory(id).told {
			break // a person's uncommitted words, which no file says but this one
		}
		if words != "" && !f.memory(id).told && f.file(child.Path).taken {
			f.found(Discrepancy{Type: EdgeMismatch, Child: id, ChildTitle: child.Title}, "committed the phrase of %s in the pointer block: %s", id, vault.Clip(words, 200))
		}
		f.point(want)
	}
	f.keep(want)
	return nil
}

// typed returns the phrase of an entry if HEAD's block does not say it, and whether that has
// an entry.
func (f *family) typed(e pointer.Entry) (said string, listed bool, err error) {
	m, err := f.atHead(f.was(f.Parent.Path))
	if err != nil || m == nil || e.Summary == vault.Placeholder {
		return "", false, err
	}
	was, listed := m.Entry(vault.ID(e.ID))
	if !pointer.Alike(was.Summary, e.Summary) {
		said = e.Summary
	}
	return said, listed, nil
}

// point plans that the block says this of a child.
func (f *family) point(e pointer.Entry) {
	f.steps = append(f.steps, vault.Step{Op: vault.OpSetPointer, Entry: &pointer.Entry{ID: e.ID, Title: e.Title, Summary: e.Summary}})
}

// missing adds the children that the block does not name.
func (f *family) missing() error {
	children := slices.Clone(f.Children)
	slices.SortStableFunc(children, byCreation)
	known := len(f.after)
	for _, c := range children {
		id := f.id(c)
		if f.nameless(c) || f.file(c.Path).left || f.named[id.Fold()] {
			continue
		}
		e := pointer.Entry{ID: string(id), Title: c.Title, Summary: cmp.Or(c.Summary, f.memory(id).phrase, vault.Placeholder)}
		f.keep(e)
		note := f.commit(c, byTitle, e.Title) + f.commit(c, byPhrase, e.Summary)
		if e.Summary == vault.Placeholder {
			note += " (placeholder summary)"
		}
		f.found(Discrepancy{Type: MissingPointer, Child: id, ChildTitle: c.Title}, "added pointer for %s%s", id, note)
	}
	f.add(f.after[known:])
	return nil
}

// add plans the entries of children that the block on disk does not name. In a file that is in
// no commit one step adds them all. HEAD's version of a committed or moved file may name one
// and say something else of it, so there each is set.
func (f *family) add(entries []pointer.Entry) {
	if len(entries) > 0 && f.Parent.Head == "" && !f.file(f.Parent.Path).taken {
		f.steps = append(f.steps, vault.Step{Op: vault.OpAddPointer, Entries: slices.Clone(entries)})
		return
	}
	for _, e := range entries {
		f.steps = append(f.steps, vault.Step{Op: vault.OpSetPointer, Entry: &e})
	}
}

// byCreation orders children by the time of their creation. Children without one come
// last.
func byCreation(a, b node) int {
	if a.Created.IsZero() != b.Created.IsZero() {
		if a.Created.IsZero() {
			return 1
		}
		return -1
	}
	return a.Created.Compare(b.Created)
}

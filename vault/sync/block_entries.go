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
		child, ok := f.children[pointer.FoldID(e.ID)]
		if ok {
			if err := f.settleEntry(e, child); err != nil {
				return err
			}
			continue
		}
		switch stays, err := f.stays(vault.ID(e.ID)); {
		case err != nil:
			return err
		case stays:
			f.appendEntry(e)
		default:
			if err := f.dropStale(e); err != nil {
				return err
			}
		}
	}
	return nil
}

// dropStale takes out an entry without a child. What a person typed in it goes into the history
// first; where that cannot be, the commit's message keeps it.
func (f *family) dropStale(e pointer.Entry) error {
	said, listed, err := f.findTypedPhrase(e)
	if f.fileAt(f.was(f.Parent.Path)).head == nil && e.Summary != vault.Placeholder { // the commit that adopts the file tells it
		said, listed = e.Summary, true
	}
	switch {
	case err != nil:
		return err
	case said != "" && !listed && f.editable && !f.repair && f.was(f.Parent.Path) == f.Parent.Path:
		f.historic = append(f.historic, vault.Edit{Path: f.Parent.Path, Steps: []vault.Step{{Op: vault.OpSetPointer, Entry: &e}}})
	case said != "":
		f.keepSaid(e, said)
	}
	f.steps = append(f.steps, vault.Step{Op: vault.OpRemovePointer, ID: vault.ID(e.ID)})
	found := Discrepancy{Type: StalePointer, Child: vault.ID(e.ID)}
	if at := f.knownMemory(found.Child).stands; at != "" {
		found.Detail = "it is at " + string(at) + " now"
	}
	f.addDiscrepancy(found, "removed stale pointer to %s", e.ID)
	return nil
}

// keepSaid has the commit's message keep what an entry that goes has said.
func (f *family) keepSaid(e pointer.Entry, said string) {
	f.notes = append(f.notes, string(f.Parent.Path)+": the pointer to "+e.ID+" said: "+said)
	f.addDiscrepancy(Discrepancy{Type: EdgeMismatch, Child: vault.ID(e.ID), ChildTitle: e.Title, Detail: "the pointer block said: " + said}, "the commit's message keeps what the pointer to %s said: %s", e.ID, vault.Clip(said, 200))
}

// appendEntry appends an entry to the new block.
func (f *family) appendEntry(e pointer.Entry) {
	f.after = append(f.after, e)
	f.named[pointer.FoldID(e.ID)] = true
}

// stays reports whether an entry without a child is left in the block: its file
// cannot be read just now, or is of another type than memory.
func (f *family) stays(id vault.ID) (bool, error) {
	if f.knownMemory(id).spared || !f.out.Report.Complete {
		return true, nil
	}
	if err := f.loadRecords(); err != nil {
		return false, err
	}
	p := f.knownMemory(id).record
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
		r.knownMemory(n.ID).record = n.Path
	}
	r.recorded = true
	return err
}

// settleEntry settles what an entry and its child say differently.
func (f *family) settleEntry(e pointer.Entry, child node) error {
	id := f.idAfterPass(child)
	if f.fileAt(child.Path).damaged { // what it says of itself cannot be read
		f.appendEntry(e)
		return nil
	}
	said, err := f.undoFormatting(e, &child)
	if err != nil {
		return err
	}
	want := said
	if !e.PointsTo(string(id)) {
		want.ID = string(id)
	}
	if want.Title, err = f.agreeTitle(said, child); err != nil {
		return err
	}
	if want.Summary, err = f.settlePhrase(said, child); err != nil {
		return err
	}
	for _, of := range [...]trait{byTitle, byPhrase} {
		switch is, own := of.entry(&want), of.memory(&vault.Memory{Header: vault.Header{Title: child.Title, Summary: child.Summary}}); {
		case is == own && is != of.entry(&said):
			f.commitKey(child, of, own)
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
		f.planEntry(want)
	case f.knownMemory(id).touched:
		words, listed, err := f.findTypedPhrase(said)
		if err != nil {
			return err
		}
		if words != "" && listed && !f.knownMemory(id).told {
			break // a person's uncommitted words, which no file says but this one
		}
		if words != "" && !f.knownMemory(id).told && f.fileAt(child.Path).taken {
			f.addDiscrepancy(Discrepancy{Type: EdgeMismatch, Child: id, ChildTitle: child.Title}, "committed the phrase of %s in the pointer block: %s", id, vault.Clip(words, 200))
		}
		f.planEntry(want)
	}
	f.appendEntry(want)
	return nil
}

// findTypedPhrase returns the phrase of an entry if HEAD's block does not say it, and whether that has
// an entry.
func (f *family) findTypedPhrase(e pointer.Entry) (said string, listed bool, err error) {
	m, err := f.atHead(f.was(f.Parent.Path))
	if err != nil || m == nil || e.Summary == vault.Placeholder {
		return "", false, err
	}
	was, listed := m.Entry(vault.ID(e.ID))
	if !pointer.IsAlike(was.Summary, e.Summary) {
		said = e.Summary
	}
	return said, listed, nil
}

// planEntry plans that the block says this of a child.
func (f *family) planEntry(e pointer.Entry) {
	f.steps = append(f.steps, vault.Step{Op: vault.OpSetPointer, Entry: &pointer.Entry{ID: e.ID, Title: e.Title, Summary: e.Summary}})
}

// addMissing adds the children that the block does not name.
func (f *family) addMissing() error {
	children := slices.Clone(f.Children)
	slices.SortStableFunc(children, byCreation)
	known := len(f.after)
	for _, c := range children {
		id := f.idAfterPass(c)
		if f.nameless(c) || f.fileAt(c.Path).left || f.named[id.Fold()] {
			continue
		}
		e := pointer.Entry{ID: string(id), Title: c.Title, Summary: cmp.Or(c.Summary, f.knownMemory(id).phrase, vault.Placeholder)}
		f.appendEntry(e)
		note := f.commitKey(c, byTitle, e.Title) + f.commitKey(c, byPhrase, e.Summary)
		if e.Summary == vault.Placeholder {
			note += " (placeholder summary)"
		}
		f.addDiscrepancy(Discrepancy{Type: MissingPointer, Child: id, ChildTitle: c.Title}, "added pointer for %s%s", id, note)
	}
	f.planEntries(f.after[known:])
	return nil
}

// planEntries plans the entries of children that the block on disk does not name. In a file that is in
// no commit one step adds them all. HEAD's version of a committed or moved file may name one
// and say something else of it, so there each is set.
func (f *family) planEntries(entries []pointer.Entry) {
	if len(entries) > 0 && f.Parent.Head == "" && !f.fileAt(f.Parent.Path).taken {
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

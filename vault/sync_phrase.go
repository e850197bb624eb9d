package vault

import "github.com/cp-memory/cp/pointer"

// maxRevisions bounds the search for the version in which a child and its
// parent's block last said the same.
const maxRevisions = 200

// phrase returns the trigger phrase that both the entry and the child are to
// have, and has it written to the child where the child says another.
//
// The side that changed since they last agreed wins; if both did, or they never
// agreed, the child does. A placeholder and an empty phrase never win. A child
// without a summary key gets none: the block's phrase stands alone then.
func (f *family) phrase(e pointer.Entry, child Node) (string, error) {
	own := child.Summary
	switch {
	case own == e.Summary || own == "":
		return e.Summary, nil
	case e.Summary == "" || e.Summary == Placeholder:
		f.mismatch(e, child, own)
		return own, nil
	}
	if own != Placeholder {
		last, err := f.agreed(child.Path, ID(e.ID))
		if err != nil {
			return "", err
		}
		if last != own {
			f.mismatch(e, child, own)
			return own, nil
		}
	}
	if !f.writable(child) {
		f.mismatch(e, child, own)
		return own, nil
	}
	f.edits.add(child.Path, Step{Op: OpSetKey, Key: "summary", Value: e.Summary}, Step{Op: OpDropKey, Key: "summary_of"})
	f.touched[f.id(child)] = true // the block's side may be uncommitted
	f.mismatch(e, child, e.Summary)
	return e.Summary, nil
}

func (f *family) mismatch(e pointer.Entry, child Node, phrase string) {
	from := "the memory"
	if phrase == e.Summary {
		from = "the pointer block"
	}
	id := f.id(child)
	f.found(Discrepancy{Type: EdgeMismatch, Child: id, ChildTitle: child.Title}, "took the summary of %s from %s: %s", id, from, clip(phrase, 200))
}

// writable reports whether the child's header can take a phrase.
func (f *family) writable(child Node) bool {
	doc, err := f.read(child.Path)
	if err != nil {
		return false
	}
	_, err = ApplySteps([]Step{{Op: OpSetKey, Key: "summary", Value: "x"}}, doc)
	return err == nil
}

// agreed returns the phrase of the newest commit in which the child and the
// parent's block had the same one; empty if there is none among the last
// [maxRevisions] that touched either file.
func (f *family) agreed(child Path, id ID) (string, error) {
	if f.head == "" {
		return "", nil
	}
	last, err := f.same(f.head, child, id)
	if last != "" || err != nil {
		return last, err
	}
	n := 0
	herr := f.v.Store.History(f.ctx, []Path{child, f.Parent.Path}, func(rev Revision) bool {
		n++
		last, err = f.same(rev.Commit, child, id)
		return last == "" && err == nil && n < maxRevisions
	})
	if err == nil {
		err = herr
	}
	return last, err
}

// same returns the phrase that both sides have in a commit; empty if they differ there.
func (f *family) same(commit string, child Path, id ID) (string, error) {
	c, err := f.version(commit, child)
	if err != nil || c == nil {
		return "", err
	}
	p, err := f.version(commit, f.Parent.Path)
	if err != nil || p == nil {
		return "", err
	}
	if e := entryOf(p.Pointers, id); e != nil && e.Summary == c.Summary {
		return c.Summary, nil
	}
	return "", nil
}

// version returns a file as it was in a commit; nil where it was not.
func (f *family) version(commit string, p Path) (*Memory, error) {
	doc, err := f.v.Store.ReadAt(f.ctx, commit, p)
	if CodeOf(err) == CodeNotFound {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return Parse(p, doc), nil
}

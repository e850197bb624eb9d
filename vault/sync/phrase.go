package sync

import (
	"github.com/cp-memory/cp/pointer"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/header"
)

// maxRevisions bounds the search for the version in which a child and its
// parent's block last said the same.
const maxRevisions = 200

// settlePhrase returns the trigger phrase for both the entry and the child. If the child has
// another one, it plans the change there.
//
// The side that changed since they last agreed wins; if both did, or they never
// agreed, the child does. A placeholder and an empty phrase never win. A child
// without a summary key gets none: the block's phrase stands alone then.
func (f *family) settlePhrase(e pointer.Entry, child node) (string, error) {
	own := child.Summary
	switch {
	case own == e.Summary || own == "":
		return e.Summary, nil
	case e.Summary == "" || e.Summary == vault.Placeholder:
		f.mismatch(e, child, own)
		return own, nil
	}
	if own != vault.Placeholder {
		last, err := f.findAgreedValue(child.Path, vault.ID(e.ID), byPhrase)
		if err != nil {
			return "", err
		}
		if last != own {
			f.mismatch(e, child, own)
			f.reportReplaced(byPhrase, child, e.Summary, last)
			return own, nil
		}
	}
	if !f.writable(child) {
		f.mismatch(e, child, own)
		return own, nil
	}
	f.edits.Add(child.Path, vault.SetPhrase(e.Summary, "")...)
	f.knownMemory(f.idAfterPass(child)).touched, f.knownMemory(f.idAfterPass(child)).told = true, true // the block's side may be uncommitted
	f.mismatch(e, child, e.Summary)
	return e.Summary, nil
}

func (f *family) mismatch(e pointer.Entry, child node, phrase string) {
	from := "the memory"
	if phrase == e.Summary {
		from = "the pointer block"
	}
	id := f.idAfterPass(child)
	f.addDiscrepancy(Discrepancy{Type: EdgeMismatch, Child: id, ChildTitle: child.Title}, "took the summary of %s from %s: %s", id, from, vault.Clip(phrase, 200))
}

// agreeTitle returns the title that both the entry and the child are to have: the
// child's, except where a person has changed it in the block alone since they
// last agreed. A child without a title key, which is called after its heading or
// its file, keeps that name.
func (f *family) agreeTitle(e pointer.Entry, child node) (string, error) {
	id := f.idAfterPass(child)
	if e.Title == child.Title {
		return e.Title, nil
	}
	last := ""
	if f.hasValue(child, byTitle, child.Title) && vault.CheckTitle(e.Title) == nil {
		var err error
		last, err = f.findAgreedValue(child.Path, vault.ID(e.ID), byTitle)
		if err != nil {
			return "", err
		}
		if last == child.Title {
			f.edits.Add(child.Path, vault.Step{Op: vault.OpSetKey, Key: "title", Value: e.Title})
			f.knownMemory(id).touched, f.knownMemory(id).told = true, true // the block's side may be uncommitted
			f.addDiscrepancy(Discrepancy{Type: TitleMismatch, Child: id, ChildTitle: e.Title, Detail: "was " + child.Title}, "took the title of %s from the pointer block: %s", id, vault.Clip(e.Title, 200))
			return e.Title, nil
		}
	}
	f.addDiscrepancy(Discrepancy{Type: TitleMismatch, Child: id, ChildTitle: child.Title, Detail: "was " + e.Title}, "set the title of %s to %q", id, child.Title)
	f.reportReplaced(byTitle, child, e.Title, last)
	return child.Title, nil
}

// reportReplaced reports a value of the block that the child's own value replaces, unless it is an
// older value that both had. The commit's message keeps it.
func (f *family) reportReplaced(of trait, child node, said, agreed string) {
	if said == "" || said == agreed || said == vault.Placeholder {
		return
	}
	d := &f.out.Discrepancies[len(f.out.Discrepancies)-1]
	d.Detail = "the pointer block said: " + said
	d.Fixed += "; the pointer block said: " + vault.Clip(said, 200)
	f.notes = append(f.notes, string(child.Path)+": its "+of.key+" in the pointer block was: "+said)
}

// commitKey commits the child's key together with the entry that takes it over, and no other
// uncommitted part of the child's file. It returns a note that says so.
func (f *family) commitKey(child node, of trait, value string) string {
	e := f.edits[child.Path]
	if moved := e != nil && e.To != ""; !(child.Dirty() && child.Head != "" || moved) || !f.hasValue(child, of, value) {
		return ""
	}
	f.edits.Add(child.Path, vault.Step{Op: vault.OpSetKey, Key: of.key, Value: value})
	if m, err := f.atHead(f.was(child.Path)); err != nil || m == nil || of.memory(m) == value {
		return ""
	}
	return " and committed its " + of.key + ": " + vault.Clip(value, 200)
}

// both commits a value in both places if they agree on it and HEAD has it in only one of
// them.
func (f *family) both(e pointer.Entry, child node, of trait) error {
	value := of.entry(&e)
	if value == "" || !child.Dirty() && !f.Parent.Dirty() {
		return nil
	}
	c, err := f.atHead(f.was(child.Path))
	if err != nil || c == nil {
		return err
	}
	p, err := f.atHead(f.was(f.Parent.Path))
	if err != nil || p == nil {
		return err
	}
	was, listed := p.Entry(vault.ID(e.ID))
	if !listed || of.entry(&was) == of.memory(c) || of.entry(&was) != value && of.memory(c) != value {
		return nil
	}
	if of.memory(c) != value && !f.hasValue(child, of, value) { // a heading or a file's name, which no key can say
		return nil
	}
	f.commitKey(child, of, value)
	f.knownMemory(f.idAfterPass(child)).touched, f.knownMemory(f.idAfterPass(child)).told = true, true
	f.addDiscrepancy(Discrepancy{Type: of.mismatch, Child: f.idAfterPass(child), ChildTitle: child.Title}, "committed the %s of %s in both places: %s", of.key, f.idAfterPass(child), vault.Clip(value, 200))
	return nil
}

// hasValue reports whether the child's header has the key with that value, and can be edited.
func (f *family) hasValue(child node, of trait, value string) bool {
	doc, err := f.readSettled(child.Path)
	if err != nil || f.fileAt(child.Path).refused {
		return false
	}
	h, _ := header.Split(doc)
	is, ok := h.Get(of.key)
	return ok && h.Err() == nil && is == value
}

// writable reports whether the child's header can take a phrase.
func (f *family) writable(child node) bool {
	doc, err := f.readSettled(child.Path)
	if err != nil {
		return false
	}
	_, err = vault.ApplySteps([]vault.Step{{Op: vault.OpSetKey, Key: "summary", Value: "x"}}, doc)
	return err == nil
}

// trait is something that both an entry and its child say of the child.
type trait struct {
	key      string // of the front matter
	mismatch string
	entry    func(*pointer.Entry) string
	memory   func(*vault.Memory) string
}

var (
	byTitle  = trait{"title", TitleMismatch, func(e *pointer.Entry) string { return e.Title }, func(m *vault.Memory) string { return m.Title }}
	byPhrase = trait{"summary", EdgeMismatch, func(e *pointer.Entry) string { return e.Summary }, func(m *vault.Memory) string { return m.Summary }}
)

// findAgreedValue returns the value that the child and the parent's block both had in the newest
// commit in which they agreed. It is empty if there is none among the last [maxRevisions]
// commits that touched either file.
func (f *family) findAgreedValue(child vault.Path, id vault.ID, of trait) (string, error) {
	if f.head == "" {
		return "", nil
	}
	child, parent := f.was(child), f.was(f.Parent.Path)
	last, err := f.agreedValue(f.head, child, parent, id, of)
	if last != "" || err != nil {
		return last, err
	}
	n := 0
	herr := f.tx.History(f.ctx, []vault.Path{child, parent}, func(rev vault.Revision) bool {
		n++
		last, err = f.agreedValue(rev.Commit, child, parent, id, of)
		return last == "" && err == nil && n < maxRevisions
	})
	if err == nil {
		err = herr
	}
	return last, err
}

// was returns where HEAD has a file that a person has moved.
func (f *family) was(p vault.Path) vault.Path {
	if e := f.edits[p]; e != nil && e.To == p {
		return e.Path
	}
	return p
}

// agreedValue returns what both sides say in a commit; empty if they differ there.
func (f *family) agreedValue(commit string, child, parent vault.Path, id vault.ID, of trait) (string, error) {
	c, err := f.version(commit, child)
	if err != nil || c == nil {
		return "", err
	}
	p, err := f.version(commit, parent)
	if err != nil || p == nil {
		return "", err
	}
	if e, listed := p.Entry(id); listed && of.entry(&e) == of.memory(c) {
		return of.memory(c), nil
	}
	return "", nil
}

// version returns a file as it was in a commit; nil where it was not.
func (f *family) version(commit string, p vault.Path) (*vault.Memory, error) {
	doc, err := f.tx.ReadAt(f.ctx, commit, p)
	if vault.CodeOf(err) == vault.CodeNotFound {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return vault.Parse(p, doc), nil
}

package sync

import (
	"cmp"

	"github.com/cp-memory/cp/pointer"
	"github.com/cp-memory/cp/vault"
)

// undoFormatting returns an entry with the words that it had before a program that formats
// Markdown wrote it anew: what the child says. A child that says no phrase has that of HEAD's
// block. Words that are a guess change no child, whatever they are.
func (f *family) undoFormatting(e pointer.Entry, child *node) (pointer.Entry, error) {
	err := f.recallPhrase(e, child)
	if err != nil {
		return e, err
	}
	was := e
	for _, w := range [...]struct {
		said *string
		is   string
	}{{&e.Title, child.Title}, {&e.Summary, child.Summary}} {
		if w.is != "" && (e.Guessed || pointer.IsAlike(*w.said, w.is)) {
			*w.said = w.is
		}
	}
	if e.Title != was.Title || e.Summary != was.Summary {
		f.unformat(was, e, *child)
	}
	e.Guessed = false
	return e, nil
}

// recallPhrase gives a child that says no phrase itself that of HEAD's block, if that is the
// one in the block in another form: what the mirror knows of such a child is the block as it
// is.
func (f *family) recallPhrase(e pointer.Entry, child *node) error {
	head, err := f.atHead(f.was(f.Parent.Path))
	if err != nil || head == nil || child.Summary != "" && child.Summary != e.Summary {
		return err
	}
	committed, _ := head.Entry(vault.ID(e.ID))
	formatted := committed.Summary != e.Summary && (e.Guessed || pointer.IsAlike(committed.Summary, e.Summary))
	if formatted && (child.Summary == "" || !f.hasValue(*child, byPhrase, child.Summary)) {
		child.Summary = cmp.Or(committed.Summary, child.Summary)
	}
	return nil
}

// unformat tells that an entry gets its words back. The commit's message keeps those that
// differ in more than their form.
func (f *family) unformat(was, is pointer.Entry, child node) {
	id := f.idAfterPass(child)
	f.addDiscrepancy(Discrepancy{Type: FormattedBlock, Child: id, ChildTitle: is.Title, Detail: "a formatter had made of it: " + was.Title + ": " + was.Summary},
		"gave the pointer to %s its words back, which a formatter had changed", id)
	if !pointer.IsAlike(was.Title, is.Title) || !pointer.IsAlike(was.Summary, is.Summary) {
		f.notes = append(f.notes, string(f.Parent.Path)+": the pointer to "+string(id)+" read: "+was.Title+": "+was.Summary)
	}
}

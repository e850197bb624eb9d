package sync

import (
	"bytes"
	"errors"
	"slices"
	"strings"

	"github.com/cp-memory/cp/pointer"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/header"
)

// openBlock reads the parent's block in its file: the mirror keeps neither repeated nor damaged
// entries. It notes whether the file may be edited: an empty one is left alone, since an
// editor may be at it.
func (f *family) openBlock() error {
	if !f.Parent.HasBlock && len(f.Problems) == 0 {
		f.editable = true
		return nil
	}
	doc, err := f.readSettled(f.Parent.Path)
	if err != nil {
		return nil // the problems tell why
	}
	if len(bytes.TrimSpace(doc)) == 0 {
		f.aside = string(f.Parent.Path) + " is empty: an editor may be at it"
		return nil
	}
	head, body := header.Split(doc)
	if err := f.readBlock(string(body), bytes.Count(doc[:len(doc)-len(body)], []byte("\n"))); err != nil {
		return err
	}
	if err := head.Err(); err != nil && err.NoKeys() {
		f.aside = string(f.Parent.Path) + " has no front matter, but a list or a text in its place"
	}
	f.editable = head.Err() == nil && f.unsure == ""
	return nil
}

// readBlock takes the entries from the text itself, damaged or not. The file has
// that many lines above the text.
func (f *family) readBlock(body string, above int) error {
	block, err := pointer.FindBlock(body)
	var damage *pointer.Damage
	if errors.As(err, &damage) {
		damage.Line += above
	}
	switch {
	case err != nil:
		left := pointer.Readable(body)
		f.before = left.Entries
		f.repair, f.restyle = true, f.o.Restyle
		kind := InvalidBlock
		if errors.Is(err, pointer.ErrConflict) {
			kind = ConflictMarkers
		}
		f.addDiscrepancy(Discrepancy{Type: kind, Path: f.Parent.Path, Detail: err.Error()}, "rendered the pointer block anew")
		f.lose(left.Lost)
		return f.refuseConflicting(left.Again)
	case block == nil:
		f.before = nil
	default:
		f.before = block.Entries
		if err := f.refuseConflicting(block.Repeated); err != nil {
			return err
		}
		f.reportRepeated(block.Repeated)
		if f.o.Restyle && block.Hidden != f.tx.HidesPointers() {
			f.restyle = true
			f.addDiscrepancy(Discrepancy{Type: BlockStyle, Path: f.Parent.Path, Detail: "the pointer block is " + style(block.Hidden) + ", new ones are " + style(f.tx.HidesPointers())}, "the pointer block is %s now", style(f.tx.HidesPointers()))
		}
	}
	return nil
}

// lose has the commit's message keep what stood in the block and is no entry.
func (f *family) lose(text string) {
	if text = strings.TrimSpace(text); text == "" {
		return
	}
	d := &f.out.Discrepancies[len(f.out.Discrepancies)-1]
	d.Fixed += "; the commit's message keeps what could not be read in it: " + vault.Clip(text, 200)
	f.notes = append(f.notes, string(f.Parent.Path)+": its pointer block held: "+text)
}

// style is the word for a block's style.
func style(hidden bool) string {
	if hidden {
		return "hidden"
	}
	return "visible"
}

// refuseConflicting leaves the block to a person if one of two entries for one child says what no
// commit does, and the other something else. Of a file that is committed for the first time
// the commit's message tells it.
func (f *family) refuseConflicting(entries []pointer.Entry) error {
	if len(entries) == 0 {
		return nil
	}
	head, err := f.atHead(f.was(f.Parent.Path))
	if err != nil {
		return err
	}
	doc, _, err := f.tx.ReadCommitted(f.ctx, f.was(f.Parent.Path))
	_, body := header.Split(doc)
	left := pointer.Readable(string(body))
	committed := append(left.Entries, left.Again...)
	for _, e := range entries {
		same := func(o pointer.Entry) bool { return o.PointsTo(e.ID) && pointer.IsAlike(o.Summary, e.Summary) }
		switch {
		case e.Summary == "" || e.Summary == vault.Placeholder || slices.ContainsFunc(f.before, same) || slices.ContainsFunc(committed, same):
		case head == nil, e.Guessed:
			f.keepSaid(e, e.Summary)
		default:
			f.unsure = "two pointers to " + e.ID + " say different things, and \"" + vault.Clip(e.Summary, 80) + "\" is in no commit: take one of them out"
		}
	}
	return err
}

func (f *family) reportRepeated(entries []pointer.Entry) {
	for _, e := range entries {
		f.repair = true
		f.addDiscrepancy(Discrepancy{Type: DuplicatePtr, Child: vault.ID(e.ID), ChildTitle: e.Title}, "removed the second pointer to %s", e.ID)
	}
}

package sync

import (
	"github.com/cp-memory/cp/pointer"
	"github.com/cp-memory/cp/vault"
)

// dropBlock takes the block out of a parent that keeps no pointers. A phrase that stands
// only there is written into the child first. What an entry without a child says is kept by
// the commit's message.
func (f *family) dropBlock() error {
	if len(f.before) == 0 && !f.repair {
		return nil
	}
	if !f.editable {
		f.takeBackPromise()
		return nil
	}
	f.tx.Needs(vault.FormatQuiet)
	for _, e := range f.before {
		child, ok := f.children[pointer.FoldID(e.ID)]
		said := vault.Phrase(e.Summary)
		switch {
		case said == "":
		case ok && child.Summary == said && f.hasValue(child, byPhrase, said): // it says so itself
		case ok && f.writable(child) && (child.Summary == "" || child.Summary == said):
			f.edits.Add(child.Path, vault.SetPhrase(said, "")...)
			f.knownMemory(f.idAfterPass(child)).touched = true
		case !ok || child.Summary != said:
			f.keepSaid(e, said)
		}
	}
	f.addDiscrepancy(Discrepancy{Type: BlockStyle, Path: f.Parent.Path, Detail: "the memory keeps no pointers"}, "removed the pointer block")
	f.edits.Add(f.Parent.Path, vault.Step{Op: vault.OpSetBlock})
	return nil
}

package past

import (
	"bytes"

	"github.com/cp-memory/cp/pointer"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/header"
)

// backward returns the steps that turn a file that an operation changed from
// was to is, and that says now by now, back. Where something else has changed
// meanwhile, that is possible if the operation changed the block only: its
// entries are taken back one by one. Facts are always taken back by their entries.
func backward(p vault.Path, was, is, now []byte) ([]vault.Step, bool) {
	if bytes.Equal(was, is) {
		return nil, true
	}
	switch {
	case bytes.Equal(is, now):
		return append(readmit(p, was, now), vault.Step{Op: vault.OpSetText, Text: string(was)}), true
	case p.IsFacts(): // entry by entry
		return []vault.Step{{Op: vault.OpFacts, Value: string(is), Text: string(was)}}, true
	}
	old, done, current := vault.Parse(p, was), vault.Parse(p, is), vault.Parse(p, now)
	bare := func(doc []byte) []byte {
		text, _ := vault.ApplySteps([]vault.Step{{Op: vault.OpSetBlock}}, doc)
		return bytes.TrimRight(text, "\r\n")
	}
	if !bytes.Equal(bare(was), bare(is)) || current.HasBlock && current.Pointers == nil {
		return nil, false
	}
	return entriesBack(old.Pointers, done.Pointers, current.Pointers), true
}

// readmit returns the step that makes a memory again of a note that is read-only by now, as an
// eject leaves it; none for other files.
func readmit(p vault.Path, was, now []byte) []vault.Step {
	before := vault.Parse(p, was)
	if before.ReadOnly() || !vault.Parse(p, now).ReadOnly() {
		return nil
	}
	return []vault.Step{{Op: vault.OpSetID, Key: header.OurID, ID: before.ID}}
}

// entriesBack undoes the change of a block from was to is, in a block that says
// now. An entry that was changed again since is left alone.
func entriesBack(was, is, now []pointer.Entry) []vault.Step {
	find := func(all []pointer.Entry, id string) (pointer.Entry, bool) {
		for _, e := range all {
			if e.PointsTo(id) {
				return e, true
			}
		}
		return pointer.Entry{}, false
	}
	same := func(a, b pointer.Entry) bool { return a.ID == b.ID && a.Title == b.Title && a.Summary == b.Summary }
	var steps []vault.Step
	for _, e := range is {
		if _, had := find(was, e.ID); !had {
			steps = append(steps, vault.Step{Op: vault.OpRemovePointer, ID: vault.ID(e.ID)})
		}
	}
	for _, e := range was {
		then, had := find(is, e.ID)
		current, has := find(now, e.ID)
		switch {
		case !had:
			steps = append(steps, vault.Step{Op: vault.OpAddPointer, Entry: &e})
		case has && !same(e, then) && same(then, current):
			steps = append(steps, vault.Step{Op: vault.OpSetPointer, Entry: &e})
		}
	}
	return steps
}

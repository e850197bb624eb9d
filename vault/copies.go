package vault

import (
	"bytes"
	"context"
	"slices"
	"strings"
)

// Copy is a section of a memory in a file that agents load, as the file has it now.
type Copy struct {
	ID      ID
	Section      // without a text: it takes the copy out
	Edited  bool // somebody changed it since it was written

	// Stands reports whether the copy belongs there while the memory is m; nil is one that
	// is gone.
	Stands func(m *Memory) bool
}

// endCopies plans that a change takes the copies of those memories along which it ends:
// whose files it removes, or makes say that they are no longer to be there. A copy that
// somebody edited stays. The notes name both for the person.
func (tx *Tx) endCopies(ctx context.Context, c *Change) (notes []string, err error) {
	if tx.v.Copies == nil || c.Empty() {
		return nil, nil
	}
	for _, held := range tx.v.Copies(ctx) {
		if slices.ContainsFunc(c.Sections, func(s Section) bool { return s.File == held.File && s.Key == held.Key }) {
			continue
		}
		m, touched, err := tx.ending(ctx, c, held.ID)
		switch {
		case err != nil:
			return nil, err
		case !touched || held.Stands(m):
		case held.Edited:
			notes = append(notes, held.File+" still has "+string(held.ID)+": that section was edited since it was written. Take it out in an editor, with its markers")
		default:
			c.Sections = append(c.Sections, held.Section)
			notes = append(notes, string(held.ID)+" was taken out of "+held.File)
		}
	}
	return notes, nil
}

// ending returns a memory as a change leaves it, nil if it is then gone. touched is false
// if the change leaves its file alone.
func (tx *Tx) ending(ctx context.Context, c *Change, id ID) (m *Memory, touched bool, err error) {
	n, err := tx.Tree().Find(ctx, string(id))
	if err == nil && n.ID.Is(id) {
		return tx.endingAt(c, n.Path, id)
	}
	if err != nil && CodeOf(err) != CodeNotFound && CodeOf(err) != CodeAmbiguous {
		return nil, false, err
	}
	for i := range c.Edits { // a person has removed its file: only HEAD knows whose it was
		e := &c.Edits[i]
		if !e.Remove || e.Tree || e.Outside {
			continue
		}
		text, held, err := tx.ReadCommitted(ctx, e.Path)
		if err != nil {
			return nil, false, err
		}
		if held && ParseText(e.Path, text).ID.Is(id) {
			return nil, !c.makes(id), nil
		}
	}
	return nil, false, nil
}

// endingAt is ending for the memory in the file p.
func (tx *Tx) endingAt(c *Change, p Path, id ID) (m *Memory, touched bool, err error) {
	for i := range c.Edits {
		e := &c.Edits[i]
		switch {
		case e.Outside || e.Path != p && !(e.Tree && e.Remove && p.Within(e.Path)):
			continue
		case e.Remove:
			return nil, !c.makes(id), nil
		case e.Create != nil || e.Taken != nil || e.Tree:
			continue
		}
		text, err := tx.Read(p)
		if err == nil {
			text, err = ApplySteps(e.Steps, text)
		}
		if err != nil {
			return nil, false, err
		}
		if m = Parse(p, text); !m.ID.Is(id) {
			m = nil
		}
		return m, true, nil
	}
	return nil, false, nil
}

// makes reports whether a change writes a whole file that names the id.
func (c *Change) makes(id ID) bool {
	return slices.ContainsFunc(c.Edits, func(e Edit) bool {
		return bytes.Contains(e.Create, []byte(id)) || slices.ContainsFunc(e.Steps, func(s Step) bool { return s.Op == OpSetText && strings.Contains(s.Text, string(id)) })
	})
}

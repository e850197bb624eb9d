package past

import (
	"bytes"
	"context"
	"maps"
	"slices"

	"github.com/cp-memory/cp/vault"
)

// overlay holds the texts of files after the undos planned so far. nil means that the file
// is gone.
type overlay map[vault.Path][]byte

// passages holds what undos make of each memory, by its id: made is the version that the
// newest operation left, and was the one before the oldest; nil is one that is gone.
type passages map[vault.ID]*passage

type passage struct{ was, made *vault.Memory }

// continuePassage continues the passage of a memory with an older operation. One of the versions is not
// nil.
func (all passages) continuePassage(was, made *vault.Memory) {
	m := was
	if m == nil {
		m = made
	}
	if all[m.ID] == nil {
		all[m.ID] = &passage{made: made}
	}
	all[m.ID].was = was
}

// addSections adds to a change what becomes of the files of agents.
func (h *History) addSections(through passages, c *vault.Change) error {
	for _, id := range slices.Sorted(maps.Keys(through)) {
		if h.Sections == nil || id == "" {
			continue
		}
		all, err := h.Sections(through[id].was, through[id].made)
		if err != nil {
			return err
		}
		c.Sections = append(c.Sections, all...)
	}
	return nil
}

// endPath returns the path at which the edit's file ends.
func endPath(e *vault.Edit) vault.Path {
	if e.To != "" {
		return e.To
	}
	return e.Path
}

// addEdit adds an edit to the change. One of a file that an earlier one has touched
// becomes one with that: in a change each path has one edit. after says already
// what both will leave.
func (u *undoing) addEdit(c *vault.Change, e vault.Edit) error {
	i := slices.IndexFunc(c.Edits, func(was vault.Edit) bool { return !was.Remove && endPath(&was) == e.Path })
	if i >= 0 {
		was := c.Edits[i]
		if was.Untrack {
			return u.errLosesWork(e.Path, "it is in no commit any more")
		}
		c.Edits = slices.Delete(c.Edits, i, i+1)
		if was.Create != nil && e.Remove {
			return nil
		}
		e = u.joinEdits(was, e)
	}
	return u.queueEdit(c, e)
}

// joinEdits returns one edit that does what two do, where the second continues the first.
func (u *undoing) joinEdits(was, e vault.Edit) vault.Edit {
	to := endPath(&e)
	e.Path, e.To = was.Path, ""
	switch {
	case e.Remove:
		return e
	case was.Create != nil:
		return vault.Edit{Path: to, Create: u.after[to], Untrack: e.Untrack}
	}
	if to != e.Path {
		e.To = to
	}
	e.Steps = slices.Concat(was.Steps, e.Steps)
	return e
}

// queueEdit adds an edit. If its file goes to a path that another one leaves, the texts of
// both paths are written instead, so that nothing has to be moved away first.
func (u *undoing) queueEdit(c *vault.Change, e vault.Edit) error {
	to := endPath(&e)
	i := slices.IndexFunc(c.Edits, func(left vault.Edit) bool { return left.Path == to && (left.Remove || left.To != "") })
	if i < 0 || e.Remove {
		c.Edits = append(c.Edits, e)
		return nil
	}
	left := c.Edits[i]
	if left.Untrack || e.Untrack {
		return u.errLosesWork(to, "another file is there")
	}
	if left.To != "" {
		c.Edits = append(c.Edits, vault.Edit{Path: left.To, Create: u.after[left.To]})
	}
	if e.Create == nil {
		c.Edits = append(c.Edits, vault.Edit{Path: e.Path, Remove: true})
	}
	c.Edits[i] = vault.Edit{Path: to, Steps: []vault.Step{{Op: vault.OpSetText, Text: string(u.after[to])}}}
	return nil
}

// dropIneffective leaves out what several undos come to nothing in: a file that says in the
// end what HEAD says, and a memory that is not gone.
func (h *History) dropIneffective(ctx context.Context, tx *vault.Tx, c *vault.Change, after overlay) error {
	head, err := tx.Tip(ctx)
	if err != nil {
		return err
	}
	there := make(map[vault.ID]bool)
	for p, text := range after {
		there[vault.Parse(p, text).ID] = text != nil
	}
	c.Gone = slices.DeleteFunc(c.Gone, func(id vault.ID) bool { return there[id] })
	c.Edits = slices.DeleteFunc(c.Edits, func(e vault.Edit) bool {
		if len(e.Steps) == 0 || e.To != "" || e.Untrack || e.Adopt || err != nil {
			return false
		}
		var is []byte
		is, err = h.Store.ReadAt(ctx, head, e.Path)
		return err == nil && bytes.Equal(is, after[e.Path])
	})
	return err
}

package vault

import (
	"bytes"
	"context"
	"slices"
)

// overlay is what files will say once the undos planned before are made; nil is gone.
type overlay map[Path][]byte

// target is where the file of an edit ends.
func (e *Edit) target() Path {
	if e.To != "" {
		return e.To
	}
	return e.Path
}

// edit adds an edit to the change. One of a file that an earlier one has touched
// becomes one with that: in a change each path has one edit. after says already
// what both will leave.
func (u *undoing) edit(c *Change, e Edit) error {
	i := slices.IndexFunc(c.Edits, func(was Edit) bool { return !was.Remove && was.target() == e.Path })
	if i >= 0 {
		was := c.Edits[i]
		if was.Untrack {
			return u.lost(e.Path, "it is in no commit any more")
		}
		c.Edits = slices.Delete(c.Edits, i, i+1)
		if was.Create != nil && e.Remove {
			return nil
		}
		e = u.joined(was, e)
	}
	return u.place(c, e)
}

// joined is one edit in the place of two, the second of what the first has left.
func (u *undoing) joined(was, e Edit) Edit {
	to := e.target()
	e.Path, e.To = was.Path, ""
	switch {
	case e.Remove:
		return e
	case was.Create != nil:
		return Edit{Path: to, Create: u.after[to], Untrack: e.Untrack}
	}
	if to != e.Path {
		e.To = to
	}
	e.Steps = slices.Concat(was.Steps, e.Steps)
	return e
}

// place adds an edit. Where its file goes to a path that another one leaves, what
// both paths say is written instead: nothing has to be out of the way first.
func (u *undoing) place(c *Change, e Edit) error {
	to := e.target()
	i := slices.IndexFunc(c.Edits, func(left Edit) bool { return left.Path == to && (left.Remove || left.To != "") })
	if i < 0 || e.Remove {
		c.Edits = append(c.Edits, e)
		return nil
	}
	left := c.Edits[i]
	if left.Untrack || e.Untrack {
		return u.lost(to, "another file is there")
	}
	if left.To != "" {
		c.Edits = append(c.Edits, Edit{Path: left.To, Create: u.after[left.To]})
	}
	if e.Create == nil {
		c.Edits = append(c.Edits, Edit{Path: e.Path, Remove: true})
	}
	c.Edits[i] = Edit{Path: to, Steps: []Step{{Op: OpSetText, Text: string(u.after[to])}}}
	return nil
}

// settle leaves out what several undos come to nothing in: a file that says in the
// end what HEAD says, and a memory that is not gone.
func (v *Vault) settle(ctx context.Context, c *Change, after overlay) error {
	head, err := v.Store.Head(ctx)
	if err != nil {
		return err
	}
	there := make(map[ID]bool)
	for p, text := range after {
		there[Parse(p, text).ID] = text != nil
	}
	c.Gone = slices.DeleteFunc(c.Gone, func(id ID) bool { return there[id] })
	c.Edits = slices.DeleteFunc(c.Edits, func(e Edit) bool {
		if len(e.Steps) == 0 || e.To != "" || e.Untrack || e.Adopt || err != nil {
			return false
		}
		var is []byte
		is, err = v.Store.ReadAt(ctx, head.Commit, e.Path)
		return err == nil && bytes.Equal(is, after[e.Path])
	})
	return err
}

package bindings

import (
	"context"
	"slices"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/about"
	"github.com/cp-memory/cp/vault/tree"
)

// Confirm says that memories are right about the code as it is now.
type Confirm struct {
	Refs      []string
	About     []string // these of the bindings alone; all without
	Moved     bool     // of all memories those bindings whose code is elsewhere
	Unchecked bool     // of all memories those that have no stamp
	DryRun    bool
}

// Bound is the outcome of bind, unbind and confirm: the memories, each with what was done.
type Bound struct {
	Memories []tree.BatchRow `json:"memories"`
	Rebound  []Rebound       `json:"rebound,omitempty"` // by confirm
	DryRun   bool            `json:"dry_run,omitempty"`
	vault.Warned
}

// Rebound is a binding that was written anew, since its code stands elsewhere.
type Rebound struct {
	ID  vault.ID `json:"id"`
	At  string   `json:"at"`
	Now string   `json:"now"`
}

// Confirm stamps what the code is now, and writes where it has gone, in one commit. A binding
// whose code is gone is not confirmed.
func (r Room) Confirm(ctx context.Context, o Confirm) (Bound, error) {
	if _, err := r.CatchUp(ctx, vault.Scope{}); err != nil {
		return Bound{}, err
	}
	refs, states := o.Refs, []string(nil)
	if o.Moved || o.Unchecked {
		if o.Moved {
			states = append(states, vault.CodeMoved)
		}
		if o.Unchecked {
			states = append(states, vault.CodeUnchecked)
		}
		all, err := r.inStates(ctx, states)
		if err != nil {
			return Bound{}, err
		}
		refs = append(refs, all...)
	}
	var all []tree.Amend
	for _, ref := range refs {
		change, err := r.confirmation(ctx, ref, o.About, states...)
		if err != nil {
			return Bound{}, err
		}
		if change.IsEmpty() && len(states) > 0 {
			continue
		}
		all = append(all, tree.Amend{Ref: ref, Verb: "confirm", Change: change})
	}
	out, err := r.writeAmends(ctx, all, o.DryRun)
	for i, row := range out.Memories {
		change := all[i].Change
		for k, at := range change.RemoveAbout {
			out.Rebound = append(out.Rebound, Rebound{row.ID, at, change.AddAbout[k]})
		}
	}
	return out, err
}

// inStates returns the memories that have bindings in one of the states, each once.
func (r Room) inStates(ctx context.Context, states []string) (refs []string, err error) {
	rows, err := r.Bindings.AllBindings(ctx)
	if err != nil {
		return nil, err
	}
	all, err := r.StatesOf(ctx, rows)
	for _, row := range rows {
		meant := func(b vault.BindingState) bool { return slices.Contains(states, b.State) }
		if !slices.Contains(refs, string(row.ID)) && all[row.ID] != nil && slices.ContainsFunc(all[row.ID].Bindings, meant) {
			refs = append(refs, string(row.ID))
		}
	}
	return refs, err
}

// writeAmends makes changes of memories in one commit: of one memory it has its name.
func (r Room) writeAmends(ctx context.Context, all []tree.Amend, dry bool) (out Bound, err error) {
	out.DryRun = dry
	if len(all) == 1 {
		a, receipt, err := vault.Do(ctx, r.Vault, all[0], vault.Options{DryRun: dry})
		row := a.Row()
		row.Verb, row.Line = all[0].Name(), 1
		out.Memories = []tree.BatchRow{row}
		out.Warn(slices.Concat(row.Warnings, receipt.Notes)...)
		return out, err
	}
	batch := tree.Batch{DryRun: dry}
	for i, a := range all {
		batch.Verb = a.Name()
		batch.Lines = append(batch.Lines, tree.BatchLine{Number: i + 1, Verb: tree.LineOf[tree.Amended](a)})
	}
	done, err := batch.Do(ctx, r.Vault)
	out.Memories = append([]tree.BatchRow{}, done.Rows...)
	out.Warn(done.Notes...)
	return out, err
}

// confirmation returns the change that confirms a memory: of the bindings that are typed, all
// without, and of those in the states, any without.
func (r Room) confirmation(ctx context.Context, ref string, typed []string, states ...string) (about.Change, error) {
	choose := func(rows []about.Row, id vault.ID) ([]about.Row, error) { return r.chooseRows(ctx, rows, typed, id) }
	return r.confirmRows(ctx, ref, choose, len(typed) > 0, states)
}

// confirmRows returns the change that confirms those bindings of a memory that are chosen and in the
// states, any without. named says that they were asked for by themselves. The index is up to date.
func (r Room) confirmRows(ctx context.Context, ref string, choose func([]about.Row, vault.ID) ([]about.Row, error), named bool, states []string) (c about.Change, err error) {
	c.Confirm = true
	n, err := r.Locate(ctx, ref)
	if err != nil {
		return c, err
	}
	rows, err := r.Bindings.OfMemories(ctx, []vault.ID{n.ID})
	if err != nil {
		return c, err
	}
	rows = slices.DeleteFunc(rows, func(row about.Row) bool { return row.Finding })
	if len(rows) == 0 {
		return c, vault.Errorf(vault.CodeInvalid, "bind it first: cp memory bind "+string(n.ID)+" src/a.py#L10-L24", "%s is bound to no code", n.ID)
	}
	if rows, err = choose(rows, n.ID); err != nil {
		return c, err
	}
	all, err := r.StatesOf(ctx, rows)
	if err != nil {
		return c, err
	}
	for _, b := range all[n.ID].Bindings {
		if len(states) > 0 && !slices.Contains(states, b.State) {
			continue
		}
		if err := r.confirmBinding(ctx, b, &c, named || len(rows) == 1); err != nil && len(states) == 0 { // else it stays as it is
			return c, err
		}
	}
	return c, nil
}

// chooseRows returns the rows of the bindings that are typed, all without.
func (r Room) chooseRows(ctx context.Context, rows []about.Row, typed []string, id vault.ID) (out []about.Row, err error) {
	if len(typed) == 0 {
		return rows, nil
	}
	for _, text := range typed {
		b, err := r.Binding(text)
		if err != nil {
			return nil, err
		}
		at := r.boundAs(ctx, string(id), b.String())
		i := slices.IndexFunc(rows, func(row about.Row) bool { return row.Text == at || row.Text == text })
		if i < 0 {
			return nil, errUnbound(text, id)
		}
		out = append(out, rows[i])
	}
	return out, nil
}

func errUnbound(text string, id vault.ID) error {
	return vault.Errorf(vault.CodeNotFound, "`cp memory show "+string(id)+"` lists what it is bound to", "'%s' is not bound to %s", vault.Clip(text, 200), id)
}

// confirmBinding adds to a change what confirms one binding. What cannot be confirmed is an error
// where it was asked for by itself, and is left where it is one of several.
func (r Room) confirmBinding(ctx context.Context, b vault.BindingState, c *about.Change, alone bool) error {
	switch b.State {
	case vault.CodeCurrent:
		return nil
	case vault.CodeGone:
		return vault.Errorf(vault.CodeInvalid, "take it off with unbind, or bind the memory to what has taken its place", "the code of '%s' is gone, so there is nothing to confirm", b.At)
	case vault.CodeChanged:
		if b.Why == about.NothingLeft {
			return vault.Errorf(vault.CodeInvalid, "take it off with unbind, or bind the memory to what has taken its place", "nothing is left of the lines of '%s'", b.At)
		}
	case vault.CodeAhead, vault.CodeUnknown:
		if alone {
			return vault.Errorf(vault.CodeInvalid, "confirm it where the code is as the memory tells of it", "'%s' cannot be judged here: %s", b.At, about.Reason(b))
		}
		return nil
	}
	at := b.At
	if b.Now != "" {
		at = b.Now
	}
	binding, err := about.Parse(at)
	if err != nil {
		return err
	}
	stamp, err := r.Stamp(ctx, binding)
	if err != nil {
		return err
	}
	if c.AboutAt = append(c.AboutAt, stamp...); at != b.At {
		c.RemoveAbout, c.AddAbout = append(c.RemoveAbout, b.At), append(c.AddAbout, at)
	}
	return nil
}

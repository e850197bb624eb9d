package bindings

import (
	"context"
	"slices"
	"strings"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/about"
	"github.com/cp-memory/cp/vault/tree"
)

// Bind says which code a memory is about, or is about no more.
type Bind struct {
	Ref    string
	About  []string // as they are typed
	Off    bool
	DryRun bool
}

// Bind changes the bindings of a memory, in one commit.
func (r Room) Bind(ctx context.Context, o Bind) (Bound, error) {
	a := tree.Amend{Ref: o.Ref, Verb: "bind", Change: about.Change{AddAbout: o.About}}
	if o.Off {
		a.Verb, a.Change = "unbind", about.Change{RemoveAbout: o.About}
	}
	if err := r.BindChange(ctx, o.Ref, &a.Change); err != nil {
		return Bound{}, err
	}
	return r.writeAmends(ctx, []tree.Amend{a}, o.DryRun)
}

// BindChange completes what is said about the code of the memory that ref names.
func (r Room) BindChange(ctx context.Context, ref string, o *about.Change) error {
	var err error
	if o.AddAbout, o.AboutAt, err = r.StampTyped(ctx, o.AddAbout); err != nil {
		return err
	}
	o.RemoveAbout = slices.DeleteFunc(o.RemoveAbout, about.SaysNothing)
	for i, text := range o.RemoveAbout {
		if b, err := r.Binding(text); err == nil { // what stands in the file may be no binding
			o.RemoveAbout[i] = r.boundAs(ctx, ref, b.String())
		}
	}
	if !o.Confirm {
		return nil
	}
	if _, err := r.CatchUp(ctx, vault.Scope{}); err != nil {
		return err
	}
	confirmed, err := r.confirmation(ctx, ref, nil)
	o.AboutAt = append(o.AboutAt, confirmed.AboutAt...)
	o.AddAbout = append(o.AddAbout, confirmed.AddAbout...)
	o.RemoveAbout = append(o.RemoveAbout, confirmed.RemoveAbout...)
	return err
}

// boundAs returns the binding of a memory whose code stands where a text says, as the memory has it; the text where there is none.
func (r Room) boundAs(ctx context.Context, ref, text string) string {
	n, err := r.Locate(ctx, ref)
	if err != nil {
		return text // the verb says what is wrong
	}
	rows, err := r.Bindings.OfMemories(ctx, []vault.ID{n.ID})
	if err != nil || slices.ContainsFunc(rows, func(row about.Row) bool { return row.Text == text }) {
		return text
	}
	states, _ := r.StatesOf(ctx, rows)
	if code := states[n.ID]; code != nil {
		for _, b := range code.Bindings {
			if b.Now == text {
				return b.At
			}
		}
	}
	return text
}

// Update changes one memory.
func (r Room) Update(ctx context.Context, o tree.Amend) (tree.Amended, error) {
	before, err := r.statesBefore(ctx, &o)
	if err != nil {
		return tree.Amended{}, err
	}
	if err := r.BindChange(ctx, o.Ref, &o.Change); err != nil {
		return tree.Amended{}, err
	}
	out, err := o.Do(ctx, r.Vault)
	if err == nil && before.IsLoud() && !out.Unchanged && len(o.RemoveAbout)+len(o.AboutAt) == 0 {
		said := before.Mark()
		if what, lines, ok := strings.Cut(said, ": "); ok && before.State == vault.CodeChanged {
			said = what + " (" + lines + ")"
		}
		out.Warn("its " + said + "; add --confirm if the text is right again")
	}
	return out, err
}

// statesBefore returns how the code of a memory stands that is to be changed and not confirmed; nil
// where it is about none.
func (r Room) statesBefore(ctx context.Context, o *tree.Amend) (*vault.CodeState, error) {
	if o.Confirm || !r.IsBound(ctx) {
		return nil, nil
	}
	n, err := r.Locate(ctx, o.Ref)
	if err != nil {
		return nil, nil // the verb says what is wrong
	}
	return r.Vault.CodeStates(ctx, []vault.ID{n.ID}, nil)[n.ID], nil
}

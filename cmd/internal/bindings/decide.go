package bindings

import (
	"context"
	"slices"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/about"
	"github.com/cp-memory/cp/vault/tree"
)

// Decision is what a person says of a binding whose state they have before them.
type Decision struct {
	Ref     string
	At      string // as the memory says it
	Off     bool   // the memory is about that no more; else it is right about it
	IfMatch string // only if the file's hash is still this one
}

// Decide confirms a binding, or takes it off, in one commit. Nothing in it is typed: no path counts from
// the working directory.
func (r Room) Decide(ctx context.Context, o Decision) (tree.Amended, error) {
	a := tree.Amend{Ref: o.Ref, IfMatch: o.IfMatch, Verb: "unbind", Change: about.Change{RemoveAbout: []string{o.At}}}
	if !o.Off {
		a.Verb = "confirm"
		_, err := r.CatchUp(ctx, vault.Scope{})
		if err != nil {
			return tree.Amended{}, err
		}
		if a.Change, err = r.confirmRows(ctx, o.Ref, func(rows []about.Row, id vault.ID) ([]about.Row, error) { return rowOf(rows, o.At, id) }, true, nil); err != nil {
			return tree.Amended{}, err
		}
	}
	return a.Do(ctx, r.Vault)
}

// rowOf returns the row of a binding as the memory says it.
func rowOf(rows []about.Row, at string, id vault.ID) ([]about.Row, error) {
	i := slices.IndexFunc(rows, func(row about.Row) bool { return row.Text == at })
	if i < 0 {
		return nil, errUnbound(at, id)
	}
	return rows[i : i+1], nil
}

package graph

import (
	"context"
	"fmt"

	"github.com/cp-memory/cp/vault"
)

// write writes the facts of several memories in one commit. One that cannot be written does not
// keep back the others.
type write struct {
	by  string
	all []drawing
}

// drawing is what was drawn of one memory.
type drawing struct {
	id     vault.ID
	of     string
	answer answer
}

// wrote is the outcome for one memory.
type wrote struct {
	same bool   // the file says it already
	left string // what there was no room for
	err  error
}

// Name is the verb's.
func (o write) Name() string { return "extract" }

// Plan merges what was drawn into each facts file.
func (o write) Plan(ctx context.Context, tx *vault.Tx) ([]wrote, error) {
	rows := make([]wrote, len(o.all))
	for i, d := range o.all {
		if rows[i] = o.planFacts(ctx, tx, d); ctx.Err() != nil {
			return nil, ctx.Err()
		}
	}
	if len(o.all) == 1 {
		tx.About(o.all[0].id, "")
	} else {
		tx.About("", fmt.Sprintf("%d memories", len(o.all)))
	}
	return rows, nil
}

func (o write) planFacts(ctx context.Context, tx *vault.Tx, d drawing) (row wrote) {
	if _, err := tx.Open(ctx, string(d.id)); err != nil { // deleted meanwhile
		return wrote{err: err}
	}
	was, err := tx.Facts(ctx, vault.FactsPath(d.id))
	if err != nil {
		return wrote{err: err}
	}
	f, err := ReadFacts(d.id, was)
	if err != nil {
		return wrote{err: err}
	}
	f, row.left = d.answer.redrawFacts(f, d.of, o.by)
	now := f.Bytes()
	row.same = string(now) == string(was)
	row.err = tx.SetFacts(ctx, vault.FactsPath(d.id), was, now)
	return row
}

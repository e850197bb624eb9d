package tree

import (
	"context"
	"slices"
	"strings"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/prose"
)

// Relinked tells what a move does to links, in the moved text and elsewhere.
type Relinked struct {
	LinksMoved
	Broken []string `json:"broken_links,omitempty"` // of those left the ones in the moved text, as paths
}

// mend is what becomes of the links in one memory's text.
type mend struct {
	doc          *vault.Doc
	links, stuck []prose.Relink
}

// mending finds the links that the moves concern.
func mending(ctx context.Context, tx *vault.Tx, moves []FileMove) (all []mend, err error) {
	docs, leads, err := tx.Linking(ctx, ShiftsOf(moves))
	m := NewMender(tx, moves, leads)
	for _, d := range docs {
		text, err := d.Text()
		if err != nil {
			return nil, err
		}
		one := mend{doc: d}
		if one.links, one.stuck, err = m.RelinkText(ctx, d.Path, text, true); err != nil {
			return nil, err
		}
		if d.Editable() != nil {
			one.links, one.stuck = nil, append(one.links, one.stuck...)
		}
		all = append(all, one)
	}
	return all, err
}

// warnUnmended warns of the read-only notes with links that would have to change.
func warnUnmended(mends []mend) []string {
	var notes []string
	for _, one := range mends {
		if one.doc.ReadOnly() && len(one.stuck) > 0 {
			notes = append(notes, string(one.doc.Path))
		}
	}
	if len(notes) == 0 {
		return nil
	}
	most := notes[:min(len(notes), 5)]
	return []string{vault.Plural(len(notes), "read-only note links", "read-only notes link") + " to what moved, and cp never writes into them: " +
		strings.Join(most, ", ") + vault.More(len(notes)-len(most))}
}

// relink plans the new destinations, or names the links if they are to be kept.
func (r *Relinked) relink(tx *vault.Tx, src *vault.Doc, mends []mend, keep bool) error {
	for _, one := range mends {
		if keep {
			one.links, one.stuck = nil, append(one.links, one.stuck...)
		}
		r.Add(one.doc.Path, one.links, one.stuck)
		for _, l := range one.stuck {
			if target, _, _ := prose.Relative(l.From); one.doc == src && !slices.Contains(r.Broken, target) {
				r.Broken = append(r.Broken, target)
			}
		}
		if len(one.links) == 0 {
			continue
		}
		if err := tx.Edit(one.doc, vault.Step{Op: vault.OpRelink, Links: one.links}); err != nil {
			return err
		}
	}
	return nil
}

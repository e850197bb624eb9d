package queue

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/cp-memory/cp/cmd/internal/bindings"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/about"
	"github.com/cp-memory/cp/vault/journal"
	"github.com/cp-memory/cp/vault/tree"
)

// mostLoud bounds the memories about changed code that a vault asks about at a time: a change of
// much code does not bury what else waits.
const mostLoud = 20

// loudMemories returns the memories about code that has changed, the most read ones. What cannot be
// told is none.
func (r *One) loudMemories(ctx context.Context) (out journal.LoudMemories, err error) {
	if !r.s.IsBound(ctx) {
		return out, nil
	}
	rows, err := r.s.Bindings.AllBindings(ctx)
	if err != nil {
		return out, err
	}
	states, _ := r.s.StatesOf(ctx, rows)
	loud := make(map[vault.ID]int)
	for _, row := range rows {
		if states[row.ID].IsLoud() && (r.has == nil || r.has(string(row.File))) {
			loud[row.ID] = 0
		}
	}
	ids := slices.Sorted(maps.Keys(loud))
	reads, err := r.s.Vault.Usage.Reads(ctx, ids)
	slices.SortStableFunc(ids, func(a, b vault.ID) int { return cmp.Compare(reads[b].Count, reads[a].Count) })
	for _, id := range ids[min(len(ids), mostLoud):] {
		delete(loud, id)
	}
	for id := range loud {
		loud[id] = reads[id].Count
	}
	return journal.LoudMemories{Reads: loud, More: len(ids) - len(loud)}, cmp.Or(err, context.Cause(ctx))
}

// addCode says of each item how the code stands that it is about, and shows what has changed; a
// bare item has no more than the former.
func (r *One) addCode(ctx context.Context, items []journal.Item, bare bool) error {
	if len(items) == 0 || r.s.Vault.CodeStates == nil {
		return nil
	}
	ids := make([]vault.ID, len(items))
	for i := range items {
		ids[i] = items[i].ID
	}
	states := r.s.Vault.CodeStates(ctx, ids, nil)
	for i := range items {
		item := &items[i]
		if item.Code = states[item.ID]; bare || !item.Code.IsLoud() {
			continue
		}
		seen, err := bindings.Room{Session: r.s}.Show(ctx, item.ID)
		if err != nil {
			return err
		}
		item.SeenCode = seen
	}
	return nil
}

// confirmation confirms an item, with another text where one is given.
func (r *One) confirmation(ctx context.Context, item journal.Item, d Decision) ([]journal.DecisionPart, *Outcome, error) {
	change, err := bindings.Room{Session: r.s}.ConfirmSeen(ctx, item.ID, item.CodeHash)
	if err != nil {
		return nil, nil, err
	}
	verb := tree.Amend{Ref: string(item.ID)}
	if strings.TrimSpace(d.Text) != "" {
		verb = amendText(item, d.Text)
	}
	verb.Change = change
	return []journal.DecisionPart{journal.PartOf(verb)}, &Outcome{Level: item.Level}, nil
}

// unbinding takes off an item what it is about and what has changed.
func (r *One) unbinding(ctx context.Context, item journal.Item) ([]journal.DecisionPart, *Outcome, error) {
	change, err := bindings.Room{Session: r.s}.UnbindSeen(ctx, item.ID, item.CodeHash)
	if err != nil {
		return nil, nil, err
	}
	return []journal.DecisionPart{journal.PartOf(tree.Amend{Ref: string(item.ID), Change: about.Change{RemoveAbout: change.RemoveAbout}})}, &Outcome{Level: item.Level}, nil
}

package vault

import (
	"context"
	"maps"
	"slices"
)

// Linking opens the memories whose links moves may concern, and tells what names mean.
func (tx *Tx) Linking(ctx context.Context, moves []Shift) (all []*Doc, leads Leads, err error) {
	if _, err := tx.CatchUp(ctx, Scope{}); err != nil { // a link may have been typed since
		return nil, nil, err
	}
	found, err := tx.Tree().Linking(ctx, tx.shifts(moves))
	if err != nil {
		return nil, nil, err
	}
	for _, p := range found.Files {
		d, err := tx.openRow(ctx, p)
		if err != nil {
			return nil, nil, err
		}
		if d != nil {
			all = append(all, d)
		}
	}
	for _, p := range slices.Sorted(maps.Keys(tx.docs)) {
		if d := tx.docs[p].ensureParsed(); !slices.Contains(all, d) {
			all = append(all, d)
		}
	}
	return all, found.Leads, nil
}

// openRow opens the memory that the mirror has at p; nil if it is gone, or goes.
func (tx *Tx) openRow(ctx context.Context, p Path) (*Doc, error) {
	n, ok, err := tx.Tree().At(ctx, p)
	if e := tx.edits[tx.pathAfterMoves(p)]; err != nil || !ok || e != nil && e.Remove {
		return nil, err
	}
	d, err := tx.OpenAt(n)
	if CodeOf(err) == CodeNotFound {
		return nil, nil
	}
	return d, err
}

// shifts returns where the files go that were planned, and that are to move now. A move says
// where its file is by what was planned, and where it goes.
func (tx *Tx) shifts(moves []Shift) (all []Shift) {
	for _, e := range tx.order {
		if e.Create != nil || e.Remove || e.To != "" {
			all = append(all, tx.shift(e))
		}
	}
	for i, s := range all {
		for _, move := range moves {
			if s.Was == move.Was && s.Tree == move.Tree || move.Tree && s.Was != "" && s.Was.Within(move.Was) {
				all[i].Is = move.Is + s.Was[len(move.Was):]
			}
		}
	}
	for _, move := range moves {
		if !slices.ContainsFunc(all, func(s Shift) bool { return s.Was == move.Was && s.Tree == move.Tree }) {
			move.Row = tx.was(move.Was)
			all = append(all, move)
		}
	}
	return all
}

// shift returns what an edit that was planned does to its file.
func (tx *Tx) shift(e *Edit) Shift {
	s := Shift{Row: e.Path, Was: e.target(), Is: e.target(), Tree: e.Tree}
	if e.Remove {
		s.Was, s.Is = "", ""
	}
	if e.Create != nil {
		s.Row = ""
	}
	if d := tx.docs[s.Was].ensureParsed(); d != nil && e.Create != nil {
		s.ID, s.Title = d.ID, d.Title
	}
	return s
}

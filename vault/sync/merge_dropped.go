package sync

import (
	"bytes"
	"cmp"
	"context"

	"github.com/cp-memory/cp/vault"

	"github.com/cp-memory/cp/vault/merge"
)

// Dropped tells which values give way where both sides of a merge, which is in no
// commit yet, have set them.
func (v *Syncer) Dropped(ctx context.Context, m Merge) ([]Conflict, error) {
	if v.Merges == nil {
		return []Conflict{}, nil
	}
	m.Commit = m.Sides[0]
	s := &settlement{v: v, ctx: ctx, m: m, head: m.Commit, alone: true}
	if err := s.load(); err != nil {
		return nil, err
	}
	for _, id := range s.ids() {
		if r, ok := s.bothChanged(id); ok {
			from, _ := s.base.one(id)
			p, _ := s.sides[0].one(id)
			if q, ok := s.sides[1].one(id); ok && p == from {
				p = q
			}
			s.gave = append(s.gave, dropped(id, p, r.Dropped, m.Sides)...)
		}
	}
	return Unrepeated(s.gave), nil
}

// bothChanged returns the merge of a memory that both sides have changed.
func (s *settlement) bothChanged(id vault.ID) (r merge.Result, ok bool) {
	o, a, b := s.versionsOf(id)
	if a == nil || b == nil || bytes.Equal(a, b) || bytes.Equal(o, a) || bytes.Equal(o, b) {
		return r, false
	}
	r = merge.Merge(o, a, b, merge.Options{})
	return r, len(r.Dropped) > 0
}

// tell tells which values gave way in the merge, where it was the driver's or is
// this pass's: what a person decided they know.
func (s *settlement) tell() error {
	s.gave = nil
	for _, id := range s.ids() {
		if s.quiet {
			break
		}
		r, ok := s.bothChanged(id)
		if !ok {
			continue
		}
		p, text, edited := s.outcome(id)
		m := vault.Parse(p, text)
		for _, d := range r.Dropped {
			told := edited || bytes.Equal(headerOf(text), headerOf(r.Text))
			if e := entryOf(m.Pointers, vault.ID(d.Pointer)); d.Pointer != "" {
				told = edited || e != nil && (d.Kept == e.Title || d.Kept == e.Summary)
			}
			if told {
				s.gave = append(s.gave, dropped(id, p, []merge.Dropped{d}, s.m.Sides)...)
			}
		}
	}
	return nil
}

// outcome returns where a memory is after this pass, and its text: as the merge left
// it, or edited.
func (s *settlement) outcome(id vault.ID) (p vault.Path, text []byte, edited bool) {
	for _, e := range s.edits.all() {
		text := e.Create
		for _, step := range e.Steps {
			if step.Op == vault.OpSetText {
				text = []byte(step.Text)
			}
		}
		if text != nil && vault.Parse(e.Path, text).ID == id {
			return vault.Path(cmp.Or(string(e.To), string(e.Path))), text, true
		}
	}
	p, _ = s.merged.one(id)
	return p, s.merged.texts[p], false
}

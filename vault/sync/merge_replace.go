package sync

import (
	"bytes"
	"slices"

	"github.com/cp-memory/cp/vault"

	"github.com/cp-memory/cp/vault/merge"
)

// apart gives each memory the merge of its own versions if git has merged it with another
// one or has not seen where it went. Git pairs files by path, and moved files by likeness.
// So it takes two memories of one form for one, and does not look for a memory whose old
// path holds another one now.
func (s *settlement) apart() error {
	ids := s.ids()
	for _, id := range slices.Concat(ids, ids) { // once more: then what lay over it has gone
		if max(len(s.base.at[id]), len(s.sides[0].at[id]), len(s.sides[1].at[id])) > 1 {
			if err := s.oustedBesideCopies(id); err != nil {
				return err
			}
			continue
		}
		o, a, b := s.versionsOf(id)
		if a == nil && b == nil {
			continue
		}
		if at, ok := s.standing(id); ok && s.edits.at[at] != nil {
			continue // settled already
		} else if ok {
			if err := s.byItself(id, at, o, a, b); err != nil {
				return err
			}
		} else if err := s.ousted(id, o, a, b); err != nil {
			return err
		}
	}
	return nil
}

// versionsOf returns a memory's own texts in the base and on the sides. If one side gave a
// copy an id of its own, the other versions still have the old id.
func (s *settlement) versionsOf(id vault.ID) (o, a, b []byte) {
	o, a, b = s.base.own(id), s.sides[0].own(id), s.sides[1].own(id)
	if o != nil || (a == nil) == (b == nil) {
		return o, a, b
	}
	named, other := s.sides[0], s.sides[1]
	if a == nil {
		named, other = other, named
	}
	p, _ := named.one(id)
	was, is := s.base.mem[p], other.mem[p]
	if was == nil || is == nil || is.ID != was.ID || len(s.base.at[was.ID]) < 2 {
		return o, a, b
	}
	return s.base.texts[p], s.sides[0].texts[p], s.sides[1].texts[p]
}

// own returns the text of a memory that is in one place.
func (n *snapshot) own(id vault.ID) []byte {
	if p, ok := n.one(id); ok {
		return n.texts[p]
	}
	return nil
}

// assign says that the file at p belongs to the memory, whatever id its text carries.
func (n *snapshot) assign(id vault.ID, p vault.Path) {
	if m := n.mem[p]; m != nil && m.ID != id {
		n.at[m.ID] = slices.DeleteFunc(n.at[m.ID], func(q vault.Path) bool { return q == p })
		n.at[id] = append(n.at[id], p)
	}
}

// standing returns where a memory is after the merge: where it says that it is,
// or where a side has put it and the text says nothing, or something else.
func (s *settlement) standing(id vault.ID) (vault.Path, bool) {
	if p, ok := s.merged.one(id); ok {
		return p, s.newcomer(p) == "" || s.newcomer(p) == id
	}
	was, _ := s.base.one(id)
	for _, side := range s.sides {
		if p, ok := side.one(id); ok && p != was && len(s.merged.at[id]) == 0 && s.merged.texts[p] != nil {
			return p, true
		}
	}
	return "", false
}

// newcomer returns the memory that one side put at p in place of another one.
func (s *settlement) newcomer(p vault.Path) vault.ID {
	a, b, was := s.sides[0].mem[p], s.sides[1].mem[p], s.base.mem[p]
	if was == nil || was.ID == "" {
		return ""
	}
	for _, m := range []*vault.Memory{a, b} {
		if m != nil && m.ID != "" && m.ID != was.ID {
			return m.ID
		}
	}
	return ""
}

// byItself puts a memory's own text in its place. If all its versions were at one path,
// git has paired them right.
func (s *settlement) byItself(id vault.ID, at vault.Path, o, a, b []byte) error {
	m := s.merged.texts[at]
	want := a
	switch {
	case a == nil:
		want = b
	case b != nil && bytes.Equal(a, b), b != nil && bytes.Equal(o, b):
	case b != nil && bytes.Equal(o, a):
		want = b
	case b != nil:
		if s.samePlace(id, at) {
			return nil
		}
		if r := merge.Merge(o, a, b, merge.Options{}); bytes.Equal(r.Text, m) {
			return nil
		}
		if v, err := s.given(at); err != nil || v.of(a, b) && v.driven(m) {
			return err // git paired it right, perhaps from a better base
		}
		want = merge.Merge(o, a, b, merge.Options{Both: true}).Text
	}
	if bytes.Equal(want, m) || !bytes.Equal(m, s.now.texts[at]) {
		return nil
	}
	gits, err := s.gits(at, m)
	if err != nil || !gits || !s.clean(at) {
		return err
	}
	s.edits.add(at, vault.Step{Op: vault.OpSetText, Text: string(want)})
	s.merged.assign(id, at)
	s.now.assign(id, at)
	s.found(ConflictMarkers, id, at, "git merged it with another memory, or not at all", "git had taken another memory for it: merged it with its own text")
	return nil
}

// samePlace reports whether all versions of a memory are at p.
func (s *settlement) samePlace(id vault.ID, p vault.Path) bool {
	for _, n := range []*snapshot{s.base, s.sides[0], s.sides[1]} {
		if at, ok := n.one(id); ok && at != p {
			return false
		}
	}
	return true
}

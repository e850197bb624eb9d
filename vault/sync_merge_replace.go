package vault

import (
	"bytes"
	"slices"

	"github.com/cp-memory/cp/vault/merge"
)

// apart gives each memory the merge of its own versions where git has merged it
// with another one, or has not seen where it went. Git pairs files by place, and
// those that moved by likeness: two memories of one form are taken for one, and
// one in whose old place another was put is not looked for.
func (s *settlement) apart() error {
	ids := s.ids()
	for _, id := range slices.Concat(ids, ids) { // once more: then what lay over it has gone
		if max(len(s.base.at[id]), len(s.sides[0].at[id]), len(s.sides[1].at[id])) > 1 {
			continue // copies
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

// versionsOf returns a memory's own texts in the base and on the sides. Of a copy
// that one side gave an id of its own, the others have the old one still.
func (s *settlement) versionsOf(id ID) (o, a, b []byte) {
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
func (n *snapshot) own(id ID) []byte {
	if p, ok := n.one(id); ok {
		return n.texts[p]
	}
	return nil
}

// assign says that the file at p is the memory's, whatever its text says.
func (n *snapshot) assign(id ID, p Path) {
	if m := n.mem[p]; m != nil && m.ID != id {
		n.at[m.ID] = slices.DeleteFunc(n.at[m.ID], func(q Path) bool { return q == p })
		n.at[id] = append(n.at[id], p)
	}
}

// standing returns where a memory is after the merge: where it says that it is,
// or where a side has put it and the text says nothing, or something else.
func (s *settlement) standing(id ID) (Path, bool) {
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

// newcomer returns the memory that one side put at p in the place of another.
func (s *settlement) newcomer(p Path) ID {
	a, b, was := s.sides[0].mem[p], s.sides[1].mem[p], s.base.mem[p]
	if was == nil || was.ID == "" {
		return ""
	}
	for _, m := range []*Memory{a, b} {
		if m != nil && m.ID != "" && m.ID != was.ID {
			return m.ID
		}
	}
	return ""
}

// byItself puts a memory's own text in its place. Where its versions stood at one
// path git has paired them right.
func (s *settlement) byItself(id ID, at Path, o, a, b []byte) error {
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
		want = merge.Merge(o, a, b, merge.Options{Both: true}).Text
	}
	if bytes.Equal(want, m) || !bytes.Equal(m, s.now.texts[at]) {
		return nil
	}
	gits, err := s.gits(at, m, a, b)
	if err != nil || !gits || !s.clean(at) {
		return err
	}
	s.edits.add(at, Step{Op: OpSetText, Text: string(want)})
	s.merged.assign(id, at)
	s.now.assign(id, at)
	s.found(ConflictMarkers, id, at, "git merged it with another memory, or not at all", "git had taken another memory for it: merged it with its own text")
	return nil
}

// samePlace reports whether all versions of a memory are at p.
func (s *settlement) samePlace(id ID, p Path) bool {
	for _, n := range []*snapshot{s.base, s.sides[0], s.sides[1]} {
		if at, ok := n.one(id); ok && at != p {
			return false
		}
	}
	return true
}

// ousted makes a new file of a memory that is nowhere after the merge though one
// side edited it, or has it as the other side has: the other side put another one
// in its place, or git thought so.
func (s *settlement) ousted(id ID, o, a, b []byte) error {
	was, ok := s.base.one(id)
	both := a != nil && b != nil
	left := append(a, b...)
	if !ok || s.targets[id] != "" || len(s.now.at[id]) > 0 || !both && onlyPointers(o, left) {
		return nil
	}
	if both || s.merged.texts[was] == nil || s.newcomer(was) == "" {
		if mistaken, err := s.mistaken(id); err != nil || !mistaken {
			return err
		}
	}
	if both {
		left = merge.Merge(o, a, b, merge.Options{Both: true}).Text
	}
	want := s.broughtTo(id, was)
	to, err := s.free("", want)
	if err != nil {
		return err
	}
	s.edits.of(to).Create = left
	s.targets[id] = to
	switch {
	case both:
		s.back = append(s.back, id)
		s.found(ReturnedFile, id, to, "git left it out", "git had left it out, though both sides have it: it is back")
	case to == want:
		s.found(ReturnedFile, id, to, "one side deleted it", "one side deleted it, the other edited it: it is back")
	default:
		s.found(ReturnedFile, id, to, "one side put another memory in its place", "one side put another memory in its place, the other edited it: it is here now")
	}
	return nil
}

// broughtTo returns where a side has moved a memory that was at was; of two such
// places the smaller.
func (s *settlement) broughtTo(id ID, was Path) Path {
	var places []Path
	for _, side := range s.sides {
		if p, ok := side.one(id); ok && p != was {
			places = append(places, p)
		}
	}
	if len(places) == 0 {
		return was
	}
	return slices.Min(places)
}

// mistaken reports whether it was git that left out a memory: a file that one side
// deleted and the other edited it leaves in its place, so it took a file of the
// other side's for this one under a new name, or lost its way among folders that
// moved into each other.
func (s *settlement) mistaken(id ID) (bool, error) {
	if len(s.merged.at[id]) > 0 {
		return false, nil
	}
	if err := s.again(); err != nil || s.replay == nil {
		return false, err
	}
	for _, p := range slices.Concat(s.sides[0].at[id], s.sides[1].at[id]) {
		if text, err := s.replay(p); err != nil || text != nil {
			return false, err
		}
	}
	return true, nil
}

// gits reports whether the text at p is what git by itself made of it, with or
// without the markers of a conflict, and no person's decision.
func (s *settlement) gits(p Path, m, a, b []byte) (bool, error) {
	if len(sideMarks(m)) > 0 {
		return true, nil
	}
	if err := s.again(); err != nil {
		return false, err
	}
	if !s.open[p] && (bytes.Equal(m, a) || bytes.Equal(m, b)) || s.another(p, m, a, b) {
		return true, nil
	}
	if s.replay == nil {
		return false, nil
	}
	text, err := s.replay(p)
	return err == nil && bytes.Equal(m, text), err
}

// another reports whether m is, to the byte, a side's text of another memory, which
// is elsewhere too: git gave both places one text.
func (s *settlement) another(p Path, m, a, b []byte) bool {
	other := s.merged.mem[p]
	if other == nil || len(s.merged.at[other.ID]) < 2 || bytes.Equal(m, a) || bytes.Equal(m, b) {
		return false
	}
	return bytes.Equal(m, s.sides[0].own(other.ID)) || bytes.Equal(m, s.sides[1].own(other.ID))
}

// again merges the sides once more, as git does it by itself, where it can.
func (s *settlement) again() (err error) {
	if !s.replayed {
		s.replayed = true
		s.replay, s.open, err = s.v.Merges.Replay(s.ctx, s.m.Sides[0], s.m.Sides[1])
	}
	return err
}

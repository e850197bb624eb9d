package sync

import (
	"slices"

	"github.com/cp-memory/cp/vault"

	"github.com/cp-memory/cp/vault/merge"
)

// ousted makes a new file for a memory that is nowhere after the merge, although one side
// edited it or has it unchanged: the other side put another memory in its place, or git
// thought so.
func (s *settlement) ousted(id vault.ID, o, a, b []byte) error {
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

// oustedBesideCopies makes a memory's file anew if one side edited the memory and copied
// it by hand, the other side deleted it, and git left only the copy.
func (s *settlement) oustedBesideCopies(id vault.ID) error {
	was, ok := s.base.one(id)
	if !ok || s.merged.texts[was] != nil || s.now.texts[was] != nil || s.edits.at[was] != nil {
		return nil
	}
	for i, side := range s.sides {
		if !slices.Contains(side.at[id], was) || len(s.sides[1-i].at[id]) > 0 || onlyPointers(s.base.texts[was], side.texts[was]) {
			continue
		}
		if file, sure, err := s.leaves(was); err != nil || file || !sure {
			return err
		}
		s.edits.of(was).Create = side.texts[was]
		s.found(ReturnedFile, id, was, "one side deleted it", "one side deleted it, the other edited it: it is back")
	}
	return nil
}

// broughtTo returns where a side has moved a memory that was at was; of two such
// places the smaller.
func (s *settlement) broughtTo(id vault.ID, was vault.Path) vault.Path {
	var places []vault.Path
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

// mistaken reports whether it was git that left out a memory. Git keeps a file that one
// side deleted and the other edited. So it took a file of the other side for this one
// under a new name, or lost its way among folders that moved into each other.
func (s *settlement) mistaken(id vault.ID) (bool, error) {
	if len(s.merged.at[id]) > 0 {
		return false, nil
	}
	for _, p := range slices.Concat(s.sides[0].at[id], s.sides[1].at[id]) {
		if file, sure, err := s.leaves(p); err != nil || file || !sure {
			return false, err
		}
	}
	return true, nil
}

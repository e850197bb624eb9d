package converge

import (
	"bytes"
	"slices"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/merge"
)

// separateVersions gives each memory the merge of its own versions if git has merged it with another
// one or has not seen where it went. Git pairs files by path, and moved files by likeness.
// So it takes two memories of one form for one, and does not look for a memory whose old
// path holds another one now.
func (s *plan) separateVersions() {
	ids := s.ids()
	for _, id := range slices.Concat(ids, ids) { // once more: then what lay over it has gone
		o, a, b := s.versionsOf(id)
		at, stands := s.placeAfterMerge(id)
		switch {
		case s.isCopied(id):
			s.oustedBesideCopies(id)
		case a == nil && b == nil:
		case s.findCarried(id) != "":
			s.bringBack(id, s.findCarried(id), slices.Concat(a, b))
		case !stands:
			s.recreateOusted(id, o, a, b)
		case s.edits[at] == nil: // else it is put right already
			s.byItself(id, at, o, a, b)
		}
	}
}

// versionsOf returns a memory's own texts in the base and on the sides. If one side gave a
// copy an id of its own, the other versions still have the old id.
func (s *plan) versionsOf(id vault.ID) (o, a, b []byte) {
	o, a, b = s.base.own(id), s.sides[0].own(id), s.sides[1].own(id)
	if o != nil || (a == nil) == (b == nil) {
		return o, a, b
	}
	named, other := s.sides[0], s.sides[1]
	if a == nil {
		named, other = other, named
	}
	p, _ := named.onlyPlace(id)
	was, is := s.base.mem[p], other.mem[p]
	if was == nil || is == nil || is.ID != was.ID || len(s.base.at[was.ID]) < 2 {
		return o, a, b
	}
	return s.base.texts[p], s.sides[0].texts[p], s.sides[1].texts[p]
}

// placeAfterMerge returns where a memory is after the merge: where it says that it is,
// or where a side has put it and the text says nothing, or something else.
func (s *plan) placeAfterMerge(id vault.ID) (vault.Path, bool) {
	if p, ok := s.merged.onlyPlace(id); ok {
		return p, s.newcomer(p) == "" || s.newcomer(p) == id
	}
	was, _ := s.base.onlyPlace(id)
	for _, side := range s.sides {
		if p, ok := side.onlyPlace(id); ok && p != was && len(s.merged.at[id]) == 0 && s.merged.texts[p] != nil {
			return p, true
		}
	}
	return "", false
}

// newcomer returns the memory that one side put at p in place of another one.
func (s *plan) newcomer(p vault.Path) vault.ID {
	was := s.base.mem[p]
	if was == nil || was.ID == "" {
		return ""
	}
	for _, side := range s.sides {
		if m := side.mem[p]; m != nil && m.ID != "" && m.ID != was.ID {
			return m.ID
		}
	}
	return ""
}

// findCarried returns where git took a memory of one side: to where the other side had moved the memory
// in whose place it was made. Git takes the two for one file that was changed and moved.
func (s *plan) findCarried(id vault.ID) vault.Path {
	for i, side := range s.sides {
		p, made := side.onlyPlace(id)
		if !made || len(s.base.at[id])+len(s.sides[1-i].at[id]) > 0 || s.newcomer(p) != id || s.merged.texts[p] != nil {
			continue
		}
		if q, moved := s.sides[1-i].onlyPlace(s.base.mem[p].ID); moved && s.merged.texts[q] != nil {
			return q
		}
	}
	return ""
}

// bringBack makes a memory anew where its side made it, which git took to the path at.
func (s *plan) bringBack(id vault.ID, at vault.Path, text []byte) {
	m := s.merged.texts[at]
	if s.targets[id] != "" || !bytes.Equal(m, s.now.texts[at]) || !s.gits(at, m) || !s.isClean(at) {
		return
	}
	was := slices.Concat(s.sides[0].at[id], s.sides[1].at[id])[0]
	to := s.freePath(was)
	s.edits.Of(to).Create = text
	s.targets[id] = to
	s.addDiscrepancy(ReturnedFile, id, to, "git took it for another memory", "git had taken it for a memory that the other side moved: it is back")
}

// byItself puts a memory's own text in its place. If all its versions were at one path,
// git has paired them right.
func (s *plan) byItself(id vault.ID, at vault.Path, o, a, b []byte) {
	m := s.merged.texts[at]
	want := a
	switch {
	case a == nil:
		want = b
	case b == nil, bytes.Equal(a, b), bytes.Equal(o, b):
	case bytes.Equal(o, a):
		want = b
	case s.samePlace(id, at), bytes.Equal(merge.Merge(o, a, b, merge.Options{}).Text, m):
		return
	default:
		if v, known := s.driverVersions(at); !known || v.hasSides(a, b) && v.driven(m) {
			return // git paired it right, perhaps from a better base
		}
		want = merge.Merge(o, a, b, merge.Options{Both: true}).Text
	}
	if bytes.Equal(want, m) || !bytes.Equal(m, s.now.texts[at]) || !s.gits(at, m) || !s.isClean(at) {
		return
	}
	s.setText(at, want)
	s.merged.assign(id, at)
	s.now.assign(id, at)
	s.addDiscrepancy(ConflictMarkers, id, at, "git merged it with another memory, or not at all", "git had taken another memory for it: merged it with its own text")
}

// samePlace reports whether all versions of a memory are at p.
func (s *plan) samePlace(id vault.ID, p vault.Path) bool {
	for _, n := range []*snapshot{s.base, s.sides[0], s.sides[1]} {
		if at, ok := n.onlyPlace(id); ok && at != p {
			return false
		}
	}
	return true
}

// recreateOusted makes a new file for a memory that is nowhere after the merge, although one side
// edited it or has it unchanged: the other side put another memory in its place, or git
// thought so.
func (s *plan) recreateOusted(id vault.ID, o, a, b []byte) {
	was, ok := s.base.onlyPlace(id)
	both := a != nil && b != nil
	left := slices.Concat(a, b)
	if !ok || s.targets[id] != "" || len(s.now.at[id]) > 0 || !both && OnlyPointers(o, left) {
		return
	}
	if (both || s.merged.texts[was] == nil || s.newcomer(was) == "") && !s.mistaken(id) {
		return
	}
	if both {
		left = merge.Merge(o, a, b, merge.Options{Both: true}).Text
	}
	want := s.broughtTo(id, was)
	to := s.freePath(want)
	s.edits.Of(to).Create = left
	s.targets[id] = to
	switch {
	case both:
		s.back = append(s.back, id)
		s.addDiscrepancy(ReturnedFile, id, to, "git left it out", "git had left it out, though both sides have it: it is back")
	case to == want:
		s.addDiscrepancy(ReturnedFile, id, to, "one side deleted it", "one side deleted it, the other edited it: it is back")
	default:
		s.addDiscrepancy(ReturnedFile, id, to, "one side put another memory in its place", "one side put another memory in its place, the other edited it: it is here now")
	}
}

// oustedBesideCopies makes a memory's file anew if one side edited the memory and copied
// it by hand, the other side deleted it, and git left only the copy.
func (s *plan) oustedBesideCopies(id vault.ID) {
	was, ok := s.base.onlyPlace(id)
	if !ok || s.merged.texts[was] != nil || s.now.texts[was] != nil || s.edits[was] != nil {
		return
	}
	for i, side := range s.sides {
		if !slices.Contains(side.at[id], was) || len(s.sides[1-i].at[id]) > 0 || OnlyPointers(s.base.texts[was], side.texts[was]) {
			continue
		}
		if file, sure := s.gitLeavesFile(was); file || !sure {
			return
		}
		s.edits.Of(was).Create = side.texts[was]
		s.addDiscrepancy(ReturnedFile, id, was, "one side deleted it", "one side deleted it, the other edited it: it is back")
	}
}

// broughtTo returns where a side has moved a memory that was at was; of two such
// places the smaller.
func (s *plan) broughtTo(id vault.ID, was vault.Path) vault.Path {
	var places []vault.Path
	for _, side := range s.sides {
		if p, ok := side.onlyPlace(id); ok && p != was {
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
func (s *plan) mistaken(id vault.ID) bool {
	if len(s.merged.at[id]) > 0 {
		return false
	}
	for _, p := range slices.Concat(s.sides[0].at[id], s.sides[1].at[id]) {
		if file, sure := s.gitLeavesFile(p); file || !sure {
			return false
		}
	}
	return true
}

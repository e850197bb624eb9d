package vault

import (
	"bytes"

	"github.com/cp-memory/cp/vault/merge"
)

// replaced settles the places where one side put another memory than the one
// that the other side edited there. Git merges by place and takes the two for one;
// each of them is merged with its own text here, wherever that is.
func (s *settlement) replaced() error {
	ids, newcomer := make(map[ID]bool), make(map[Path]ID)
	for _, p := range s.paths {
		a, b, was := s.sides[0].mem[p], s.sides[1].mem[p], s.base.mem[p]
		m := s.merged.texts[p]
		if a == nil || b == nil || was == nil || !two(a.ID, b.ID) || was.ID != a.ID && was.ID != b.ID || !s.asMerged(p, m) {
			continue
		}
		ids[a.ID], ids[b.ID] = true, true
		if newcomer[p] = a.ID; a.ID == was.ID {
			newcomer[p] = b.ID
		}
	}
	for _, id := range sortedKeys(ids) {
		at, ok := s.standing(id)
		if first, taken := newcomer[at]; taken && first != id {
			at, ok = "", false
		}
		if err := s.byItself(id, at, ok); err != nil {
			return err
		}
	}
	return nil
}

func two(a, b ID) bool { return a != "" && b != "" && a != b }

// asMerged reports whether the text at p is what the merge left, and that was no
// person's work.
func (s *settlement) asMerged(p Path, m []byte) bool {
	if m == nil || !bytes.Equal(m, s.now.texts[p]) || !s.clean(p) {
		return false
	}
	return s.asGitLeft(p, m) || bytes.Equal(m, merge.Merge(s.base.texts[p], s.sides[0].texts[p], s.sides[1].texts[p], merge.Options{}).Text)
}

// byItself gives a memory the merge of its own versions.
func (s *settlement) byItself(id ID, at Path, there bool) error {
	o, a, b := s.base.own(id), s.sides[0].own(id), s.sides[1].own(id)
	switch {
	case a != nil && b != nil:
		a = merge.Merge(o, a, b, merge.Options{Both: true}).Text
	case a == nil:
		a = b
	}
	switch {
	case a == nil:
		return nil
	case there:
		return s.become(id, at, a)
	case o != nil && onlyPointers(o, a):
		return nil
	}
	return s.comeBack(id, a)
}

// own returns the text of a memory that is in one place.
func (n *snapshot) own(id ID) []byte {
	if p, ok := n.one(id); ok {
		return n.texts[p]
	}
	return nil
}

// standing returns where a memory is after the merge, or where the side has it
// that moved it, since its text there may be unreadable.
func (s *settlement) standing(id ID) (Path, bool) {
	if p, ok := s.merged.one(id); ok {
		return p, true
	}
	was, _ := s.base.one(id)
	for _, side := range s.sides {
		if p, ok := side.one(id); ok && p != was && len(s.merged.at[id]) == 0 && s.merged.texts[p] != nil {
			return p, true
		}
	}
	return "", false
}

// become puts the text of a memory in its place.
func (s *settlement) become(id ID, at Path, text []byte) error {
	if bytes.Equal(text, s.now.texts[at]) || !bytes.Equal(s.merged.texts[at], s.now.texts[at]) || !s.clean(at) {
		return nil
	}
	s.edits.add(at, Step{Op: OpSetText, Text: string(text)})
	s.found(ConflictMarkers, id, at, "git merged it with another memory, which one side had put in its place", "merged it with its own text, which was elsewhere on the other side")
	return nil
}

// comeBack makes a new file of a memory that one side replaced by another one,
// and the other edited.
func (s *settlement) comeBack(id ID, text []byte) error {
	was, ok := s.base.one(id)
	if !ok || len(s.now.at[id]) > 0 {
		return nil
	}
	to, err := s.free("", was)
	if err != nil {
		return err
	}
	s.edits.of(to).Create = text
	s.targets[id] = to
	s.found(ReturnedFile, id, to, "one side put another memory in its place", "one side put another memory in its place, the other edited it: it is here now")
	return nil
}

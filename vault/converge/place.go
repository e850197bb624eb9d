package converge

import (
	"bytes"
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/merge"
)

// placeFiles moves what is not where it is to be, parents before what is below them.
func (s *plan) placeFiles() {
	var wrong []vault.ID
	for _, id := range slices.Sorted(maps.Keys(s.moves)) {
		at := s.merged.at[id]
		if len(at) == 0 || !s.isUntouched(id) || s.isDecided(at[0]) {
			continue
		}
		if to, ok := s.targetPath(id); ok && (len(at) > 1 || to != at[0]) {
			wrong = append(wrong, id)
		} else if ok && !s.Quiet {
			s.tellOrphaned(id)
		}
	}
	slices.SortStableFunc(wrong, func(a, b vault.ID) int {
		return cmp.Compare(strings.Count(string(s.targets[a]), "/"), strings.Count(string(s.targets[b]), "/"))
	})
	for _, id := range wrong {
		delete(s.targets, id) // what is above it has its place by now
		s.targetPath(id)
		s.placeMemory(id)
	}
}

// isDecided reports whether an edit says already what becomes of the file at p.
func (s *plan) isDecided(p vault.Path) bool {
	e := s.edits[p]
	return e != nil && (e.Remove || e.To != "" || s.paired[p])
}

// tellOrphaned tells of a memory that came under a parent which the other side deleted.
func (s *plan) tellOrphaned(id vault.ID) {
	m := s.moves[id]
	if m.parent == "" || !m.moved || s.lives(m.parent) {
		return
	}
	if _, old := s.base.onlyPlace(m.parent); old {
		s.addDiscrepancy(OrphanedMemory, id, s.merged.at[id][0], "its parent was deleted on another clone", "its parent was deleted on another clone: it hangs under what is above")
	}
}

// lives reports whether a memory is there after this pass.
func (s *plan) lives(id vault.ID) bool {
	if slices.Contains(s.gone, id) {
		return false
	}
	if _, ok := s.targets[id]; ok || len(s.now.at[id]) > 0 {
		return true
	}
	_, ok := s.findUnchanged(id)
	return ok
}

// targetPath returns where a memory's file belongs. ok is false for a memory that is gone.
func (s *plan) targetPath(id vault.ID) (vault.Path, bool) {
	if p, ok := s.targets[id]; ok {
		return p, p != ""
	}
	s.targets[id] = "" // while it is being asked
	p, ok := s.wantedPath(id)
	if !ok {
		delete(s.targets, id)
		return "", false
	}
	s.targets[id] = p
	return p, true
}

func (s *plan) wantedPath(id vault.ID) (vault.Path, bool) {
	m, ok := s.moves[id]
	switch {
	case slices.Contains(s.gone, id):
		return "", false
	case !ok || !s.isUntouched(id): // it is where it is
		if n := len(s.now.at[id]); n > 0 {
			return s.now.at[id][0], n == 1
		}
		return s.findUnchanged(id)
	case m.parent == "":
		return vault.Path(m.rel), true
	}
	up, ok := s.targetPath(m.parent)
	if !ok || len(s.now.at[m.parent]) == 0 && !s.lives(m.parent) {
		return m.at, true // its parent is gone: it stays in that folder, below what is above
	}
	folder := up.Stem()
	if parent, ok := m.from.onlyPlace(m.parent); ok {
		folder = m.from.folderAt(parent, up)
	}
	return folder.Join(m.rel), true
}

// placeMemory moves a memory, its folder with it, to where it is to be, or leaves it in
// one of the two places in which it is.
func (s *plan) placeMemory(id vault.ID) {
	to, at := s.targets[id], s.merged.at[id]
	keep := at[0]
	if slices.Contains(at, to) {
		keep = to
	} else if m := s.moves[id]; slices.Contains(at, m.at) {
		keep = m.at
	}
	for _, p := range at {
		if p != keep {
			s.unite(id, keep, p)
		}
	}
	if keep == to {
		return
	}
	if to = s.vacate(keep, to); to != keep {
		s.targets[id] = to
		s.relocate(id, keep, to)
	}
}

// unite takes the second file of a memory away, its text merged into the first.
func (s *plan) unite(id vault.ID, keep, lose vault.Path) {
	if here, there := s.isClean(keep), s.isClean(lose); !here || !there {
		return
	}
	if text := s.uniteTexts(id, keep, lose); !bytes.Equal(text, s.now.texts[keep]) {
		s.setText(keep, text)
	}
	s.edits.Of(lose).Remove = true
	s.addDiscrepancy(MovedFile, id, keep, "it was at "+string(lose)+" too", "one side moved it, the other too or edited it; it is here and not at "+string(lose))
}

// uniteTexts returns the one text of a memory that is in two places. If git itself made both
// files, it is the merge of the sides. If a person changed one of the two, it is theirs.
// Else both texts are kept.
func (s *plan) uniteTexts(id vault.ID, keep, lose vault.Path) []byte {
	a, b := s.sides[0].memoryText(id, keep), s.sides[1].memoryText(id, keep)
	here, there := s.now.texts[keep], s.now.texts[lose]
	if a != nil && b != nil {
		switch gitsHere, gitsThere := s.gits(keep, here), s.gits(lose, there); {
		case gitsHere && gitsThere:
			here, there = a, b
		case gitsThere && !s.Ours:
			return here
		case gitsHere && !s.Ours:
			return there
		}
	}
	return merge.Merge(s.base.memoryText(id, keep), here, there, merge.Options{Both: true}).Text
}

// relocate moves a file with the memories in its folder.
func (s *plan) relocate(id vault.ID, from, to vault.Path) {
	s.edits.Of(from).To = to
	s.addDiscrepancy(MovedFile, id, to, "was "+string(from), "moved it here from "+string(from)+", where its parent is now")
	if s.Alone {
		return
	}
	nodes, _ := s.Below.get(id) // none where it stands twice, or has no row yet: what is below has moves of its own
	for _, n := range nodes {
		if below := n.Path; below != from && below.Within(from.Stem()) && s.edits[below] == nil && s.targets[n.ID] == "" {
			s.edits.Of(below).To = to.Stem() + below[len(from.Stem()):]
		}
	}
}

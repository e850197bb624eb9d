package sync

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/cp-memory/cp/vault"

	"github.com/cp-memory/cp/vault/merge"
)

// place moves what is not where it is to be, parents before what is below them.
func (s *settlement) place() error {
	var wrong []vault.ID
	for _, id := range slices.Sorted(maps.Keys(s.moves)) {
		if len(s.merged.at[id]) == 0 || !s.untouched(id) || s.decided(s.merged.at[id][0]) {
			continue
		}
		if to, ok := s.target(id); ok && (len(s.merged.at[id]) > 1 || to != s.merged.at[id][0]) {
			wrong = append(wrong, id)
		} else if ok && !s.quiet {
			s.orphaned(id)
		}
	}
	slices.SortStableFunc(wrong, func(a, b vault.ID) int {
		return cmp.Compare(strings.Count(string(s.targets[a]), "/"), strings.Count(string(s.targets[b]), "/"))
	})
	for _, id := range wrong {
		s.settle(id)
		if err := s.put(id); err != nil {
			return err
		}
	}
	return nil
}

// decided reports whether an edit of this pass says already what becomes of the
// file at p.
func (s *settlement) decided(p vault.Path) bool {
	e := s.edits.at[p]
	return e != nil && (e.Remove || e.To != "" || s.paired[p])
}

// settle asks anew where a memory is to be: what is above it has its place by now.
func (s *settlement) settle(id vault.ID) {
	delete(s.targets, id)
	s.target(id)
}

// orphaned tells of a memory that came under a parent which the other side deleted.
func (s *settlement) orphaned(id vault.ID) {
	m := s.moves[id]
	if m.parent == "" || !m.moved || s.lives(m.parent) {
		return
	}
	if _, old := s.base.one(m.parent); old {
		s.found(OrphanedMemory, id, s.merged.at[id][0], "its parent was deleted on another clone", "its parent was deleted on another clone: it hangs under what is above")
	}
}

// lives reports whether a memory is there after this pass.
func (s *settlement) lives(id vault.ID) bool {
	if slices.Contains(s.gone, id) {
		return false
	}
	if _, ok := s.targets[id]; ok || len(s.now.at[id]) > 0 {
		return true
	}
	_, ok := s.find(id)
	return ok
}

// target returns where a memory's file belongs. ok is false for a memory that is gone.
func (s *settlement) target(id vault.ID) (vault.Path, bool) {
	if p, ok := s.targets[id]; ok {
		return p, p != ""
	}
	s.targets[id] = "" // while it is being asked
	p, ok := s.wanted(id)
	if !ok {
		delete(s.targets, id)
		return "", false
	}
	s.targets[id] = p
	return p, true
}

func (s *settlement) wanted(id vault.ID) (vault.Path, bool) {
	m, ok := s.moves[id]
	switch {
	case slices.Contains(s.gone, id):
		return "", false
	case !ok || !s.untouched(id): // it is where it is
		if n := len(s.now.at[id]); n > 0 {
			return s.now.at[id][0], n == 1
		}
		return s.find(id)
	}
	if m.parent == "" {
		return vault.Path(m.rel), true
	}
	up, ok := s.target(m.parent)
	if !ok || len(s.now.at[m.parent]) == 0 && !s.lives(m.parent) {
		return m.at, true // its parent is gone: it stays in that folder, below what is above
	}
	folder := up.Stem()
	if parent, ok := m.from.one(m.parent); ok && m.from.folder(parent) == parent.Dir() && up.FolderRank() > 0 {
		folder = up.Dir()
	}
	return folder.Join(m.rel), true
}

// put moves a memory, its folder with it, to where it is to be, or leaves it in
// one of the two places in which it is.
func (s *settlement) put(id vault.ID) error {
	to, at := s.targets[id], s.merged.at[id]
	keep := at[0]
	if slices.Contains(at, to) {
		keep = to
	} else if m := s.moves[id]; slices.Contains(at, m.at) {
		keep = m.at
	}
	for _, p := range at {
		if p != keep {
			if err := s.unite(id, keep, p); err != nil {
				return err
			}
		}
	}
	if keep == to {
		return nil
	}
	to, err := s.free(keep, to)
	if err != nil || to == keep {
		return err
	}
	s.targets[id] = to
	return s.relocate(id, keep, to)
}

// unite takes the second file of a memory away, its text merged into the first.
func (s *settlement) unite(id vault.ID, keep, lose vault.Path) error {
	if !s.clean(keep) || !s.clean(lose) {
		return nil
	}
	text, err := s.united(id, keep, lose)
	if err != nil {
		return err
	}
	if string(text) != string(s.now.texts[keep]) {
		s.edits.add(keep, vault.Step{Op: vault.OpSetText, Text: string(text)})
	}
	s.edits.of(lose).Remove = true
	s.found(MovedFile, id, keep, "it was at "+string(lose)+" too", "one side moved it, the other too or edited it; it is here and not at "+string(lose))
	return nil
}

// united returns the one text of a memory that is in two places. If git itself made both
// files, it is the merge of the sides. If a person changed one of the two, it is theirs.
// Else both texts are kept.
func (s *settlement) united(id vault.ID, keep, lose vault.Path) ([]byte, error) {
	a, b := s.sides[0].text(id, keep), s.sides[1].text(id, keep)
	here, there := s.now.texts[keep], s.now.texts[lose]
	if a != nil && b != nil {
		gitsHere, err := s.gits(keep, here)
		if err != nil {
			return nil, err
		}
		gitsThere, err := s.gits(lose, there)
		switch {
		case err != nil:
			return nil, err
		case gitsHere && gitsThere:
			here, there = a, b
		case gitsThere && !s.m.Ours:
			return here, nil
		case gitsHere && !s.m.Ours:
			return there, nil
		}
	}
	return merge.Merge(s.base.text(id, keep), here, there, merge.Options{Both: true}).Text, nil
}

// relocate moves a file with the memories in its folder.
func (s *settlement) relocate(id vault.ID, from, to vault.Path) error {
	s.edits.of(from).To = to
	s.found(MovedFile, id, to, "was "+string(from), "moved it here from "+string(from)+", where its parent is now")
	if s.alone {
		return nil
	}
	nodes, err := s.t.Walk(s.ctx, vault.WalkOptions{Root: id, MaxDepth: vault.MaxDepth, Closed: true})
	if err != nil {
		return nil // it stands twice, or has no row yet: what is below has moves of its own
	}
	for _, n := range nodes {
		if below := n.Path; below != from && below.Within(from.Stem()) && s.edits.at[below] == nil && s.targets[n.ID] == "" {
			s.edits.of(below).To = to.Stem() + below[len(from.Stem()):]
		}
	}
	return nil
}

// free returns to, or the next name like it that nothing stands at.
func (s *settlement) free(from, to vault.Path) (vault.Path, error) {
	for n := 1; ; n++ {
		p := vault.Path(numbered(string(to.Stem()), n) + ".md")
		there, err := s.look(p)
		if err != nil {
			return "", err
		}
		if (!there || p == from) && !s.coming(p) {
			return p, nil
		}
	}
}

// coming reports whether an edit of this pass puts a file at p.
func (s *settlement) coming(p vault.Path) bool {
	for _, e := range s.edits.at {
		if e.To == p || e.Create != nil && e.Path == p {
			return true
		}
	}
	return false
}

// numbered is the nth form of a name: name, name-2, name-3 …
func numbered(name string, n int) string {
	if n == 1 {
		return name
	}
	return fmt.Sprintf("%s-%d", name, n)
}

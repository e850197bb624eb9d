package worktree

import (
	"strings"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/internal/files"
)

// relocation is a move of the change, seen from the other edits: one of them
// may name a file at its old place or at its new one.
type relocation struct {
	from, to vault.Path
	tree     bool
	outside  bool
}

func relocations(edits []vault.Edit) []relocation {
	var found []relocation
	for _, e := range edits {
		if e.To != "" {
			found = append(found, relocation{e.Path, e.To, e.Tree, e.Outside})
		}
	}
	return found
}

// through maps a path from one end of a move to the other.
func through(p, from, to vault.Path, tree bool) (vault.Path, bool) {
	if p == from {
		return to, true
	}
	rest, ok := strings.CutPrefix(string(p), string(from)+"/")
	return to.Join(rest), tree && ok
}

// locateEdit returns where the file that an edit calls p is now: there, or at the
// other end of a move that is still to come or done already, or of two: a file may have
// been moved into a folder that moves. A file that is nowhere is said to be at p.
func (s *Store) locateEdit(p vault.Path, outside bool, moves []relocation) string {
	at := s.abs(p, outside)
	if files.Present(at) {
		return at
	}
	ends := otherEnds(p, outside, moves)
	for _, q := range ends {
		ends = append(ends, otherEnds(q, outside, moves)...)
	}
	for _, q := range ends {
		if files.Present(s.abs(q, outside)) {
			return s.abs(q, outside)
		}
	}
	return at
}

// otherEnds returns where what is at p was or will be, by one of the moves each.
func otherEnds(p vault.Path, outside bool, moves []relocation) (all []vault.Path) {
	for _, m := range moves {
		if m.outside != outside {
			continue
		}
		for _, end := range [][2]vault.Path{{m.from, m.to}, {m.to, m.from}} {
			if q, ok := through(p, end[0], end[1], m.tree); ok {
				all = append(all, q)
			}
		}
	}
	return all
}

package tree

import (
	"slices"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/header"
)

// FolderNotes maps each folder to the file that is its memory: x.md for x/, else index.md, _index.md
// or README.md inside it, else x.mdc, x.mdx or x.markdown. Only files of the type memory are
// added, and no read-only notes.
type FolderNotes map[vault.Path]vault.Path

// Add makes the file at p its folder's memory, unless a better one is known.
func (s FolderNotes) Add(p vault.Path) {
	for _, folder := range [...]vault.Path{p.Home(), p.Dir()} {
		if folder == p.Dir() && p.FolderRank() == 0 {
			continue
		}
		if other, ok := s[folder]; !ok || isBefore(p, other, folder) {
			s[folder] = p
		}
	}
}

// isBefore reports whether p is the folder's memory rather than q.
func isBefore(p, q, folder vault.Path) bool {
	a, b := rankInFolder(p, folder), rankInFolder(q, folder)
	return a < b || a == b && p < q
}

func rankInFolder(p, folder vault.Path) int {
	switch {
	case p.Home() == folder && !p.Foreign():
		return 0
	case p.Home() == folder:
		return 4 + slices.Index(header.Endings[:], header.NoteEnding(string(p)))
	}
	return p.FolderRank()
}

// Above returns the file of the parent of the file at p; false for a root.
func (s FolderNotes) Above(p vault.Path) (vault.Path, bool) {
	dir := p.Dir()
	if p.FolderRank() > 0 && s[dir] == p {
		dir = dir.Dir()
	}
	for ; dir != ""; dir = dir.Dir() {
		if q, ok := s[dir]; ok && q != p {
			return q, true
		}
	}
	return "", false
}

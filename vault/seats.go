package vault

// Seats maps each folder to the file that is its memory: x.md for x/, else index.md,
// _index.md or README.md inside it. Only files of the type memory are added.
type Seats map[Path]Path

// Add makes the file at p its folder's memory, unless a better one is known.
func (s Seats) Add(p Path) {
	for _, folder := range [...]Path{p.Stem(), p.Dir()} {
		if folder == p.Dir() && p.FolderRank() == 0 {
			continue
		}
		if other, ok := s[folder]; !ok || p.before(other, folder) {
			s[folder] = p
		}
	}
}

// before reports whether p is the folder's memory rather than q.
func (p Path) before(q, folder Path) bool {
	a, b := p.seatRank(folder), q.seatRank(folder)
	return a < b || a == b && p < q
}

func (p Path) seatRank(folder Path) int {
	if p.Stem() == folder {
		return 0
	}
	return p.FolderRank()
}

// Above returns the file of the parent of the file at p; false for a root.
func (s Seats) Above(p Path) (Path, bool) {
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

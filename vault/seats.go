package vault

// Seats knows which file stands for each folder: x.md for x/, else index.md,
// _index.md or README.md inside it. Only files of the type memory are put in.
type Seats map[Path]Path

// Add lets the file at p stand for its folder, unless a better one does.
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

// before reports whether p stands for the folder rather than q.
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

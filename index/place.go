package index

import (
	"github.com/cp-memory/cp/vault"
)

// place is where a memory stands in the tree.
type place struct {
	parent int64 // the parent's n, 0 of a root
	depth  int
	orphan bool
}

// above returns the column parent.
func (p place) above() any {
	if p.parent == 0 {
		return nil
	}
	return p.parent
}

// seated is a file that may stand for a folder: n is 0 when it is not a memory
// on disk.
type seated struct {
	n       int64
	path    vault.Path
	missing bool // in HEAD, but not on disk: somebody is about to delete it
}

// placer finds parents by position, asking find which file stands for a folder.
// It remembers what it found, so it serves while no file comes or goes.
type placer struct {
	find    func(dir vault.Path) (seated, error)
	holders map[vault.Path]seated
	places  map[vault.Path]place // of the parents
}

func newPlacer(find func(vault.Path) (seated, error)) *placer {
	return &placer{find: find, holders: make(map[vault.Path]seated), places: make(map[vault.Path]place)}
}

// holder returns the file that stands for a folder.
func (pl *placer) holder(dir vault.Path) (seated, error) {
	if h, ok := pl.holders[dir]; ok {
		return h, nil
	}
	h, err := pl.find(dir)
	pl.holders[dir] = h
	return h, err
}

// holder returns the file that stands for a folder: x.md, else index.md,
// _index.md or README.md inside it, whichever is a memory on disk. Without one,
// missing tells whether HEAD has such a file.
func (t *tx) holder(dir vault.Path) (seated, error) {
	var h seated
	err := t.each(`SELECT rank, path, disk, n FROM (
			SELECT 0 AS rank, f.path AS path, f.disk AS disk, coalesce(m.n, 0) AS n
			FROM files f LEFT JOIN memories m ON m.n = f.n AND m.type = 'memory'
			WHERE f.path IN (?1 || '.md', ?1 || '.mD', ?1 || '.Md', ?1 || '.MD')
			UNION ALL
			SELECT f.rank, f.path, f.disk, coalesce(m.n, 0)
			FROM files f LEFT JOIN memories m ON m.n = f.n AND m.type = 'memory'
			WHERE f.dir = (SELECT f FROM folders WHERE path = ?1) AND f.rank > 0)
		ORDER BY rank, path`, []any{dir}, func(scan scanner) error {
		var rank int
		var path string
		var disk bool
		var n int64
		if err := scan(&rank, &path, &disk, &n); err != nil {
			return err
		}
		if n != 0 && h.n == 0 {
			h.n, h.path = n, vault.Path(path)
		}
		h.missing = h.missing || !disk
		return nil
	})
	return h, err
}

// above returns the nearest file that stands for dir or a folder above it. An
// orphan's is missing: it is not looked for further up.
func (pl *placer) above(dir vault.Path) (seated, error) {
	for ; dir != ""; dir = dir.Dir() {
		h, err := pl.holder(dir)
		if err != nil || h.n != 0 || h.missing {
			return h, err
		}
	}
	return seated{}, nil
}

// of returns the place of the file p.
func (pl *placer) of(p vault.Path) (place, error) {
	dir := p.Dir()
	if p.FolderRank() > 0 {
		h, err := pl.holder(dir)
		if err != nil {
			return place{}, err
		}
		if h.path == p {
			dir = dir.Dir()
		}
	}
	parent, err := pl.above(dir)
	if err != nil {
		return place{}, err
	}
	at := place{orphan: parent.n == 0 && parent.missing}
	if parent.n != 0 {
		over, ok := pl.places[parent.path]
		if !ok {
			if over, err = pl.of(parent.path); err != nil {
				return place{}, err
			}
			pl.places[parent.path] = over
		}
		at.parent, at.depth = parent.n, over.depth+1
	}
	return at, nil
}

// placed is a row with its place.
type placed struct {
	n    int64
	path vault.Path
	at   place
}

// place gives new memories their place, and those in folders for which another
// file may now stand theirs.
func (a *applier) place() error {
	rows, err := a.displaced()
	if err != nil {
		return err
	}
	pl := newPlacer(a.t.holder)
	deeper := make(map[int][]int64) // with the parent they had, by depth
	for _, r := range rows {
		at, err := pl.of(r.path)
		if err != nil {
			return err
		}
		switch same := at.parent == r.at.parent && at.orphan == r.at.orphan; {
		case same && at.depth == r.at.depth:
			continue
		case same:
			deeper[at.depth] = append(deeper[at.depth], r.n)
			continue
		}
		if err := a.t.exec(`UPDATE memories SET parent = ?, depth = ?, orphan = ? WHERE n = ?`, at.above(), at.depth, at.orphan, r.n); err != nil {
			return err
		}
	}
	for depth, rows := range deeper {
		if err := a.t.exec(`UPDATE memories SET depth = ? WHERE n IN (SELECT value FROM json_each(?))`, depth, numbers(rows)); err != nil {
			return err
		}
	}
	return nil
}

// displaced returns the rows whose place may be another one now.
func (a *applier) displaced() (map[int64]placed, error) {
	rows := make(map[int64]placed)
	collect := func(scan scanner) error {
		var r placed
		err := scan(&r.n, &r.path, &r.at.parent, &r.at.depth, &r.at.orphan)
		rows[r.n] = r
		return err
	}
	const columns = `SELECT m.n, f.path, coalesce(m.parent, 0), m.depth, m.orphan FROM files f CROSS JOIN memories m ON m.n = f.n `
	for n := range a.fresh {
		if err := a.t.each(columns+`WHERE f.n = ?`, []any{n}, collect); err != nil {
			return nil, err
		}
	}
	for _, dir := range outermost(a.folders) {
		if err := a.t.each(columns+`WHERE f.path > ? AND f.path < ?`, []any{dir + "/", dir + "0"}, collect); err != nil {
			return nil, err
		}
	}
	for _, n := range a.relocated {
		if _, ok := rows[n]; ok {
			continue
		}
		if err := a.t.each(columns+`WHERE f.n = ?`, []any{n}, collect); err != nil {
			return nil, err
		}
	}
	return rows, nil
}

package index

import (
	"github.com/cp-memory/cp/index/sqlite"
	"github.com/cp-memory/cp/vault"
)

// place is the position of a memory in the tree.
type place struct {
	parent int64 // the parent's n, 0 of a root
	depth  int
	orphan bool
	loose  bool // it may lie in a folder without a memory, or stand for one: its path tells
}

// above returns the memory of dir, or of the nearest folder above that has one. For an
// orphan it returns none: it does not look further up.
func (p place) above() any {
	if p.parent == 0 {
		return nil
	}
	return p.parent
}

// seated is the file that is the memory of a folder. n is 0 if the file is not a memory on
// disk.
type seated struct {
	n       int64
	path    vault.Path
	missing bool // in HEAD, but not on disk: somebody is about to delete it
}

// candidate is a file whose name lets it be the memory of a folder.
type candidate struct {
	n    int64 // 0 where it is no memory on disk
	path vault.Path
	disk bool
}

// holderOf returns the candidate that is the memory of the folder: the first one, by rank
// and then by path, that is a memory on disk.
func holderOf(all []candidate) (h seated) {
	for _, c := range all {
		if c.n != 0 && h.n == 0 {
			h.n, h.path = c.n, c.path
		}
		h.missing = h.missing || !c.disk
	}
	return h
}

// placer finds parents by position. find returns the file that is the memory of a folder.
// The placer remembers the answers, so it may be used only while no file comes or goes.
type placer struct {
	find    func(dir vault.Path) seated
	holders map[vault.Path]seated
	places  map[vault.Path]place // of the parents
}

func newPlacer(find func(vault.Path) seated) *placer {
	return &placer{find: find, holders: make(map[vault.Path]seated), places: make(map[vault.Path]place)}
}

// folderMemory returns the file that is the memory of a folder.
func (pl *placer) folderMemory(dir vault.Path) seated {
	h, ok := pl.holders[dir]
	if !ok {
		h = pl.find(dir)
		pl.holders[dir] = h
	}
	return h
}

// above returns the nearest file that stands for dir or a folder above it. An
// orphan's is missing: it is not looked for further up.
func (pl *placer) above(dir vault.Path) seated {
	for ; dir != ""; dir = dir.Dir() {
		if h := pl.folderMemory(dir); h.n != 0 || h.missing {
			return h
		}
	}
	return seated{}
}

// placeOf returns the place of the file p.
func (pl *placer) placeOf(p vault.Path) place {
	dir := p.Dir()
	if p.FolderRank() > 0 && pl.folderMemory(dir).path == p {
		dir = dir.Dir()
	}
	parent := pl.above(dir)
	if parent.n == 0 {
		return place{orphan: parent.missing, loose: strays(p, "")}
	}
	over, ok := pl.places[parent.path]
	if !ok {
		over = pl.placeOf(parent.path)
		pl.places[parent.path] = over
	}
	return place{parent: parent.n, depth: over.depth + 1, loose: strays(p, parent.path.Home())}
}

// strays reports whether a file is not simply one in the folder where the children of its
// parent lie.
func strays(p, home vault.Path) bool { return p.FolderRank() > 0 || p.Dir() != home }

// placed is a row with its place.
type placed struct {
	n    int64
	path vault.Path
	at   place
}

// placeMemories gives those memories their place that may have another one now.
func (wr *writer) placeMemories() {
	pl := newPlacer(wr.known.folderMemory)
	deeper := make(map[int][]int64) // with the parent they had, by depth
	for _, r := range wr.known.listDisplaced(wr.fresh, wr.folders) {
		switch at := pl.placeOf(r.path); {
		case at == r.at:
		case at.parent == r.at.parent && at.orphan == r.at.orphan && at.loose == r.at.loose:
			deeper[at.depth] = append(deeper[at.depth], r.n)
		default:
			wr.t.Exec(`UPDATE memories SET parent = ?, depth = ?, orphan = ?, loose = ? WHERE n = ?`, at.above(), at.depth, at.orphan, at.loose, r.n)
		}
	}
	for depth, rows := range deeper {
		wr.t.Exec(`UPDATE memories SET depth = ? WHERE n IN (SELECT value FROM json_each(?))`, depth, sqlite.List(rows))
	}
}

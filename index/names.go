package index

import (
	"cmp"
	"slices"

	"github.com/cp-memory/cp/index/query"
	"github.com/cp-memory/cp/vault"
)

// called holds what a memory's names are derived from. Without a path there are no names.
type called struct {
	path  vault.Path
	id    vault.ID
	title string
}

// linkNames returns the keys by which links can mean the memory.
func (c called) linkNames() []query.Name { return query.NamesOf(c.path, c.id, c.title) }

// offer is a row of names.
type offer struct {
	query.Name
	n int64
}

// writeNames writes what the fresh memories can be meant by, in the order of the table.
func (wr *writer) writeNames() {
	var offers []offer
	for _, e := range wr.fresh {
		if !e.stored || *e.was == e.called {
			continue
		}
		now := e.called.linkNames()
		wr.unname(e, now)
		wr.anchors.Target(e.n)
		for _, k := range now {
			wr.anchors.Name(k.Key)
			offers = append(offers, offer{k, e.n})
		}
	}
	slices.SortFunc(offers, func(a, b offer) int {
		return cmp.Or(cmp.Compare(a.Key, b.Key), cmp.Compare(a.Rank, b.Rank), cmp.Compare(a.n, b.n))
	})
	for _, o := range offers {
		wr.t.Exec(`INSERT OR IGNORE INTO names (key, rank, n) VALUES (?, ?, ?)`, o.Key, o.Rank, o.n)
	}
}

// unname deletes those names of a fresh memory that it does not keep.
func (wr *writer) unname(e *entry, keep []query.Name) {
	for _, k := range e.was.linkNames() {
		if !slices.Contains(keep, k) {
			wr.anchors.Name(k.Key)
			wr.t.Exec(`DELETE FROM names WHERE key = ? AND rank = ? AND n = ?`, k.Key, k.Rank, e.n)
		}
	}
}

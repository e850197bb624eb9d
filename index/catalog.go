package index

import (
	"slices"
	"strings"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/header"
)

// catalog looks up in memory what there is while an empty mirror is filled. All
// paths are known before the first file is read, so files get their numbers in the
// order of their paths.
type catalog struct {
	all    []entry                // by number, from 1 on
	seats  map[vault.Path][]int64 // the files that can stand for a folder by their name
	ids    map[string]int64       // who goes by an id
	rivals map[string][]*entry    // who claims one; made when it is first asked for
}

// newCatalog numbers all files that were found, on disk or in HEAD.
func newCatalog(w *work) *catalog {
	c := &catalog{seats: make(map[vault.Path][]int64), ids: make(map[string]int64)}
	slices.Sort(w.looks)
	c.all = make([]entry, len(w.looks), len(w.looks)+len(w.problems))
	for i, p := range w.looks {
		c.all[i] = entry{called: called{path: p}, disk: true, pending: true, aside: p.Foreign()}
	}
	looked := c.all
	others := make(map[vault.Path]*vault.Problem)
	for i, problem := range w.problems {
		if _, ok := findEntry(looked, problem.Path); !ok {
			others[problem.Path] = &w.problems[i]
		}
	}
	for p, problem := range others {
		c.all = append(c.all, entry{called: called{path: p}, disk: true, aside: p.Foreign(), problem: problem})
	}
	sortByPath(c.all)
	onDisk := len(c.all)
	for _, h := range w.heads { // in the order of their paths, each once
		if i, ok := findEntry(c.all[:onDisk], h.path); ok {
			c.all[i].head = decodeHash(h.blob)
		} else if h.blob != "" {
			c.all = append(c.all, entry{called: called{path: h.path}, aside: h.path.Foreign(), head: decodeHash(h.blob)})
		}
	}
	w.heads = nil
	sortByPath(c.all)
	for i := range c.all {
		e := &c.all[i]
		e.n = int64(i + 1)
		if dir := e.path.Dir(); e.path.FolderRank() > 0 {
			c.seats[dir] = append(c.seats[dir], e.n)
		}
	}
	for _, seats := range c.seats {
		slices.SortStableFunc(seats, func(a, b int64) int { return c.entryAt(a).path.FolderRank() - c.entryAt(b).path.FolderRank() })
	}
	return c
}

func sortByPath(all []entry) {
	slices.SortFunc(all, func(a, b entry) int { return strings.Compare(string(a.path), string(b.path)) })
}

// findEntry returns the place of a path among sorted entries.
func findEntry(among []entry, p vault.Path) (i int, ok bool) {
	return slices.BinarySearchFunc(among, p, func(e entry, p vault.Path) int { return strings.Compare(string(e.path), string(p)) })
}

func (c *catalog) entryAt(n int64) *entry { return &c.all[n-1] }

func (c *catalog) file(p vault.Path) *entry {
	i, _ := findEntry(c.all, p) // it was gathered
	return &c.all[i]
}

func (c *catalog) folder(vault.Path) (int64, bool) { return 0, false }

// folderMemory takes a file that is yet to be read for a memory.
func (c *catalog) folderMemory(dir vault.Path) seated {
	var all []candidate
	consider := func(e *entry) {
		one := candidate{path: e.path, disk: e.disk || e.head == ""}
		if e.pending || e.tree {
			one.n = e.n
		}
		all = append(all, one)
	}
	for _, ending := range [...]vault.Path{".MD", ".Md", ".mD", ".md"} {
		if i, ok := findEntry(c.all, dir+ending); ok {
			consider(&c.all[i])
		}
	}
	for _, n := range c.seats[dir] {
		consider(c.entryAt(n))
	}
	for _, ending := range header.Endings {
		if i, ok := findEntry(c.all, dir+vault.Path(ending)); ok && !c.all[i].aside {
			consider(&c.all[i])
		}
	}
	return holderOf(all)
}

func (c *catalog) free(id string, e *entry) bool {
	id = vault.ID(id).Fold()
	if other := c.ids[id]; other != 0 && other != e.n {
		return false
	}
	c.ids[id] = e.n
	return true
}

func (c *catalog) claimants(id string) []*entry {
	if c.rivals == nil {
		c.rivals = make(map[string][]*entry)
		for i := range c.all {
			if e := &c.all[i]; e.stored && e.claim != "" {
				claim := vault.ID(e.claim).Fold()
				c.rivals[claim] = append(c.rivals[claim], e)
			}
		}
	}
	return c.rivals[vault.ID(id).Fold()]
}

// listDisplaced returns all memories: each has been put where it seemed to belong
// before the others were read.
func (c *catalog) listDisplaced([]*entry, map[string]bool) []placed {
	rows := make([]placed, 0, len(c.all))
	for i := range c.all {
		if e := &c.all[i]; e.stored {
			rows = append(rows, placed{e.n, e.path, e.place})
		}
	}
	return rows
}

package index

import (
	"maps"
	"slices"

	"github.com/cp-memory/cp/index/query"
	"github.com/cp-memory/cp/index/sqlite"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/listing"
)

// A moved file has the same text: its rows stay, and only the columns that depend on its
// place are written anew. The file is not read, so its mark is removed, and the next
// catch-up looks whether the text is still the same.
//
// The title may be the file's name, and a stand-in id, or that of a read-only note, is made
// of its path. If either may change, the file is treated as deleted here and new there.

// relocate gives the rows of moved files their new place.
func (wr *writer) relocate(known *tables) {
	if len(wr.w.moved) == 0 {
		return
	}
	to := wr.relocations(known)
	heads, from := make(map[vault.Path]string, 2*len(to)), make(map[int64]vault.Path, len(to))
	for _, m := range wr.w.moved {
		if to[m.From] == "" {
			wr.w.gone, wr.w.looks = append(wr.w.gone, m.From), append(wr.w.looks, m.To)
			continue
		}
		e := known.at[m.From]
		heads[m.To], from[e.n] = e.head, m.From
		if e.head != "" {
			heads[m.From] = ""
		}
		delete(to, m.From)
		wr.moveRow(known, e, m.To)
	}
	// HEAD has no news of a row that moved along.
	wr.w.heads = slices.DeleteFunc(wr.w.heads, func(h headBlob) bool {
		blob, ok := heads[h.path]
		return ok && blob == decodeHash(h.blob)
	})
	wr.relink(known, from)
}

// relocations returns the new paths of the moved files whose rows can stay, by the old
// path. These are the files whose text was read and that have the id that they claim.
func (wr *writer) relocations(known *tables) map[vault.Path]vault.Path {
	var from, taken []vault.Path
	for _, m := range wr.w.moved {
		if ending(m.From) == ending(m.To) && !m.To.Foreign() {
			from, taken = append(from, m.From), append(taken, m.To)
		}
	}
	there := wr.strings(`SELECT path FROM files WHERE path IN (SELECT value FROM json_each(?))`, sqlite.List(taken))
	contested := wr.strings(`SELECT claim FROM memories WHERE claim > ''`)
	known.loadEntries(`WHERE f.path IN (SELECT value FROM json_each(?))`, sqlite.List(from))
	to := make(map[vault.Path]vault.Path, len(from))
	for i, p := range from {
		e := known.at[p]
		if e != nil && e.disk && e.stored && e.mark >= 0 && e.claimColumn() == nil && !there[string(taken[i])] && !contested[e.claim] {
			to[p] = taken[i]
		}
	}
	return to
}

func (wr *writer) strings(query string, args ...any) map[string]bool {
	all := make(map[string]bool)
	_ = wr.t.Each(query, args, func(r *sqlite.Row) error {
		all[r.Text()] = true
		return nil
	})
	return all
}

// moveRow gives a row its new place.
func (wr *writer) moveRow(known *tables, e *entry, to vault.Path) {
	wr.freshen(e)
	for _, p := range []vault.Path{e.path, to} {
		wr.noteFolderMemory(p)
	}
	wr.stores(e.path, listing.Change{Gone: true})
	wr.stores(to, listing.Change{})
	delete(known.at, e.path)
	known.at[to], e.path, e.mark = e, to, 0
	wr.t.Exec(`UPDATE files SET path = ?, dir = ?, mark = 0 WHERE n = ?`, to, wr.folder(to.Dir()), e.n)
}

// relink gives the relative links in moved files the keys that they have at the new place.
// A relative link is known by its key: in the row, each form of link has a key of its own.
func (wr *writer) relink(known *tables, from map[int64]vault.Path) {
	type row struct {
		n, key int64
		target string
	}
	all, _ := sqlite.All(wr.t.Tx, `SELECT n, key, target FROM links WHERE n IN (SELECT value FROM json_each(?)) AND kind = 'link'`,
		[]any{sqlite.List(slices.Collect(maps.Keys(from)))}, func(r *sqlite.Row) row { return row{r.Int64(), r.Int64(), r.Text()} })
	for _, r := range all {
		for _, kind := range [...]string{"wikilink", "link"} {
			l := vault.Reference{Kind: kind, Target: r.target}
			if query.HashName(query.LinkName(from[r.n], l)) != r.key {
				continue
			}
			if next := query.HashName(query.LinkName(known.all[r.n].path, l)); next != r.key {
				wr.t.Exec(`UPDATE links SET key = ? WHERE n = ? AND kind = 'link' AND key = ? AND target = ?`, next, r.n, r.key, r.target)
				wr.anchors.Link(r.key)
				wr.anchors.Link(next)
			}
			break
		}
	}
}

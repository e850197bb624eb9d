package index

import (
	"encoding/json"
	"maps"
	"slices"

	"github.com/cp-memory/cp/vault"
)

// A file that moved says what it said: its rows stay, and only what follows from
// its place is written anew. Nothing of it is read, so its mark is taken away and
// the next catch-up looks whether the text is still the one that is known.
//
// The text does not depend on the folders above a file's own, but the title may
// be its name and a stand-in id is made of its path. Where any of that is in
// question the file goes the long way: gone here, and new there.

// relocation is a row with another place.
type relocation struct {
	vault.Rename
	n     int64
	head  string
	was   called
	known bool // its text was read and it goes by the id that it claims
}

// now is what the memory is called at its new place.
func (r relocation) now() called { return called{r.To, r.was.id, r.was.title} }

// relocate gives the rows of moved files their new place.
func (a *applier) relocate() error {
	if len(a.w.moved) == 0 {
		return nil
	}
	rows, err := a.relocations()
	if err != nil {
		return err
	}
	for _, m := range a.w.moved {
		if _, ok := rows[m.From]; !ok {
			a.w.gone, a.w.looks = append(a.w.gone, m.From), append(a.w.looks, m.To)
		}
	}
	a.headsFollow(rows)
	var orders orders
	for _, from := range slices.Sorted(maps.Keys(rows)) {
		r := rows[from]
		dir, err := a.folder(r.To.Dir())
		if err != nil {
			return err
		}
		orders.add(`UPDATE files SET path = ?, dir = ?, mark = 0 WHERE n = ?`, string(r.To), dir, r.n)
		a.relocated = append(a.relocated, r.n)
		for _, p := range []vault.Path{r.From, r.To} {
			a.stands(p)
		}
		a.stores(r.From, stored{gone: true})
		a.stores(r.To, stored{})
		orders.rename(r)
	}
	if err := a.relink(rows, &orders); err != nil {
		return err
	}
	return orders.run(a.t)
}

// relocations returns the rows of the moved files that can stay, by the old path.
func (a *applier) relocations() (map[vault.Path]relocation, error) {
	to := make(map[vault.Path]vault.Path, len(a.w.moved))
	var from, taken []vault.Path
	for _, m := range a.w.moved {
		if ending(m.From) == ending(m.To) {
			to[m.From] = m.To
			from, taken = append(from, m.From), append(taken, m.To)
		}
	}
	there, err := a.strings(`SELECT path FROM files WHERE path IN (SELECT value FROM json_each(?))`, array(taken))
	if err != nil {
		return nil, err
	}
	contested, err := a.strings(`SELECT claim FROM memories WHERE claim > ''`)
	if err != nil {
		return nil, err
	}
	rows := make(map[vault.Path]relocation, len(from))
	err = a.t.each(`SELECT f.n, f.path, f.head, coalesce(m.id, ''), m.title, m.claim IS NULL AND f.mark >= 0
		FROM files f CROSS JOIN memories m ON m.n = f.n WHERE f.path IN (SELECT value FROM json_each(?)) AND f.disk`, []any{array(from)}, func(scan scanner) error {
		var r relocation
		err := scan(&r.n, &r.was.path, (*oid)(&r.head), &r.was.id, &r.was.title, &r.known)
		r.Rename = vault.Rename{From: r.was.path, To: to[r.was.path]}
		if r.known && !there[string(r.To)] && !contested[string(r.was.id)] {
			rows[r.From] = r
		}
		return err
	})
	return rows, err
}

func (a *applier) strings(query string, args ...any) (map[string]bool, error) {
	all := make(map[string]bool)
	err := a.t.each(query, args, func(scan scanner) error {
		var s string
		err := scan(&s)
		all[s] = true
		return err
	})
	return all, err
}

func array(paths []vault.Path) string {
	b, err := json.Marshal(paths)
	if err != nil {
		panic(err) // strings always can
	}
	return string(b)
}

// headsFollow takes from HEAD's news what a row has brought along.
func (a *applier) headsFollow(rows map[vault.Path]relocation) {
	came := make(map[vault.Path]string, len(rows))
	for _, r := range rows {
		came[r.To] = r.head
	}
	a.w.heads = slices.DeleteFunc(a.w.heads, func(h headBlob) bool {
		if h.blob == "" {
			return rows[h.path].head != ""
		}
		return came[h.path] == h.blob
	})
}

// relink gives the links in moved files that are relative the keys they have
// there. Which are is told by the key: as written in the row, a link of either
// form has one of its own.
func (a *applier) relink(rows map[vault.Path]relocation, o *orders) error {
	at := make(map[int64]relocation, len(rows))
	all := make([]int64, 0, len(rows))
	for _, r := range rows {
		at[r.n], all = r, append(all, r.n)
	}
	return a.t.each(`SELECT n, key, target FROM links WHERE n IN (SELECT value FROM json_each(?)) AND kind = 'link'`, []any{numbers(all)}, func(scan scanner) error {
		var n, key int64
		var target string
		err := scan(&n, &key, &target)
		for _, kind := range [...]string{"wikilink", "link"} {
			l := vault.Reference{Kind: kind, Target: target}
			if r := at[n]; hashed(linkKey(r.From, l)) == key {
				if next := hashed(linkKey(r.To, l)); next != key {
					o.add(`UPDATE links SET key = ? WHERE n = ? AND kind = 'link' AND key = ? AND target = ?`, next, n, key, target)
				}
				return err
			}
		}
		return err
	})
}

// rename replaces those of a memory's names that its new place changes.
func (o *orders) rename(r relocation) {
	was, now := r.was.names(), r.now().names()
	for _, k := range was {
		if !slices.Contains(now, k) {
			o.add(`DELETE FROM names WHERE key = ? AND rank = ? AND n = ?`, k.key, int64(k.rank), r.n)
		}
	}
	for _, k := range now {
		if !slices.Contains(was, k) {
			o.add(`INSERT OR IGNORE INTO names (key, rank, n) VALUES (?, ?, ?)`, k.key, int64(k.rank), r.n)
		}
	}
}

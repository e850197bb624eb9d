package index

import (
	"slices"
	"strings"

	"github.com/cp-memory/cp/index/sqlite"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/header"
)

// tables looks up in the tables what there is. The transaction keeps what goes wrong.
type tables struct {
	t    *tx
	at   map[vault.Path]*entry
	all  map[int64]*entry
	last int64 // the greatest number of a file; 0 before it is asked for
}

func newTables(t *tx) *tables {
	return &tables{t: t, at: make(map[vault.Path]*entry), all: make(map[int64]*entry)}
}

var entryColumns = `SELECT f.n, f.path, f.disk, f.hash, f.head, f.size, f.mark, f.mtime, f.aside, m.n IS NOT NULL, coalesce(m.id, ''), coalesce(m.claim, m.id, ''),
	` + columns("m.%s") + `, coalesce(m.held, 0), coalesce(m.has_block, 0), coalesce(m.parts, 0), coalesce(m.seen, 0), coalesce(m.words, 0), coalesce(m.parent, 0), coalesce(m.depth, 0), coalesce(m.orphan, 0), coalesce(m.loose, 0)
FROM files f LEFT JOIN memories m ON m.n = f.n `

// loadEntries looks up entries by a query that continues entryColumns. An entry that is known
// already stays.
func (k *tables) loadEntries(where string, args ...any) {
	_ = k.t.Each(entryColumns+where, args, func(r *sqlite.Row) error {
		e := &entry{old: true, said: &said{header: make([]any, len(inRow))}}
		r.Scan(&e.n, &e.path, &e.disk)
		e.hash, e.head = string(r.Blob()), string(r.Blob())
		r.Scan(&e.size, &e.mark, &e.mtime, &e.aside, &e.stored, &e.id, &e.claim)
		for i := range inRow {
			r.Scan(&e.said.header[i])
		}
		r.Scan(&e.said.holds, &e.said.block, &e.said.parts, &e.said.seen, &e.words, &e.parent, &e.depth, &e.orphan, &e.loose)
		e.title, e.tree = e.said.text("title"), e.said.holds > 0
		if k.all[e.n] == nil {
			k.all[e.n], k.at[e.path] = e, e
		}
		return nil
	})
}

func (k *tables) file(p vault.Path) *entry {
	if k.at[p] == nil {
		k.loadEntries(`WHERE f.path = ?`, p)
	}
	if e := k.at[p]; e != nil {
		return e
	}
	if k.last == 0 {
		_ = k.t.One(`SELECT coalesce(max(n), 0) FROM files`, nil, &k.last)
	}
	k.last++
	e := &entry{n: k.last, called: called{path: p}, aside: p.Foreign()}
	k.all[e.n], k.at[p] = e, e
	return e
}

func (k *tables) folder(dir vault.Path) (f int64, found bool) {
	found, _ = k.t.Maybe(`SELECT f FROM folders WHERE path = ?`, []any{dir}, &f)
	return f, found
}

func (k *tables) folderMemory(dir vault.Path) seated { return k.t.folderMemory(dir) }

// foreign are the names of notes of other kinds than *.md beside the folder ?1.
var foreign = `?1 || '` + strings.Join(header.Endings[:], `', ?1 || '`) + `'`

// folderMemory returns the file that is the memory of a folder: x.md, else index.md, _index.md
// or README.md inside it, else x.mdc, x.mdx or x.markdown, if it is a memory on disk. Without
// one, missing says whether HEAD has such a file.
func (t *tx) folderMemory(dir vault.Path) seated {
	all, _ := sqlite.All(t.Tx, `SELECT n, path, disk FROM (
			SELECT 0 AS rank, f.path AS path, f.disk AS disk, coalesce(m.n, 0) AS n
			FROM files f LEFT JOIN memories m ON m.n = f.n AND m.held > 0
			WHERE f.path IN (?1 || '.md', ?1 || '.mD', ?1 || '.Md', ?1 || '.MD')
			UNION ALL
			SELECT f.rank, f.path, f.disk, coalesce(m.n, 0)
			FROM files f LEFT JOIN memories m ON m.n = f.n AND m.held > 0
			WHERE f.dir = (SELECT f FROM folders WHERE path = ?1) AND f.rank > 0 AND NOT f.aside
			UNION ALL
			SELECT 9 + length(f.path), f.path, f.disk, coalesce(m.n, 0)
			FROM files f LEFT JOIN memories m ON m.n = f.n AND m.held > 0
			WHERE f.path IN (`+foreign+`) AND NOT f.aside)
		ORDER BY rank, path`, []any{dir}, func(r *sqlite.Row) candidate { return candidate{r.Int64(), vault.Path(r.Text()), r.Bool()} })
	return holderOf(all)
}

func (k *tables) free(id string, e *entry) bool {
	other, _ := k.t.Maybe(`SELECT 1 FROM memories WHERE id = ? AND n <> ?`, []any{id, e.n}, new(int))
	return !other
}

func (k *tables) claimants(id string) (all []*entry) {
	numbers, _ := sqlite.All(k.t.Tx, `SELECT n FROM memories WHERE claim = ?1 OR id = ?1 AND claim IS NULL`, []any{id}, (*sqlite.Row).Int64)
	k.loadEntries(`WHERE f.n IN (SELECT value FROM json_each(?))`, sqlite.List(numbers))
	for _, n := range numbers {
		if e := k.all[n]; e != nil {
			all = append(all, e)
		}
	}
	return all
}

// listDisplaced returns fresh memories, and those in folders for which another file
// may now stand.
func (k *tables) listDisplaced(fresh []*entry, folders map[string]bool) []placed {
	var rows []placed
	met := make(map[int64]bool, len(fresh))
	for _, e := range fresh {
		if met[e.n] = true; e.stored {
			rows = append(rows, placed{e.n, e.path, e.place})
		}
	}
	for _, dir := range outermost(folders) {
		below, _ := sqlite.All(k.t.Tx, `SELECT m.n, f.path, coalesce(m.parent, 0), m.depth, m.orphan, m.loose FROM files f CROSS JOIN memories m ON m.n = f.n
			WHERE f.path > ? AND f.path < ?`, []any{dir + "/", dir + "0"}, func(r *sqlite.Row) placed {
			return placed{r.Int64(), vault.Path(r.Text()), place{r.Int64(), r.Int(), r.Bool(), r.Bool()}}
		})
		rows = append(rows, slices.DeleteFunc(below, func(r placed) bool { return met[r.n] })...)
	}
	return rows
}

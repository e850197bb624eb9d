package query

import (
	"github.com/cp-memory/cp/index/sqlite"
	"github.com/cp-memory/cp/vault"
)

// files.place orders the files by the commits that brought them: the newest have the
// smallest place, and those of one commit the same. What is new in the history goes before
// what was known, so that most often only a few commits are looked at. The numbers depend
// on when somebody asked; their order does not (TestOriginsEqualRebuild). gone keeps the
// places of names that have no file now, since a move or a merge may ask for them.

// Placeless tells whether a file has no place and should have one.
const Placeless = `SELECT EXISTS (` + placeless + `)`

const placeless = `SELECT n FROM files WHERE place IS NULL AND head <> x''`

// Save writes what was found: in place of all that was known, or as what is new. It reports
// incomplete if files have no place then; the whole history has to be asked for them.
func (t *Trail) Save(tx *sqlite.Tx, anew bool) (incomplete bool, err error) {
	if anew {
		tx.Exec(`DELETE FROM gone`)
		tx.Exec(`DELETE FROM commits`)
		tx.Exec(`UPDATE files SET place = NULL WHERE place IS NOT NULL`)
	} else {
		t.applyMoves(tx)
	}
	t.bring(tx, anew)
	tx.Exec(`UPDATE files SET place = (SELECT place FROM gone WHERE gone.path = files.path) WHERE n IN (` + placeless + `)`)
	if err := tx.One(Placeless, nil, &incomplete); err != nil {
		return false, err
	}
	if anew && incomplete { // no commit tells of them
		tx.Exec(`INSERT INTO commits (place, author, files) SELECT coalesce(max(place), 0) + 1, '', 0 FROM commits`)
		tx.Exec(`UPDATE files SET place = (SELECT max(place) FROM commits) WHERE n IN (` + placeless + `)`)
	}
	return incomplete && !anew, tx.Err()
}

// bring gives the files that commits brought places before all others.
func (t *Trail) bring(tx *sqlite.Tx, anew bool) {
	var first int64
	_ = tx.One(`SELECT coalesce(min(place) - ?, 0) FROM commits`, []any{len(t.Commits)}, &first)
	for i, c := range t.Commits {
		place, files := first+int64(i), sqlite.List(c.Files)
		tx.Exec(`INSERT INTO commits (place, time, author, files) VALUES (?, ?, ?, ?)`, place, sqlite.Micros(c.Time), c.Author, len(c.Files))
		tx.Exec(`UPDATE files SET place = ? WHERE path IN (SELECT value FROM json_each(?))`, place, files)
		if !anew {
			tx.Exec(`INSERT OR REPLACE INTO gone SELECT value, ? FROM json_each(?) WHERE value NOT IN (SELECT path FROM files)`, place, files)
		}
	}
}

// applyMoves gives files that the new commits have moved the places that they had before.
func (t *Trail) applyMoves(tx *sqlite.Tx) {
	places := make(map[vault.Path]any)
	for to, from := range t.MovedFiles() {
		var place int64
		if places[to] = nil; lookUpPlace(tx, from, &place) {
			places[to] = place
		}
	}
	for to, place := range places {
		tx.Exec(`DELETE FROM gone WHERE path = ?`, to)
		if n, _ := tx.Change(`UPDATE files SET place = ? WHERE path = ?`, place, to); n == 0 && place != nil {
			tx.Exec(`INSERT INTO gone VALUES (?, ?)`, to, place)
		}
	}
}

// lookUpPlace looks up the place of a name.
func lookUpPlace(tx *sqlite.Tx, p vault.Path, place *int64) bool {
	found, _ := tx.Maybe(`SELECT place FROM files WHERE path = ? AND place IS NOT NULL`, []any{p}, place)
	if !found {
		found, _ = tx.Maybe(`SELECT place FROM gone WHERE path = ?`, []any{p}, place)
	}
	return found
}

// OriginsOf returns when files came to be, and by whom: their first commits, or when those
// in none were written.
func OriginsOf(tx *sqlite.Tx, paths []vault.Path) (map[vault.Path]vault.Origin, error) {
	all := make(map[vault.Path]vault.Origin, len(paths))
	return all, tx.Each(`SELECT f.path, iif(f.head = x'', f.mtime * 1000000, c.time), iif(f.head = x'', '', coalesce(c.author, '')) FROM files f LEFT JOIN commits c ON c.place = f.place
		WHERE f.path IN (SELECT value FROM json_each(?))`, []any{sqlite.List(paths)}, func(r *sqlite.Row) error {
		all[vault.Path(r.Text())] = vault.Origin{Time: r.Time(), Author: r.Text()}
		return nil
	})
}

// LargeCommits returns the places of the commits that brought many files, in order.
func LargeCommits(tx *sqlite.Tx) ([]int64, error) {
	return sqlite.All(tx, `SELECT place FROM commits WHERE files > 500 AND 16 * files > (SELECT max(n) FROM files) ORDER BY place`, nil, (*sqlite.Row).Int64)
}

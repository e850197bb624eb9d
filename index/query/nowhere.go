package query

import (
	"github.com/cp-memory/cp/index/sqlite"
	"github.com/cp-memory/cp/vault"
)

// LinksNowhere returns the links and references that lead to no memory, by the path of the file
// they stand in and within it as [LinksOf] tells them. Only From, Kind and Target are set. It is one
// question for the whole vault: to ask [LinksOf] each of 100,000 memories took half a minute.
func LinksNowhere(t *sqlite.Tx) ([]vault.Edge, error) {
	return sqlite.All(t, `SELECT id, kind, min(target) FROM (
			SELECT m.id AS id, f.path AS path, l.kind AS kind, l.target AS target, l.key AS key, `+MeantTarget+` AS other
			FROM links l JOIN memories m ON m.n = l.n JOIN files f ON f.n = l.n)
		WHERE other IS NULL GROUP BY path, kind, key ORDER BY path, kind DESC, min(target), min(key)`, nil, func(r *sqlite.Row) (e vault.Edge) {
		r.Scan(&e.From, &e.Kind, &e.Target)
		e.Outgoing = true
		return e
	})
}

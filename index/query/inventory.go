package query

import (
	"github.com/cp-memory/cp/index/sqlite"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/doctor"
	"github.com/cp-memory/cp/vault/journal"
)

// EachIndexRow calls fn for each file that is on disk as far as the mirror knows.
func EachIndexRow(t *sqlite.Tx, fn func(doctor.IndexRow)) error {
	return t.Each(`SELECT f.path, f.hash, m.n IS NOT NULL, coalesce(m.content, x'') FROM files f LEFT JOIN memories m ON m.n = f.n WHERE f.disk`, nil, func(r *sqlite.Row) error {
		fn(doctor.IndexRow{Path: vault.Path(r.Text()), Hash: string(r.Hash()), Stored: r.Bool(), Content: string(r.Hash())})
		return nil
	})
}

// TotalsOf counts by kind, by piece of work and by level. The first two have indexes of their
// own; the levels are counted in one pass over the table, as [index.DB.Counts] counts.
func TotalsOf(t *sqlite.Tx) (out journal.Totals, err error) {
	l := &out.Levels
	err = t.One(`SELECT coalesce(sum(`+Levels["pending"]+` AND m.status <> 'closed'), 0), coalesce(sum(`+Levels["long-term"]+` AND NOT `+IsDenied+`), 0),
			coalesce(sum(`+Levels["core"]+` AND NOT `+IsDenied+`), 0), coalesce(sum(`+IsDenied+`), 0)
		FROM memories m WHERE m.held > 0`, nil, &l.Pending, &l.LongTerm, &l.Core, &l.Denied)
	if err != nil {
		return out, err
	}
	all, err := TallyOf(t)
	if err != nil {
		return out, err
	}
	out.Kinds = all.Entries
	out.Specs, err = sqlite.All(t, `SELECT spec, count(*) AS n FROM memories WHERE spec <> '' GROUP BY spec ORDER BY n DESC, spec LIMIT ?`, []any{journal.MaxSpecs + 1}, func(r *sqlite.Row) journal.SpecTotal {
		return journal.SpecTotal{Spec: r.Text(), Entries: r.Int()}
	})
	if out.MoreSpecs = len(out.Specs) > journal.MaxSpecs; out.MoreSpecs {
		out.Specs = out.Specs[:journal.MaxSpecs]
	}
	return out, err
}

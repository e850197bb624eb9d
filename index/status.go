package index

import (
	"context"

	"github.com/cp-memory/cp/index/query"
	"github.com/cp-memory/cp/index/sqlite"
	"github.com/cp-memory/cp/vault"
)

// Problems returns what is wrong with single files, in path order: problems found while
// reading, ids that two files claim, names that are equal on a file system which ignores
// case or Unicode forms, and facts files of which nothing is used.
func (d *DB) Problems(ctx context.Context) ([]vault.Problem, error) {
	return askSnapshot(ctx, d, (*tx).problems)
}

func (t *tx) problems() ([]vault.Problem, error) {
	return sqlite.All(t.Tx, `SELECT path, kind, line, msg FROM (
		SELECT f.path AS path, p.seq AS seq, p.kind AS kind, p.line AS line, p.msg AS msg FROM problems p JOIN files f ON f.n = p.n
		UNION ALL
		SELECT f.path, 1000, ?1, 0, 'the id ' || m.claim || ' belongs to ' || g.path
		FROM memories m JOIN memories o ON o.id = m.claim JOIN files f ON f.n = m.n JOIN files g ON g.n = o.n WHERE m.claim <> ''
		UNION ALL
		SELECT f.path, 1001, ?2, 0, 'the name differs from ' || min(g.path) || ' only in case or Unicode form'
		FROM (SELECT key FROM names WHERE rank = ?3 GROUP BY key HAVING count(*) > 1) twin
		JOIN names a ON a.key = twin.key AND a.rank = ?3 JOIN names b ON b.key = a.key AND b.rank = a.rank AND b.n <> a.n
		JOIN files f ON f.n = a.n JOIN files g ON g.n = b.n
		GROUP BY f.path
		UNION ALL
		SELECT path, 1002, ?4, 0, msg FROM facts WHERE msg <> '')
		ORDER BY path, seq, msg`, []any{vault.ProblemDuplicateID, vault.ProblemTwin, query.RankPath, vault.ProblemFacts}, func(r *sqlite.Row) vault.Problem {
		return vault.Problem{Path: vault.Path(r.Text()), Kind: r.Text(), Line: r.Int(), Msg: r.Text()}
	})
}

// Counts returns how many files of any type there are by status.
func (d *DB) Counts(ctx context.Context) (vault.Counts, error) {
	return askSnapshot(ctx, d, func(t *tx) (c vault.Counts, err error) {
		err = t.One(`SELECT count(*), coalesce(sum(status = 'open'), 0), coalesce(sum(status = 'closed'), 0),
				coalesce(sum(status NOT IN ('open', 'closed')), 0),
				coalesce(sum(held = 2), 0), coalesce(sum(held = 2 AND parent IS NULL), 0),
				coalesce(max(iif(held = 2, depth, 0)), 0), coalesce(sum(iif(held = 2, tokens, 0)), 0)
			FROM memories`, nil, &c.Total, &c.Open, &c.Closed, &c.Other, &c.Memories, &c.Roots, &c.MaxDepth, &c.Tokens)
		if err != nil {
			return c, err
		}
		if err := t.One(`SELECT count(*) FROM files WHERE hash <> head AND NOT aside AND NOT (disk AND hash = x'')`, nil, &c.Uncommitted); err != nil {
			return c, err
		}
		problems, err := t.problems()
		c.Problems = len(problems)
		return c, err
	})
}

// Drift lists the files on which disk and HEAD disagree, in path order. A file
// that cannot be read is not among them: what it holds is not known.
func (d *DB) Drift(ctx context.Context) ([]vault.Drift, error) {
	return askSnapshot(ctx, d, func(t *tx) ([]vault.Drift, error) {
		return sqlite.All(t.Tx, `SELECT f.path, coalesce(m.claim, m.id, ''), f.hash, f.head FROM files f INDEXED BY files_drift LEFT JOIN memories m ON m.n = f.n
			WHERE f.hash <> f.head AND NOT f.aside AND NOT (f.disk AND f.hash = x'') ORDER BY f.path`, nil, func(r *sqlite.Row) vault.Drift {
			return vault.Drift{Path: vault.Path(r.Text()), ID: vault.ID(r.Text()), Hash: string(r.Hash()), Head: string(r.Hash())}
		})
	})
}

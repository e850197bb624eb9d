package index

import (
	"context"
	"strings"

	"github.com/cp-memory/cp/index/query"
	"github.com/cp-memory/cp/index/sqlite"
	"github.com/cp-memory/cp/vault"
)

// The history is asked when somebody wants to know, and not by a write or a rebuild.

// trace brings the places of the files up to date with HEAD.
func (d *DB) trace(ctx context.Context) error {
	d.mu.Lock()
	src := d.source
	d.mu.Unlock()
	if src.Commits == nil {
		return nil
	}
	return d.rebuilding(ctx, func(p *pool) error {
		if err := d.fillOnce(ctx, p); err != nil {
			return err
		}
		enough, err := d.updatePlaces(ctx, p, src, false)
		if err == nil && !enough {
			_, err = d.updatePlaces(ctx, p, src, true)
		}
		return err
	})
}

// updatePlaces brings the places up to date, or makes them anew. It reports false if that takes
// the whole history.
func (d *DB) updatePlaces(ctx context.Context, p *pool, src vault.Source, anew bool) (enough bool, err error) {
	w, err := d.planTracing(ctx, p, anew)
	if err != nil || !w.needed {
		return true, err
	}
	follows, err := src.Arrivals(ctx, w.from, w.to, w.trail.Add)
	if err != nil {
		return true, ctx.Err() // without its history a vault is listed by path
	}
	if w.trail.End(); follows {
		err = p.update(ctx, w.save)
	}
	return follows && !w.incomplete, err
}

// tracing is one look at the history.
type tracing struct {
	was, at    string // traced, before and after
	from, to   string // the commits to ask for
	needed     bool
	anew       bool // it is of the whole history
	trail      *query.Trail
	incomplete bool // the new commits do not tell of all files
}

// planTracing finds what is to be asked.
func (d *DB) planTracing(ctx context.Context, p *pool, anew bool) (*tracing, error) {
	w := &tracing{trail: query.WholeTrail()}
	err := p.view(ctx, func(t *tx) error {
		s, err := loadState(t)
		if err != nil || s.head == "" {
			return err
		}
		cut := ""
		if d.opt.Cut != nil {
			cut = d.opt.Cut()
		}
		from, was, _ := strings.Cut(s.traced, " ")
		w.was, w.from, w.to, w.at = s.traced, from, s.head, s.head+" "+cut
		if w.anew = anew || from == "" || was != cut; w.anew {
			w.from, w.needed = "", true
			files, err := sqlite.All(t.Tx, `SELECT path FROM files WHERE head <> x''`, nil, func(r *sqlite.Row) vault.Path { return vault.Path(r.Text()) })
			w.trail = query.NewTrail(files)
			return err
		}
		if w.needed = w.was != w.at; w.needed {
			return nil
		}
		return t.One(query.Placeless, nil, &w.needed)
	})
	return w, err
}

// save writes what was found, unless somebody else has looked meanwhile.
func (w *tracing) save(t *tx) error {
	s, err := loadState(t)
	if err != nil || s.traced != w.was {
		return err
	}
	t.Exec(`INSERT OR REPLACE INTO state (key, value) VALUES ('traced', ?)`, w.at)
	w.incomplete, err = w.trail.Save(t.Tx, w.anew)
	return err
}

// traceFor is trace if the filter asks when memories were made.
func (d *DB) traceFor(ctx context.Context, o vault.ListOptions) error {
	if o.Since.IsZero() {
		return nil
	}
	return d.trace(ctx)
}

// Origins returns when files came to be, and by whom.
func (d *DB) Origins(ctx context.Context, paths []vault.Path) (map[vault.Path]vault.Origin, error) {
	if err := d.trace(ctx); err != nil {
		return nil, err
	}
	return askSnapshot(ctx, d, func(t *tx) (map[vault.Path]vault.Origin, error) { return query.OriginsOf(t.Tx, paths) })
}

// few is up to how many memories are sorted to list them.
const few = 1000

// written orders files in no commit, which no history does.
const written = `iif(f.head = x'', coalesce(m.created, f.mtime * 1000000), NULL) DESC`

// newest returns the first memories of a list that has so many, the newest first.
func (t *tx) newest(f query.Filter, total, limit, offset int) ([]int64, error) {
	if total <= few {
		return sqlite.All(t.Tx, `SELECT m.n FROM memories m JOIN files f ON f.n = m.n `+f.Where()+` ORDER BY f.head <> x'', iif(f.head = x'', NULL, f.place), `+written+`, f.path LIMIT ? OFFSET ?`,
			append(f.Args[:len(f.Args):len(f.Args)], limit, offset), (*sqlite.Row).Int64)
	}
	var all []int64
	spans, err := query.TrailSpans(t.Tx, written)
	for _, s := range spans {
		if missing := limit + offset - len(all); err == nil && missing > 0 {
			var more []int64
			more, err = sqlite.All(t.Tx, `SELECT m.n FROM files f CROSS JOIN memories m ON m.n = f.n `+f.Where()+s.Where,
				append(append(f.Args[:len(f.Args):len(f.Args)], s.Args...), missing), (*sqlite.Row).Int64)
			all = append(all, more...)
		}
	}
	return all[min(offset, len(all)):], err
}

package index

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/cp-memory/cp/index/code"
	"github.com/cp-memory/cp/index/internal/graph"
	"github.com/cp-memory/cp/index/internal/text"
	"github.com/cp-memory/cp/index/internal/vectors"
	"github.com/cp-memory/cp/index/query"
	"github.com/cp-memory/cp/index/sqlite"
	"github.com/cp-memory/cp/index/usage"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/listing"
)

// Options say how a mirror is opened. The zero value is the ordinary case.
type Options struct {
	// Source fills a mirror that was never filled at the first question, and
	// one that had to be replaced in the middle of an answer. Without it such a
	// mirror is empty until CatchUp.
	Source vault.Source

	// Folders scans the whole vault against the listings that the mirror keeps;
	// without it each such scan compares every file with its row.
	Folders listing.Scanner

	// Leaves says which files Source leaves out, in any words. A mirror that was filled
	// with other words is made again.
	Leaves string

	// Usage is the telemetry that nodes carry; without it all counts are zero.
	Usage *usage.DB

	// Live says whether a watcher keeps the mirror current while files change. nil means
	// that none does.
	Live Live

	// Vectors are the vectors of the clone, for Vectors. Without them there are none.
	Vectors *vectors.DB

	// Hasty says that nobody waits longer than Wait for another process that holds the
	// mirror: a catch-up then fails with CodeLocked.
	Hasty bool

	// Dir is the folder from which a relative path typed by a person may start, links
	// resolved. It is empty if no person types.
	Dir string

	// State is the folder of what this clone keeps for itself, where nothing can
	// come from another; empty is the mirror's own folder. Tracked reports whether
	// git tracks the mirror's file or one that goes with it; nil is never.
	State   string
	Tracked func(context.Context) (bool, error)

	// Apart is why the file and its folder are left alone, and the mirror is made in memory;
	// nil is the ordinary case.
	Apart error

	// Cut tells where the history of a shallow clone begins, in any words; nil is nowhere.
	Cut func() string

	// Building is called before a mirror is made of so many files. The function that it
	// returns is called when that is done. It may be nil.
	Building func(files int) (done func())

	// Now is the clock; nil is time.Now.
	Now func() time.Time

	// Wait bounds how long a writer waits for another one before it goes on with a private
	// mirror in memory. 0 means 10 s.
	Wait time.Duration
}

// Live is somebody who watches the files.
type Live interface {
	// Current returns the state of a mirror that held everything that was on disk when it
	// was asked. ok is false if nobody can say. It answers within a bounded time.
	Current(ctx context.Context) (vault.Generation, bool)
}

// DB is the mirror of one vault. It is safe for concurrent use.
type DB struct {
	path string
	opt  Options
	rare query.RareFinder

	words text.Pool // for Analyser

	mine atomic.Int64 // the key of the file that this process made last

	mu     sync.Mutex
	pool   *pool        // nil until the first question
	source vault.Source // the last one seen
}

// Open returns the mirror kept in the file path, usually .cp/index.db. Nothing
// is read or created before the first question. It fails only in a binary built
// without full-text search.
func Open(path string, o Options) (*DB, error) {
	if err := sqlite.CheckBuild(); err != nil {
		return nil, err
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Wait == 0 {
		o.Wait = 10 * time.Second
	}
	return &DB{path: path, opt: o, source: o.Source}, nil
}

// Ports returns the index as the vault needs it.
func (d *DB) Ports() vault.Mirror {
	return vault.Mirror{Tree: vault.Tree{Places: d, Lists: d, Ranking: d, Audit: d, Links: d, Origins: d.Origins, Nodes: d.Nodes, Saying: d.Saying, Strays: d.Graph().Strays}, Refresher: d, Agreement: d}
}

// Graph returns the entities, and which memories speak of them.
func (d *DB) Graph() graph.Reader {
	return graph.Reader{View: func(ctx context.Context, fn func(*sqlite.Tx) error) error {
		return d.view(ctx, func(t *tx) error { return fn(t.Tx) })
	}}
}

// Code returns which memories are about which code.
func (d *DB) Code() code.Book {
	return code.Book{
		View: func(ctx context.Context, fn func(*sqlite.Tx) error) error {
			return d.view(ctx, func(t *tx) error { return fn(t.Tx) })
		},
		Note: func(ctx context.Context, fn func(*sqlite.Tx) error) error {
			return d.rebuilding(ctx, func(p *pool) error {
				return p.updateBriefly(ctx, touchWait, func(t *tx) error { return fn(t.Tx) })
			})
		},
		Now: func() int64 { return d.opt.Now().UnixMicro() },
	}
}

// NewVectors returns the vectors in the file of that path, which is made when the first one is
// kept.
func NewVectors(path string) *vectors.DB { return vectors.New(path) }

// Vectors returns those that the mirror was opened with.
func (d *DB) Vectors() *vectors.DB { return d.opt.Vectors }

// Close closes the mirror; a question asked later opens it again.
func (d *DB) Close() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.closePool()
}

// closePool closes the pool; the lock is held.
func (d *DB) closePool() error {
	p := d.pool
	d.pool = nil
	if p == nil {
		return nil
	}
	return p.close()
}

// view runs fn on a snapshot of a mirror that has been filled, filling it first
// where a source is known.
func (d *DB) view(ctx context.Context, fn func(*tx) error) error {
	return d.rebuilding(ctx, func(p *pool) error {
		if err := d.fillOnce(ctx, p); err != nil {
			return err
		}
		return p.view(ctx, fn)
	})
}

func (d *DB) fillOnce(ctx context.Context, p *pool) error {
	d.mu.Lock()
	src := d.source
	d.mu.Unlock()
	if src.Files == nil || p.filled.Load() {
		return nil
	}
	s, err := p.state(ctx)
	if err == nil && !s.filled {
		_, err = d.catchUp(ctx, p, src, scan{})
	}
	p.filled.Store(err == nil)
	return err
}

// Private reports whether the answers come from a private mirror in memory,
// because the file cannot be used, and why.
func (d *DB) Private() (bool, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.pool == nil || d.pool.private == nil || d.pool.private == errAside {
		return false, nil
	}
	return true, d.pool.private
}

// Check lets SQLite verify the whole file, which takes a second for each 100
// MB. It returns what it finds wrong, and changes nothing.
func (d *DB) Check(ctx context.Context) ([]string, error) {
	return askSnapshot(ctx, d, func(t *tx) ([]string, error) {
		lines, err := sqlite.All(t.Tx, `PRAGMA integrity_check(20)`, nil, (*sqlite.Row).Text)
		return slices.DeleteFunc(lines, func(line string) bool { return line == "ok" }), err
	})
}

// askSnapshot returns what fn finds on a snapshot of a mirror that has been filled.
func askSnapshot[T any](ctx context.Context, d *DB, fn func(*tx) (T, error)) (found T, err error) {
	err = d.view(ctx, func(t *tx) (err error) {
		found, err = fn(t)
		return err
	})
	return found, err
}

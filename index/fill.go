package index

import (
	"context"
	"slices"
	"strings"
	"sync"

	"github.com/mattn/go-sqlite3"

	"github.com/cp-memory/cp/vault"
)

// A mirror without rows is filled otherwise than one is kept up to date: all
// paths are known before the first file is read, so files get their numbers in the
// order of their paths, each row is written once and in the order of its table,
// and what follows from several files together is found in memory. The indexes
// are made last. It ends in the same rows (TestHistoryEqualsRebuild).

// While they are loaded the terms are gathered in more memory than FTS5 takes by
// itself, 1 MB, so that 100,000 files end in a dozen segments without merging any.
const (
	loading = `INSERT INTO docs(docs, rank) VALUES ('hashsize', 16777216), ('automerge', 0)`
	loaded  = `INSERT INTO docs(docs, rank) VALUES ('hashsize', 1048576), ('automerge', 4);`
)

// filler fills an empty mirror.
type filler struct {
	t     *tx
	w     *work
	rows  rows
	all   []entry // by number, from 1 on
	at    map[vault.Path]int64
	seats map[vault.Path][]int64 // the files that can stand for a folder by their name
	dirs  map[string]*summed
	order []string           // of the folders, by number from 1 on
	ids   map[string]int64   // who goes by an id
	again map[string][]int64 // ids that several files claim
	guess *placer
	names []offer
}

// entry is what has to be remembered of a file while the others are read.
type entry struct {
	path    vault.Path
	head    string // git blob
	problem *vault.Problem
	look    bool // it is to be read
	disk    bool // it is there
	memory  bool // it is a memory of the type memory, or not yet read
	stored  bool // it has a row in memories
	claim   string
	id      string // as stored
	place   place  // as stored
}

// summed is a folder and the sum of its files' digests.
type summed struct {
	number int64
	files  int
	digest uint64
}

// offer is a row of names.
type offer struct {
	key, n int64
	rank   int
}

// fill writes all that there is, in one transaction.
func (w *work) fill(t *tx, src vault.Source) error {
	now, err := loadState(t)
	if err != nil || now.filled {
		return err // somebody else has done it
	}
	w.state, w.report.Stand = now, now.stand()
	if err := t.exec(loading); err != nil {
		return err
	}
	err = t.sql.Raw(func(c any) error {
		f := newFiller(t, w)
		defer f.rows.close()
		if err := f.rows.prepare(c.(*sqlite3.SQLiteConn)); err != nil {
			return err
		}
		return f.run(src)
	})
	if err == nil {
		err = t.exec(loaded + indexes)
	}
	if err == nil {
		err = w.conclude(t)
	}
	return err
}

func newFiller(t *tx, w *work) *filler {
	f := &filler{t: t, w: w, at: make(map[vault.Path]int64), seats: make(map[vault.Path][]int64),
		dirs: make(map[string]*summed), ids: make(map[string]int64), again: make(map[string][]int64)}
	f.gather()
	f.guess = newPlacer(f.holder)
	return f
}

// gather numbers all files that were found, on disk or in HEAD.
func (f *filler) gather() {
	f.all = make([]entry, 0, max(len(f.w.looks), len(f.w.heads)))
	for _, p := range f.w.looks {
		f.entry(p).look = true
	}
	for i, problem := range f.w.problems {
		f.entry(problem.Path).problem = &f.w.problems[i]
	}
	for _, h := range f.w.heads {
		if h.blob != "" {
			f.entry(h.path).head = h.blob
		}
	}
	slices.SortFunc(f.all, func(a, b entry) int { return strings.Compare(string(a.path), string(b.path)) })
	for i := range f.all {
		e := &f.all[i]
		e.disk = e.look || e.problem != nil
		e.memory = e.look
		f.at[e.path] = int64(i + 1)
		if e.path.FolderRank() > 0 {
			f.seats[e.path.Dir()] = append(f.seats[e.path.Dir()], int64(i+1))
		}
	}
	for _, seats := range f.seats {
		slices.SortStableFunc(seats, func(a, b int64) int { return f.of(a).path.FolderRank() - f.of(b).path.FolderRank() })
	}
}

// entry returns that of a path, a new one where it has none.
func (f *filler) entry(p vault.Path) *entry {
	i, ok := f.at[p]
	if !ok {
		i = int64(len(f.all))
		f.at[p] = i
		f.all = append(f.all, entry{path: p})
	}
	return &f.all[i]
}

func (f *filler) of(n int64) *entry { return &f.all[n-1] }

// run reads the files and writes their rows, in the order of their numbers.
func (f *filler) run(src vault.Source) error {
	ctx, cancel := context.WithCancel(f.t.ctx)
	batches, wait := f.batches(ctx, src)
	defer wait()
	defer cancel()
	next := int64(1)
	for batch := range batches {
		for _, r := range <-batch {
			n := f.at[r.path]
			if err := f.others(next, n); err != nil {
				return err
			}
			if err := f.store(n, r); err != nil {
				return err
			}
			next = n + 1
		}
	}
	if err := f.t.ctx.Err(); err != nil {
		return err
	}
	if err := f.others(next, int64(len(f.all))+1); err != nil {
		return err
	}
	return f.finish()
}

// batchSize is how many files a goroutine reads at a time.
const batchSize = 32

// batches reads the files, several batches at once, and delivers them in order.
// wait returns when nobody reads any more.
func (f *filler) batches(ctx context.Context, src vault.Source) (batches <-chan chan []reading, wait func()) {
	type job struct {
		paths []vault.Path
		done  chan []reading
	}
	jobs, order := make(chan job), make(chan chan []reading, 2*parsers)
	go func() {
		defer close(order)
		defer close(jobs)
		for _, paths := range f.paths() {
			j := job{paths, make(chan []reading, 1)}
			select {
			case order <- j.done:
			case <-ctx.Done():
				return
			}
			select {
			case jobs <- j:
			case <-ctx.Done():
				close(j.done)
				return
			}
		}
	}()
	var all sync.WaitGroup
	for range parsers {
		all.Go(func() {
			r := newReader(src, nil)
			for j := range jobs {
				readings := make([]reading, len(j.paths))
				for i, p := range j.paths {
					readings[i] = r.read(p)
				}
				j.done <- readings
			}
		})
	}
	return order, all.Wait
}

// paths returns what is to be read, batch by batch.
func (f *filler) paths() [][]vault.Path {
	paths := make([]vault.Path, 0, len(f.w.looks))
	for i := range f.all {
		if f.all[i].look {
			paths = append(paths, f.all[i].path)
		}
	}
	return slices.Collect(slices.Chunk(paths, batchSize))
}

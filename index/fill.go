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

// While the terms are loaded FTS5 gathers them in 4 MB and not in one, so that
// 10,000 files end in five segments and not in forty. In still more memory they no
// longer fit the processor's cache, and gathering them takes longer.
const (
	loading = `INSERT INTO docs(docs, rank) VALUES ('hashsize', 4194304), ('automerge', 0)`
	loaded  = `INSERT INTO docs(docs, rank) VALUES ('hashsize', 1048576), ('automerge', 4);`
)

// filler fills an empty mirror.
type filler struct {
	t     *tx
	w     *work
	rows  rows
	all   []entry                // by number, from 1 on
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
	path      vault.Path
	head      string // git blob, its bytes, until the row of files is written
	problem   *vault.Problem
	look      bool // it is to be read
	committed bool // it is in HEAD
	disk      bool // it is there
	memory    bool // it is a memory of the type memory, or not yet read
	stored    bool // it has a row in memories
	claim     string
	id        string // as stored
	place     place  // as stored
}

// summed is a folder and what is kept of the files in it.
type summed struct {
	number int64
	files  int
	marks  []byte
}

// offer is a row of names.
type offer struct {
	key     int64
	rank, n int32
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
	f := &filler{t: t, w: w, seats: make(map[vault.Path][]int64),
		dirs: make(map[string]*summed), ids: make(map[string]int64), again: make(map[string][]int64)}
	f.gather()
	f.names = make([]offer, 0, 7*len(w.looks))
	f.guess = newPlacer(f.holder)
	return f
}

// gather numbers all files that were found, on disk or in HEAD.
func (f *filler) gather() {
	slices.Sort(f.w.looks)
	f.all = make([]entry, len(f.w.looks), len(f.w.looks)+len(f.w.problems))
	for i, p := range f.w.looks {
		f.all[i] = entry{path: p, look: true}
	}
	others := make(map[vault.Path]*vault.Problem)
	for i, problem := range f.w.problems {
		if n, ok := f.find(f.all, problem.Path); ok {
			f.of(n).problem = &f.w.problems[i]
		} else {
			others[problem.Path] = &f.w.problems[i]
		}
	}
	for p, problem := range others {
		f.all = append(f.all, entry{path: p, problem: problem})
	}
	f.sort()
	heads := len(f.all)
	for _, h := range f.w.heads { // in the order of their paths, each once
		if n, ok := f.find(f.all[:heads], h.path); ok && h.blob != "" {
			f.of(n).head = unhexed(h.blob)
		} else if h.blob != "" {
			f.all = append(f.all, entry{path: h.path, head: unhexed(h.blob)})
		}
	}
	f.w.heads = nil
	f.sort()
	for i := range f.all {
		e := &f.all[i]
		e.disk = e.look || e.problem != nil
		e.memory, e.committed = e.look, e.head != ""
		if e.path.FolderRank() > 0 {
			f.seats[e.path.Dir()] = append(f.seats[e.path.Dir()], int64(i+1))
		}
	}
	for _, seats := range f.seats {
		slices.SortStableFunc(seats, func(a, b int64) int { return f.of(a).path.FolderRank() - f.of(b).path.FolderRank() })
	}
}

func (f *filler) sort() {
	slices.SortFunc(f.all, func(a, b entry) int { return strings.Compare(string(a.path), string(b.path)) })
}

// find returns the number of a path among sorted entries.
func (f *filler) find(among []entry, p vault.Path) (n int64, ok bool) {
	i, ok := slices.BinarySearchFunc(among, p, func(e entry, p vault.Path) int { return strings.Compare(string(e.path), string(p)) })
	return int64(i + 1), ok
}

func (f *filler) of(n int64) *entry { return &f.all[n-1] }

// run reads the files and writes their rows, in the order of their numbers.
func (f *filler) run(src vault.Source) error {
	ctx, cancel := context.WithCancel(f.t.ctx)
	next := int64(1)
	batches := make(chan []reading, 2)
	var reader sync.WaitGroup
	reader.Go(func() { f.read(ctx, src, batches) })
	defer reader.Wait()
	defer cancel()
	for batch := range batches {
		for _, r := range batch {
			n, _ := f.find(f.all, r.path)
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

// batchSize is how many readings go through the channel at a time.
const batchSize = 32

// read reads and parses the files in order. It is one goroutine: writing takes
// as long, and two would learn the stems of all words twice.
func (f *filler) read(ctx context.Context, src vault.Source, batches chan<- []reading) {
	defer close(batches)
	r := newReader(src, nil)
	for looks := range slices.Chunk(f.w.looks, batchSize) {
		batch := make([]reading, len(looks))
		for i, p := range looks {
			batch[i] = r.read(p)
		}
		select {
		case batches <- batch:
		case <-ctx.Done():
			return
		}
	}
}

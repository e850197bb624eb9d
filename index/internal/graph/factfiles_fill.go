package graph

import (
	"slices"

	"github.com/cp-memory/cp/index/sqlite"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/listing"
)

// ahead is how many files are read before their rows are written.
const ahead = 64

// memory is what a fill knows of one.
type memory struct {
	made   int64 // when, as in memory_nodes
	counts bool  // it is no record, and speaks of what its facts say
}

// Fill writes the rows of all files into empty tables, after the memories' rows.
func (w *FactFiles) Fill(t *sqlite.Tx, src vault.Files) {
	memories := make(map[string]memory)
	if len(w.Looks) > 0 {
		_ = t.Each(`SELECT id, coalesce(created, ?), held > 0 FROM memories WHERE id IS NOT NULL`, []any{int64(Undated)}, func(r *sqlite.Row) error {
			id := r.Text()
			memories[id] = memory{r.Int64(), r.Bool()}
			return nil
		})
	}
	f := NewFiller(t)
	changes := make(map[vault.Path]map[string]listing.Change)
	note := func(p vault.Path, mark string) {
		if changes[p.Dir()] == nil {
			changes[p.Dir()] = make(map[string]listing.Change)
		}
		changes[p.Dir()][p.Base()] = listing.Change{Mark: mark}
	}
	for _, problem := range w.problems {
		mark := listing.Mark(vault.File{Path: problem.Path, Problem: &problem})
		t.Exec(intoFacts, problem.Path, "", []byte{}, shortMark(mark), "", problem.Msg, false)
		note(problem.Path, mark)
	}
	slices.Sort(w.Looks)
	w.eachReading(src, func(r reading) bool {
		if r.missing {
			return true
		}
		m, there := memories[r.id]
		if r.id == "" {
			m, there = memory{Undated, true}, true
		}
		r.store(t, !there)
		note(r.path, r.mark)
		if r.msg == "" && m.counts {
			f.Set(r.source(), m.made, r.links)
		}
		return t.Err() == nil
	})
	f.Write()
	w.writeListings(t, changes)
}

// eachReading reads the files in their order, some of them ahead in another goroutine.
func (w *FactFiles) eachReading(src vault.Files, fn func(reading) bool) {
	all, stop := make(chan reading, ahead), make(chan struct{})
	defer close(stop)
	go func() {
		defer close(all)
		for _, p := range w.Looks {
			select {
			case all <- readGuarded(src, p):
			case <-stop:
				return
			}
		}
	}()
	for r := range all {
		if !fn(r) {
			return
		}
	}
}

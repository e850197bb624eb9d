package index

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/cp-memory/cp/index/internal/text"
	"github.com/cp-memory/cp/index/query"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/listing"
	"github.com/cp-memory/cp/vault/tree"
)

// reading is the result of reading one file.
type reading struct {
	path     vault.Path
	err      error // it could not be read; gone when missing(err)
	hash     string
	mark     string
	size     int64
	mtime    int64 // in seconds
	same     bool  // it holds what its row says
	emptied  bool  // its text was taken away and its row knows better
	memory   *vault.Memory
	links    []link
	language int           // of its text, as package tongue counts; 0 where nobody asks
	content  string        // the memory's ContentHash
	doc      int64         // tree.HashNumber
	words    int64         // a hash of what docs is made of
	docs     *query.DocRow // the columns of docs, analysed; nil where the row has them
}

// saving is for how long an empty file may be one that an editor is about to fill.
const saving = 2 * time.Second

// isMissing reports whether err says that a file is not there.
func isMissing(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || vault.CodeOf(err) == vault.CodeNotFound
}

// reader turns files into readings; each goroutine has its own.
type reader struct {
	src   vault.Source
	known map[string]knownFile
	words map[vault.Path]int64 // what docs is made of, of files that were not read yet
	terms *text.Analyser
	forms *text.Cutter
}

func newReader(src vault.Source, w *work) *reader {
	return &reader{src: src, known: w.known, words: w.words, terms: text.NewAnalyser(), forms: text.NewCutter()}
}

// readMemoryFile reads and parses one file. The clock is asked before the file, so that
// what changes later has a later time.
func (r *reader) readMemoryFile(p vault.Path) reading {
	now := time.Now()
	b, stat, err := r.src.Read(p)
	if err != nil {
		return reading{path: p, err: err}
	}
	out := reading{path: p, hash: r.src.BlobID(b), mark: listing.MarkOf(stat, now), size: int64(len(b)), mtime: stat.MTime / int64(time.Second)}
	was := r.known[string(p)]
	switch {
	case len(b) == 0 && was.hash != "" && listing.Young(stat, now, saving):
		out.emptied, out.same, out.mark = true, string(was.hash) == out.hash, ""
	case len(b) > 0 && string(was.hash) == out.hash:
		out.same = true
	default:
		out.memory = vault.Parse(p, b)
		if len(out.memory.Anchors)+len(out.memory.Aliases) > 0 {
			out.language = text.LanguageOf(out.memory.Prose)
		}
		out.links = linksOf(p, out.memory, out.language)
		out.content, out.doc = out.memory.ContentHash(), tree.HashNumber(tree.HashOf(out.memory))
		out.words = out.hashDocColumns()
		if out.words != r.words[p] {
			out.docs = r.columns(p, out.memory)
		}
		delete(r.words, p) // if it is read again, the row may have other ones by then
	}
	return out
}

// hashDocColumns returns the hash of what the columns of docs are made of. An id, a date, a status
// or a child's pointer is no part of it, so most of the program's own edits leave it as it
// was, and to analyse a text and to write its terms is most of the work on a file.
func (r *reading) hashDocColumns() int64 {
	m := r.memory
	return query.SumOf(append([]string{r.content, string(ending(r.path)), m.Summary, m.Keywords}, m.Labels...))
}

// columns returns the terms of docs: title, the end of the path, labels, summary,
// the text without front matter and block, so that a parent is not found by what
// its children are about, and the header's keywords.
func (r *reader) columns(p vault.Path, m *vault.Memory) *query.DocRow {
	body := m.Prose + m.Record.Text()
	return &query.DocRow{Forms: r.forms.MemoryTerms(body, m.Title, m.Summary), Columns: [6]string{
		r.terms.JoinTerms(m.Title),
		r.terms.JoinTerms(string(ending(p))),
		r.terms.JoinTerms(strings.Join(m.Labels, " ")),
		r.terms.JoinTerms(m.Summary),
		r.terms.JoinTerms(body),
		r.terms.JoinTerms(m.Keywords),
	}}
}

// ending returns what a file can be found by of its path: its own name and its
// folder's. With all the folders above, nothing is found better (recall at 1, 5
// and 10 of the labelled queries differ by 0.003 at the most), and the move of one
// would be a new text for each file below it.
func ending(p vault.Path) vault.Path {
	return vault.Path(p.Dir().Base()).Join(p.Stem().Base())
}

// batchSize is the number of readings that go through a channel at a time.
const batchSize = 32

// readPending reads the files to look at and calls fn with what they say, in their order.
// One goroutine reads and parses them: writing takes as long, and two would learn
// the stems of all words twice.
func (w *work) readPending(ctx context.Context, src vault.Source, fn func(reading) error) (err error) {
	within, cancel := context.WithCancel(ctx)
	batches := make(chan []reading, 2)
	var reader sync.WaitGroup
	var fault error
	reader.Go(func() {
		fault = vault.Guard("reading a file", debug.Stack, func() error { return w.readBatches(within, src, batches) })
	})
	defer func() {
		cancel()
		reader.Wait()
		err = cmp.Or(err, fault)
	}()
	for batch := range batches {
		for _, r := range batch {
			if err := fn(r); err != nil {
				return err
			}
		}
	}
	return ctx.Err()
}

func (w *work) readBatches(ctx context.Context, src vault.Source, batches chan<- []reading) error {
	defer close(batches)
	r := newReader(src, w)
	for looks := range slices.Chunk(w.looks, batchSize) {
		batch := make([]reading, len(looks))
		for i, p := range looks {
			batch[i] = r.readMemoryFile(p)
		}
		select {
		case batches <- batch:
		case <-ctx.Done():
			return nil
		}
	}
	return nil
}

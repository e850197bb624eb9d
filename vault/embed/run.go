package embed

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"unicode/utf8"

	"github.com/cp-memory/cp/vault"
)

// DefaultBatch is the number of texts that go to the model at once unless the run says otherwise.
const DefaultBatch = 32

// Run brings the vectors up to date with the memories. The zero value embeds every content
// without a vector.
type Run struct {
	Types    []string // files of these types alone; empty means all
	Batch    int      // texts that go to the model at once; 0 is DefaultBatch
	DryRun   bool     // count the missing vectors, ask the model nothing
	Prune    bool     // drop the vectors of contents that no file holds any more
	Progress func(done, total int)
}

// Done is the outcome of a run.
type Done struct {
	Model    string    `json:"model"`
	Embedded int       `json:"embedded"`
	Failed   int       `json:"failed"`
	Skipped  int       `json:"skipped"` // they have a vector, or the model knows no word of them
	Missing  int       `json:"missing"` // left without a vector
	Cut      int       `json:"cut"`     // of the embedded ones: only their beginning was embedded
	Pruned   int       `json:"pruned"`
	Failures []Failure `json:"failures"` // the first of them
}

// Failure is a file that got no vector.
type Failure struct {
	ID      vault.ID   `json:"id"`
	Path    vault.Path `json:"path"`
	Message string     `json:"message"`
}

// mostFailures bounds the list of failures, which are mostly alike.
const mostFailures = 20

// Reader returns a file's bytes; [vault.Source] is one.
type Reader interface {
	Read(p vault.Path) ([]byte, vault.Stat, error)
}

// Ports are the tools of a run and a search.
type Ports struct {
	Model   Embedder
	Vectors Vectors
	Holders Holders
	Files   Reader
}

// Run embeds the contents without a vector. Each batch is kept when it is done, so what it
// returns is right even with an error. The caller has brought the mirror up to date.
func (p Ports) Run(ctx context.Context, o Run) (Done, error) {
	state, err := p.state(ctx, o)
	done := Done{Model: state.Space.Model, Skipped: state.Files - len(state.Lacking), Missing: len(state.Lacking), Failures: []Failure{}}
	if err == nil && o.Prune && !o.DryRun {
		done.Pruned, err = p.Prune(ctx)
	}
	if err != nil || o.DryRun {
		return done, err
	}
	r := runner{Ports: p, space: state.Space, done: &done, progress: o.Progress, total: len(state.Lacking)}
	r.tell()
	for batch := range slices.Chunk(state.Lacking, cmp.Or(o.Batch, DefaultBatch)) {
		if err := r.batch(ctx, batch); err != nil {
			return done, err
		}
	}
	return done, nil
}

func (p Ports) state(ctx context.Context, o Run) (State, error) {
	if o.DryRun {
		return p.State(ctx, o.Types)
	}
	return p.measured(ctx, o.Types)
}

// Prune drops the vectors of contents that no file holds, and returns how many there were.
func (p Ports) Prune(ctx context.Context) (int, error) {
	if spaces, err := p.Vectors.Spaces(ctx); err != nil || len(spaces) == 0 {
		return 0, err
	}
	all, err := p.Holders.Holders(ctx, nil, nil)
	if err != nil {
		return 0, err
	}
	keep := make(map[string]bool, len(all))
	for _, h := range all {
		keep[h.Content] = true
	}
	return p.Vectors.Prune(ctx, keep)
}

// runner is a run under way.
type runner struct {
	Ports
	space    Space
	done     *Done
	progress func(done, total int)
	seen     int // files looked at
	total    int
}

// text is a text to be embedded, with its file.
type text struct {
	Holder
	text string
	cut  bool
}

// batch embeds some files and keeps their vectors.
func (r *runner) batch(ctx context.Context, files []Holder) error {
	texts := make([]text, 0, len(files))
	for _, h := range files {
		b, _, err := r.Files.Read(h.Path)
		if err != nil {
			r.failed(h, err)
			continue
		}
		m := vault.Parse(h.Path, b)
		h.Content = m.ContentHash() // of what was read: it may have been saved meanwhile
		texts = append(texts, text{Holder: h, text: m.Embedded()})
	}
	err := r.embed(ctx, texts)
	r.seen += len(files)
	r.tell()
	return err
}

// tell reports the progress of the run.
func (r *runner) tell() {
	if r.progress != nil && r.total > 0 {
		r.progress(r.seen, r.total)
	}
}

// embed asks the model. A batch that the model does not take is halved until the text at
// fault is found. Of that text the first half is tried, again and again.
func (r *runner) embed(ctx context.Context, texts []text) error {
	if len(texts) == 0 {
		return nil
	}
	numbers, err := r.ask(ctx, texts)
	switch {
	case err == nil:
		return r.keep(ctx, texts, numbers)
	case !errors.Is(err, ErrText):
		return err
	case len(texts) > 1:
		half := len(texts) / 2
		if err := r.embed(ctx, texts[:half]); err != nil {
			return err
		}
		return r.embed(ctx, texts[half:])
	case len(texts[0].text) > shortest:
		half := texts[0]
		half.text, half.cut = beginning(half.text), true
		return r.embed(ctx, []text{half})
	}
	r.failed(texts[0].Holder, err)
	if r.done.Embedded == 0 && r.done.Failed >= hopeless {
		return err // it takes none at all: the settings are wrong, not the texts
	}
	return nil
}

const (
	shortest = 1000 // bytes; every model's window holds this many
	hopeless = 3    // texts in a row at the start that a model does not take
)

// beginning returns the first half of s.
func beginning(s string) string {
	half := len(s) / 2
	for half > 0 && !utf8.RuneStart(s[half]) {
		half--
	}
	return s[:half]
}

func (r *runner) ask(ctx context.Context, texts []text) ([][]float32, error) {
	plain := make([]string, len(texts))
	for i, t := range texts {
		plain[i] = t.text
	}
	return r.Model.Embed(ctx, Document, plain)
}

func (r *runner) keep(ctx context.Context, texts []text, numbers [][]float32) error {
	all := make([]Vector, 0, len(texts))
	for i, t := range texts {
		if numbers[i] == nil {
			r.done.Skipped++
			r.done.Missing--
			continue
		}
		r.space.Dimension = len(numbers[i])
		all = append(all, Vector{Content: t.Content, Numbers: numbers[i]})
		if t.cut {
			r.done.Cut++
		}
	}
	if len(all) == 0 {
		return nil
	}
	if err := r.Vectors.Put(ctx, r.space, all); err != nil {
		return err
	}
	r.done.Embedded += len(all)
	r.done.Missing -= len(all)
	return nil
}

func (r *runner) failed(h Holder, err error) {
	r.done.Failed++
	if len(r.done.Failures) < mostFailures {
		r.done.Failures = append(r.done.Failures, Failure{ID: h.ID, Path: h.Path, Message: err.Error()})
	}
}

package embed

import (
	"cmp"
	"context"
	"slices"

	"github.com/cp-memory/cp/vault"
)

// DefaultBatch is the number of texts that go to the model at once unless the run says otherwise.
const DefaultBatch = 32

// Run brings the vectors up to date with the memories. The zero value embeds every content
// without a vector.
type Run struct {
	Types    []string `flag:"type" commas:"yes" help:"only files of these <types>, like memory,task"`
	Batch    int      `flag:"batch-size" help:"<texts> in one request (default embedding.batch, else 32)"` // 0 is DefaultBatch
	DryRun   bool     `flag:"dry-run" help:"count the missing vectors, ask no model"`
	Prune    bool     `flag:"prune" help:"drop the vectors of texts that no file holds any more"`
	Progress func(done, total int)
}

// Done is the outcome of a run.
type Done struct {
	Model    string    `json:"model"`
	Embedded int       `json:"embedded"`
	Failed   int       `json:"failed"`
	Skipped  int       `json:"skipped"` // they have a vector, or the model knows no word of them
	Missing  int       `json:"missing"` // left without a vector
	Cut      int       `json:"cut"`     // of the embedded ones: a part of them was not embedded
	Pruned   int       `json:"pruned"`
	Passages int       `json:"passages"` // that went to the model; in a dry run, that would go
	Failures []Failure `json:"failures"` // the first of them

	Unweighed bool `json:"unweighed,omitempty"` // there are many vectors, and no weight of theirs was measured
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
	Weights Weights // nil where none are kept
	Holders Holders
	Files   Reader
}

// Run embeds the contents without a vector, passage by passage. Each batch is kept when it is
// done, so what it returns is right even with an error, and no passage goes to the model twice.
// The caller has brought the mirror up to date.
func (p Ports) Run(ctx context.Context, o Run) (Done, error) {
	state, err := p.state(ctx, o)
	done := Done{Model: state.Space.Model, Skipped: state.Files - len(state.Lacking), Missing: len(state.Lacking), Failures: []Failure{}}
	if err == nil && o.Prune {
		done.Pruned, err = p.Prune(ctx, o.DryRun)
	}
	if err != nil {
		return done, err
	}
	r := runner{Ports: p, space: state.Space, done: &done, progress: o.Progress, total: len(state.Lacking), batch: cmp.Or(o.Batch, DefaultBatch), dry: o.DryRun}
	r.tellProgress()
	for files := range slices.Chunk(state.Lacking, r.batch) {
		if err := r.embedFiles(ctx, files); err != nil {
			return done, err
		}
	}
	done.Unweighed, err = p.isUnweighed(ctx, r.space, state.Files)
	return done, err
}

// manyFiles is how many files there are where a weight can be measured.
const manyFiles = 50

// isUnweighed reports whether a weight could be measured and was not.
func (p Ports) isUnweighed(ctx context.Context, s Space, files int) (bool, error) {
	if p.Weights == nil || files < manyFiles || s.Dimension == 0 {
		return false, nil
	}
	_, found, err := p.weight(ctx, s)
	return !found, err
}

func (p Ports) state(ctx context.Context, o Run) (State, error) {
	if o.DryRun {
		return p.State(ctx, o.Types)
	}
	return p.measureState(ctx, o.Types)
}

// Prune drops the vectors of contents that no file holds, and returns how many there were. A
// dry run only counts them.
func (p Ports) Prune(ctx context.Context, dry bool) (int, error) {
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
	return p.Vectors.Prune(ctx, keep, dry)
}

package graph

import (
	"context"
	"errors"
	"sync"

	"github.com/cp-memory/cp/vault"
)

// BatchSize is the number of memories in one commit.
const BatchSize = 25

// patience is after how many failures of the model in a row the rest is not tried.
const patience = 5

// Extract draws the facts of memories.
type Extract struct {
	Vault    *vault.Vault
	Model    Generator
	By       string   // the model's name, as facts files have it
	Types    []string // of entities
	AtOnce   int      // questions at once; 0 is one
	Progress func(done int)

	// Spend asks whether so many tokens may be spent; nil allows all.
	Spend func(tokens int) error
}

// ExtractOutcome tells what became of a memory.
type ExtractOutcome string

// Outcomes. They are promises: add, never change.
const (
	ExtractPlanned ExtractOutcome = "chosen"    // by a dry run
	Drawn          ExtractOutcome = "drawn"     // and committed
	Unchanged      ExtractOutcome = "unchanged" // its facts say it already
	Failed         ExtractOutcome = "failed"
	Left           ExtractOutcome = "left" // not tried, for the run ended before
)

// ExtractRow is the outcome for one memory.
type ExtractRow struct {
	ID        vault.ID       `json:"id"`
	Title     string         `json:"title"`
	Path      vault.Path     `json:"path"`
	Outcome   ExtractOutcome `json:"outcome"`
	Tokens    int            `json:"tokens"` // of the questions, about
	Entities  int            `json:"entities"`
	Relations int            `json:"relations"`
	Skipped   []string       `json:"skipped,omitempty"` // of the answer
	Reason    string         `json:"reason,omitempty"`  // of a failure
	Of        string         `json:"-"`                 // the hash of the text
}

// ExtractResult is the outcome of a run: a row for each memory in the given order.
type ExtractResult struct {
	DryRun  bool         `json:"dry_run,omitempty"`
	Tokens  int          `json:"tokens"` // of the questions to all chosen memories, about
	Drawn   int          `json:"drawn"`
	Failed  int          `json:"failed"`
	Left    int          `json:"left"`
	Commits int          `json:"commits"`
	Rows    []ExtractRow `json:"rows"`
	vault.Warned
}

// PlanExtract is the result of a dry run: what would be asked, and what it would cost.
func PlanExtract(chosen []ChosenMemory) ExtractResult {
	r := ExtractResult{DryRun: true, Rows: []ExtractRow{}}
	for _, c := range chosen {
		row := rowOf(c, ExtractPlanned)
		if c.Err != nil {
			row.Outcome, row.Reason = Failed, c.Err.Error()
		}
		r.Rows, r.Tokens = append(r.Rows, row), r.Tokens+c.Tokens
	}
	return r
}

func rowOf(c ChosenMemory, o ExtractOutcome) ExtractRow {
	return ExtractRow{ID: c.Node.ID, Title: c.Node.Title, Path: c.Node.Path, Outcome: o, Tokens: c.Tokens, Of: c.Of}
}

// Do asks the model and writes what it says, batch by batch. When ctx ends, what was answered
// is still committed, and the error says so; the result is valid then too.
func (r Extract) Do(ctx context.Context, chosen []ChosenMemory) (ExtractResult, error) {
	head, err := r.Vault.Store.Head(ctx)
	if err == nil && head.Busy != "" {
		still := vault.Standstill(head.Busy)
		still.Msg += "; nothing was asked"
		err = still
	}
	if err != nil {
		return ExtractResult{}, err
	}
	w := &work{Extract: r, chosen: chosen, out: PlanExtract(chosen)}
	w.out.DryRun = false
	for i := range w.out.Rows {
		if w.out.Rows[i].Outcome == ExtractPlanned {
			w.out.Rows[i].Outcome = Left
		}
	}
	for from := 0; from < len(chosen) && w.err == nil && ctx.Err() == nil; from += BatchSize {
		w.batch(ctx, from, min(from+BatchSize, len(chosen)))
	}
	w.sumRows()
	if w.err == nil {
		w.err = context.Cause(ctx)
	}
	return w.out, w.err
}

// work is a run under way.
type work struct {
	Extract
	chosen []ChosenMemory
	out    ExtractResult
	err    error // ends the run

	mu     sync.Mutex
	failed int // of the model, in a row
	done   int
}

// batch asks about some memories, as many at once as may be, and commits what is said.
func (w *work) batch(ctx context.Context, from, to int) {
	answers := make([]*answer, to-from)
	free := make(chan struct{}, max(w.AtOnce, 1))
	var all sync.WaitGroup
	for i := from; i < to; i++ {
		if w.chosen[i].Err != nil {
			continue
		}
		free <- struct{}{}
		if w.isOver(ctx) {
			break
		}
		all.Go(func() {
			answers[i-from] = w.askMemory(ctx, i)
			<-free
		})
	}
	all.Wait()
	w.commitAnswers(ctx, from, answers)
}

// isOver reports whether the run is to end.
func (w *work) isOver(ctx context.Context) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.err != nil || ctx.Err() != nil
}

// askMemory asks about one memory. It returns nil if nothing came of it.
func (w *work) askMemory(ctx context.Context, i int) *answer {
	c := &w.chosen[i]
	if w.Spend != nil {
		if err := w.Spend(c.Tokens); err != nil {
			w.noteError(err)
			return nil
		}
	}
	var a answer
	var skipped []string
	err := vault.Guard("drawing facts", nil, func() (err error) {
		a, skipped, err = askParts(ctx, w.Model, c, w.Types)
		return err
	})
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.done++; w.Progress != nil {
		w.Progress(w.done)
	}
	if err != nil {
		w.noteFailure(ctx, i, err)
		return nil
	}
	w.failed = 0
	row := &w.out.Rows[i]
	row.Entities, row.Relations, row.Skipped = len(a.Entities), len(a.Relations), skipped
	return &a
}

func (w *work) noteError(err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.err == nil {
		w.err = err
	}
}

// noteFailure notes a failure; the lock is held.
func (w *work) noteFailure(ctx context.Context, i int, err error) {
	if ctx.Err() != nil {
		return // it is left
	}
	w.out.Rows[i].Outcome, w.out.Rows[i].Reason = Failed, err.Error()
	if errors.Is(err, ErrAnswer) {
		return
	}
	if w.failed++; w.failed < patience || w.err != nil {
		return
	}
	hint := ""
	var ours *vault.Error
	if errors.As(err, &ours) {
		hint = ours.Hint
	}
	w.err = vault.Errorf(vault.CodeGeneration, hint, "stopped after %d failures in a row: %s", patience, err.Error())
}

// commitAnswers commits what was answered. It is not interrupted: it is paid for.
func (w *work) commitAnswers(ctx context.Context, from int, answers []*answer) {
	var o write
	var rows []int
	for i, a := range answers {
		if a != nil {
			c := &w.chosen[from+i]
			o.all, rows = append(o.all, drawing{c.Node.ID, c.Of, *a}), append(rows, from+i)
		}
	}
	if len(o.all) == 0 {
		return
	}
	o.by = w.By
	done, receipt, err := vault.Do(context.WithoutCancel(ctx), w.Vault, o, vault.Options{})
	w.out.Warn(receipt.Notes...)
	if err == nil && receipt.Commit != receipt.Before {
		w.out.Commits++
	}
	for k, i := range rows {
		row, failure := &w.out.Rows[i], err
		if err == nil {
			failure = done[k].err
			row.nameLeftOut(done[k].left)
		}
		switch {
		case failure != nil:
			row.Outcome, row.Reason = Failed, failure.Error()
		case done[k].same:
			row.Outcome = Unchanged
		default:
			row.Outcome = Drawn
		}
	}
	if err != nil && w.err == nil {
		w.err = err
	}
}

// nameLeftOut names what is left out of the facts; empty is nothing.
func (r *ExtractRow) nameLeftOut(what string) {
	if what != "" {
		r.Skipped = append(r.Skipped, what)
	}
}

// sumRows sums the rows up.
func (w *work) sumRows() {
	for _, row := range w.out.Rows {
		switch row.Outcome {
		case Drawn:
			w.out.Drawn++
		case Failed:
			w.out.Failed++
		case Left:
			w.out.Left++
		}
	}
}

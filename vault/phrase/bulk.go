package phrase

import (
	"context"
	"errors"
	"slices"

	"github.com/cp-memory/cp/vault"
)

// BatchSize is the number of phrases in one commit.
const BatchSize = 25

// patience is after how many failures of the model in a row the rest is not
// tried: a wrong key or a server that is down costs each of thousands the same.
const patience = 5

// Bulk writes phrases for many memories. Committed phrases are done, so a second run for
// the memories without one continues where the first ended.
type Bulk struct {
	Vault     *vault.Vault
	Generator Generator
	AtOnce    int // questions at once; 0 is one

	// Approve looks at a draft and returns the phrase to write; nil takes each as it is.
	Approve  func(context.Context, Draft) (summary string, v Verdict)
	Progress func(done int)
}

// Verdict is a person's answer to a draft.
type Verdict int

// The verdicts. Quit leaves this memory and all that follow as they are.
const (
	Accept Verdict = iota
	Skip
	Quit
)

// Outcome tells what became of a memory.
type Outcome string

// Outcomes. They are promises: add, never change.
const (
	Chosen    Outcome = "chosen"    // by a dry run
	Written   Outcome = "written"   // and committed
	Unchanged Outcome = "unchanged" // it has this phrase already
	Skipped   Outcome = "skipped"   // a person said no
	Failed    Outcome = "failed"
	Left      Outcome = "left" // not tried, for the run ended before
)

// Row is the outcome for one memory.
type Row struct {
	ID      vault.ID   `json:"id"`
	Title   string     `json:"title"`
	Path    vault.Path `json:"path"`
	Outcome Outcome    `json:"outcome"`
	Summary string     `json:"summary,omitempty"`     // written, or for a chosen one what it has now
	Reason  string     `json:"reason,omitempty"`      // of a failure
	New     bool       `json:"provisional,omitempty"` // it has no id of its own yet
}

// Result is the outcome of a bulk run: a row for each memory in the given order.
type Result struct {
	DryRun    bool  `json:"dry_run,omitempty"`
	Written   int   `json:"written"`
	Unchanged int   `json:"unchanged"`
	Skipped   int   `json:"skipped"`
	Failed    int   `json:"failed"`
	Left      int   `json:"left"`
	Commits   int   `json:"commits"`
	Rows      []Row `json:"rows"`
	vault.Warned
}

// Plan is the result of a dry run: what would be asked.
func Plan(nodes []vault.Node) Result {
	r := Result{DryRun: true, Rows: []Row{}}
	for _, n := range nodes {
		row := rowOf(n, Chosen)
		if !n.Phraseless() {
			row.Summary = n.Summary
		}
		r.Rows = append(r.Rows, row)
	}
	return r
}

func rowOf(n vault.Node, o Outcome) Row {
	return Row{ID: n.ID, New: n.ID.Provisional(), Title: n.Title, Path: n.Path, Outcome: o}
}

// Run asks the model, has the drafts approved and writes them. When ctx ends, approved
// phrases are still committed, and the error says so; the result is valid then too.
func (b *Bulk) Run(ctx context.Context, nodes []vault.Node) (Result, error) {
	head, err := b.Vault.Store.Head(ctx)
	if err == nil && head.Busy != "" {
		still := vault.Standstill(head.Busy)
		still.Msg += "; nothing was asked"
		err = still
	}
	if err != nil {
		return Result{}, err
	}
	w := work{Bulk: b, out: Result{Rows: make([]Row, len(nodes))}}
	for i, n := range nodes {
		w.out.Rows[i] = rowOf(n, Left)
	}
	at := 0
	for d := range drafts(ctx, b.Vault, b.Generator, nodes, max(b.AtOnce, 1)) {
		goOn := w.takeDraft(ctx, at, d)
		if at++; !goOn {
			break
		}
		b.tellProgress(at)
	}
	w.flush(ctx)
	w.sumRows()
	if w.err == nil {
		w.err = context.Cause(ctx)
	}
	return w.out, w.err
}

func (b *Bulk) tellProgress(done int) {
	if b.Progress != nil {
		b.Progress(done)
	}
}

// work is a run under way.
type work struct {
	*Bulk
	out    Result
	batch  []entry
	rows   []int // of the batch, in out
	failed int   // of the model, in a row
	err    error // ends the run
}

// takeDraft deals with the draft of row i and reports whether the run continues.
func (w *work) takeDraft(ctx context.Context, i int, d Draft) bool {
	if ctx.Err() != nil {
		return false
	}
	if d.Err != nil {
		return w.noteFailure(i, d.Err)
	}
	w.failed = 0
	summary, verdict := d.Reply.Summary, Accept
	if w.Approve != nil {
		summary, verdict = w.Approve(ctx, d)
	} else {
		w.warnOfDraft(d)
	}
	switch verdict {
	case Quit:
		return false
	case Skip:
		w.out.Rows[i].Outcome = Skipped
		return true
	}
	w.out.Rows[i].Summary = summary
	w.rows = append(w.rows, i)
	w.batch = append(w.batch, entry{ID: d.Node.ID, Path: d.Node.Path, Summary: summary, Content: d.Content})
	if len(w.batch) == BatchSize {
		w.flush(ctx)
	}
	return w.err == nil
}

func (w *work) warnOfDraft(d Draft) {
	for _, warning := range d.Reply.Warnings {
		w.out.Warnings = append(w.out.Warnings, string(d.Node.ID)+": "+warning)
	}
}

// noteFailure notes a failure and reports whether the run continues.
func (w *work) noteFailure(i int, err error) bool {
	w.out.Rows[i].Outcome, w.out.Rows[i].Reason = Failed, err.Error()
	if vault.CodeOf(err) != vault.CodeGeneration || errors.Is(err, ErrReply) {
		return true
	}
	if w.failed++; w.failed < patience {
		return true
	}
	w.err = errStopped(err)
	return false
}

func errStopped(err error) error {
	var e *vault.Error
	hint := ""
	if errors.As(err, &e) {
		hint = e.Hint
	}
	return vault.Errorf(vault.CodeGeneration, hint, "stopped after %d failures in a row: %s", patience, err.Error())
}

// flush commits the batch. It is not interrupted: what a person has approved is
// theirs.
func (w *work) flush(ctx context.Context) {
	batch, rows := w.batch, w.rows
	w.batch, w.rows = nil, nil
	if len(batch) == 0 {
		return
	}
	if !w.commitPhrases(ctx, batch, rows) {
		return
	}
	for i := range batch { // a file that cannot be written is found one by one
		if w.commitPhrases(ctx, batch[i:i+1], rows[i:i+1]); w.err != nil {
			return
		}
	}
}

// commitPhrases commits phrases, and reports whether to try each by itself.
func (w *work) commitPhrases(ctx context.Context, batch []entry, rows []int) (again bool) {
	done, receipt, err := vault.Do(context.WithoutCancel(ctx), w.Vault, write{batch}, vault.Options{})
	if err != nil && len(batch) > 1 && ofOneFile(err) {
		return true
	}
	w.out.Warn(receipt.Notes...)
	if err == nil && receipt.Commit != receipt.Before {
		w.out.Commits++
	}
	for k, i := range rows {
		row := &w.out.Rows[i]
		if err == nil {
			row.ID = done[k].id
		}
		switch failure := cause(err, done, k); {
		case failure != nil:
			row.Outcome, row.Reason = Failed, failure.Error()
		case done[k].same:
			row.Outcome = Unchanged
		default:
			row.Outcome = Written
		}
	}
	if err != nil && !ofOneFile(err) {
		w.err = err
	}
	return false
}

func cause(err error, done []wrote, k int) error {
	if err != nil {
		return err
	}
	return done[k].err
}

// ofOneFile reports whether err is about a single file of a commit.
func ofOneFile(err error) bool {
	return slices.Contains([]vault.Code{vault.CodeDamaged, vault.CodeDirty, vault.CodeConflict, vault.CodeNotFound, vault.CodeProtected}, vault.CodeOf(err))
}

// sumRows sums the rows up. A phrase that never reached a commit is not there.
func (w *work) sumRows() {
	for i := range w.out.Rows {
		row := &w.out.Rows[i]
		switch row.Outcome {
		case Written:
			w.out.Written++
			continue
		case Unchanged:
			w.out.Unchanged++
			continue
		case Skipped:
			w.out.Skipped++
		case Failed:
			w.out.Failed++
		case Left:
			w.out.Left++
		}
		row.Summary = ""
	}
}

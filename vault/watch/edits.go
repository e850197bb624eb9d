package watch

import (
	"context"
	"os"
	"path/filepath"
	"time"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/tree"
)

// edit is a person's uncommitted change of one file.
type edit struct {
	vault.Drift
	since time.Time // when the file was last touched, or seen to differ
	tried bool      // this text was tried; it waits for another one
	why   string    // what was told of it last
}

func (e *edit) isGone() bool    { return e.Hash == "" }
func (e *edit) isNewFile() bool { return e.Head == "" }

// edits are a person's edits on their way to a commit. Commits are made beside
// the loop, one batch at a time. Without Options.Commit there are none.
type edits struct {
	o        Options
	files    map[vault.Path]*edit
	git      time.Time // when HEAD, a branch or what is under way last changed
	waiting  time.Time // since when something waits in the outbox of a repository that is free; zero when nothing does
	running  bool
	finished chan batch
}

func newEdits(o Options) edits {
	return edits{o: o, files: make(map[vault.Path]*edit), finished: make(chan batch, 1)}
}

// noteTouch notes that something happened to a file.
func (x *edits) noteTouch(p vault.Path, now time.Time) {
	if e := x.files[p]; e != nil {
		e.since, e.tried = now, false
	}
}

// retryStaged notes that somebody staged something, or no longer does. What a batch under way
// finds out may be older than that, so its files are tried once more.
func (x *edits) retryStaged(now time.Time) {
	for _, e := range x.files {
		if e.tried && e.why == vault.WhyStaged || x.running && !e.tried {
			e.since, e.tried = now, false
		}
	}
}

// see takes in what is not committed now, and whether the outbox can be emptied.
func (x *edits) see(drift []vault.Drift, deliver bool, now time.Time) {
	if deliver && x.waiting.IsZero() {
		x.waiting = now
	}
	files := make(map[vault.Path]*edit, len(drift))
	for _, d := range drift {
		e := x.files[d.Path]
		if e == nil || e.Hash != d.Hash || e.Head != d.Head {
			why := ""
			if e != nil && e.Hash == d.Hash {
				why = e.why
			}
			e = &edit{Drift: d, since: now, why: why}
		}
		files[d.Path] = e
	}
	x.files = files
}

// goneQuiet is the time after which a missing file counts as deleted or moved: a person
// may be moving it, an editor may be saving it.
const goneQuiet = 2 * time.Second

// ripe returns when an edit counts as finished.
func (x *edits) ripe(e *edit) time.Time {
	quiet := x.o.Quiet
	if e.isGone() {
		quiet = max(quiet, goneQuiet)
	}
	at := e.since.Add(quiet)
	if busy := x.git.Add(min(quiet, time.Second)); at.Before(busy) {
		return busy
	}
	return at
}

// due returns when the next edit is finished; false when none is waiting.
func (x *edits) due() (next time.Time, ok bool) {
	if x.running {
		return next, false
	}
	if !x.waiting.IsZero() {
		next, ok = x.waiting.Add(goneQuiet), true
	}
	for _, e := range x.files {
		if at := x.ripe(e); !e.tried && (!ok || at.Before(next)) {
			next, ok = at, true
		}
	}
	return next, ok
}

// startCommit begins to commit what is finished.
func (x *edits) startCommit(ctx context.Context, now time.Time) {
	if at, ok := x.due(); !ok || now.Before(at) {
		return
	}
	b := batch{calm: true}
	for _, e := range x.files {
		switch {
		case now.Before(x.ripe(e)):
			b.calm = b.calm && !e.isGone() && !e.isNewFile()
		case e.tried && !e.isGone() && !e.isNewFile():
		default:
			b.edits = append(b.edits, *e)
		}
	}
	x.running, x.waiting = true, time.Time{}
	go func() {
		err := vault.Guard("committing what was edited", nil, func() error { b.runBatch(ctx, x.o); return nil })
		b.faulty(err)
		x.finished <- b
	}()
}

// wait waits for a batch that is being committed.
func (x *edits) wait() {
	if x.running {
		<-x.finished
		x.running = false
	}
}

// takeOutcome takes in the outcome of a batch and returns what to report: each reason once.
func (x *edits) takeOutcome(b batch, now time.Time) tree.Pass {
	x.running = false
	p := tree.Pass{At: now, Commits: b.commits, Left: []tree.Left{}, Warnings: b.warnings}
	for _, was := range b.edits {
		e := x.files[was.Path]
		if e == nil || e.Hash != was.Hash || e.Head != was.Head || e.since != was.since {
			continue
		}
		why, later := b.left[e.Path], b.later[e.Path] || b.busy
		e.tried = !later
		if later {
			e.since = now
		}
		if why != "" && why != e.why {
			p.Left = append(p.Left, tree.Left{Path: e.Path, Why: why})
			e.why = why
		}
	}
	return p
}

// takeBatch takes in a batch.
func (w *Watcher) takeBatch(b batch) error {
	p := w.edits.takeOutcome(b, time.Now())
	w.looked = p.At
	if p.Commits == nil {
		p.Commits = []tree.Committed{}
	}
	if p.Warnings == nil {
		p.Warnings = []string{}
	}
	return w.tellPass(p)
}

// gitAtWork reports whether a git program holds the index: it may be in the
// middle of a checkout, whose files differ from HEAD until it ends.
func gitAtWork(dirs []string) bool {
	for _, dir := range dirs {
		if _, err := os.Lstat(filepath.Join(dir, "index.lock")); err == nil {
			return true
		}
	}
	return false
}

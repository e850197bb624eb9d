package knowledge

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/graph"
	"github.com/cp-memory/cp/vault/tree"
)

// Watch watches the vault and, beside that, has a language model draw the facts that are
// missing or stale: at the start, and again when files have changed and then been left alone
// for the time of o.Quiet. One program of a clone draws at a time. What a model could not do is
// told once and not tried again before the text changes, and when the day's tokens are spent or
// the model is down, drawing waits for a minute, then ever longer, up to an hour.
func (r Room) Watch(ctx context.Context, o tree.Watch, told func(tree.Pass) error, warn func(string)) error {
	if g := r.Settings.Generation; !g.IsConfigured() {
		return errNoModel()
	}
	within, cancel := context.WithCancel(ctx)
	d := &drawer{room: r, quiet: o.Quiet, due: make(chan struct{}, 1), failed: make(map[string]bool), told: told, warn: warn}
	var drawing sync.WaitGroup
	defer drawing.Wait()
	defer cancel()
	drawing.Go(func() { d.loop(within) })
	o.Looked = d.wake
	return r.App.Watch(ctx, r.Session, o, d.tellPass, func(text string) {
		d.mu.Lock()
		defer d.mu.Unlock()
		warn(text)
	})
}

// errNoModel is the error of who wants facts drawn and has no model.
func errNoModel() error {
	return vault.Errorf(vault.CodeConfig, "cp help generation; facts by hand need none: cp memory fact add", "no language model is configured, and facts are drawn by one")
}

// drawer draws facts beside a watcher.
type drawer struct {
	room   Room
	quiet  time.Duration
	due    chan struct{}
	failed map[string]bool // ids with the hashes of the texts that came to nothing
	said   string          // the last reason why nothing could be drawn

	mu   sync.Mutex // of what is told, and it is the watcher's, too
	told func(tree.Pass) error
	warn func(string)
}

// wake asks for a look at what is pending.
func (d *drawer) wake() {
	select {
	case d.due <- struct{}{}:
	default:
	}
}

func (d *drawer) tellPass(p tree.Pass) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.told(p)
}

// The pauses after a try that failed.
const (
	firstPause = time.Minute
	lastPause  = time.Hour
)

// loop draws whenever something is due, until ctx ends.
func (d *drawer) loop(ctx context.Context) {
	pause, again := firstPause, time.Duration(0)
	for d.waitUntilQuiet(ctx, again) {
		left := false
		err := vault.Guard("drawing facts", nil, func() (err error) {
			left, err = d.draw(ctx)
			return err
		})
		switch {
		case ctx.Err() != nil:
			return
		case err == nil:
			pause, again, d.said = firstPause, 0, ""
			if left { // what is not committed yet may be so at any time
				again = firstPause
			}
		default:
			d.tellFailure(err)
			if !wait(ctx, pause) {
				return
			}
			pause = min(2*pause, lastPause)
			d.wake()
		}
	}
}

// waitUntilQuiet waits until something is due, or, with again, for that long, and then until nothing
// more has changed for a while. It returns false if ctx has ended.
func (d *drawer) waitUntilQuiet(ctx context.Context, again time.Duration) bool {
	var late <-chan time.Time
	if again > 0 {
		late = time.After(again)
	}
	select {
	case <-d.due:
	case <-late:
	case <-ctx.Done():
		return false
	}
	for {
		quiet := time.NewTimer(d.quiet)
		select {
		case <-d.due:
			quiet.Stop()
		case <-quiet.C:
			return true
		case <-ctx.Done():
			quiet.Stop()
			return false
		}
	}
}

func wait(ctx context.Context, pause time.Duration) bool {
	timer := time.NewTimer(pause)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// tellFailure tells why nothing can be drawn, once until that changes.
func (d *drawer) tellFailure(err error) {
	text := "facts are not drawn now: " + err.Error()
	if text == d.said {
		return
	}
	d.said = text
	_ = d.tellPass(tree.Pass{At: time.Now(), Commits: []tree.Committed{}, Left: []tree.Left{}, Warnings: []string{text}}) // whoever cannot be told ends the watch by the next pass
}

// draw draws what is pending, in a session of its own: the watcher's is in use. left says that
// something was pending that may still be.
func (d *drawer) draw(ctx context.Context) (left bool, err error) {
	s, err := d.room.App.Open(ctx, d.room.Settings)
	if err != nil {
		return false, err
	}
	defer s.Close()
	quiet := *d.room.App
	quiet.Progress = nil
	room := Room{App: &quiet, Session: s}
	if _, err := room.Vault.CatchUp(ctx, vault.Scope{}); err != nil {
		return false, err
	}
	pending, err := room.Undrawn(ctx)
	if err != nil || len(pending) == 0 {
		return false, err
	}
	which := graph.WhichMemories{Missing: true, Stale: true, Skip: func(c graph.ChosenMemory) bool { return c.Err != nil || d.failed[memoryKey(c)] }}
	for _, id := range pending {
		which.Refs = append(which.Refs, string(id))
	}
	done, err := room.Extract(ctx, Extract{WhichMemories: which, AtOnce: 2}, func(string) {})
	return len(pending) > done.Drawn, d.report(done, err)
}

func memoryKey(c graph.ChosenMemory) string { return string(c.Node.ID) + " " + c.Of }

// report tells what was drawn, and remembers what came to nothing.
func (d *drawer) report(done graph.ExtractResult, err error) error {
	p := tree.Pass{At: time.Now(), Commits: []tree.Committed{}, Left: []tree.Left{}, Warnings: append([]string{}, done.Warnings...)}
	if done.Drawn > 0 {
		p.Commits = append(p.Commits, tree.Committed{Title: fmt.Sprintf("the facts of %s", vault.Plural(done.Drawn, "memory", "memories"))})
	}
	for _, row := range done.Rows {
		if row.Outcome == graph.Failed && err == nil {
			d.failed[string(row.ID)+" "+row.Of] = true
			p.Left = append(p.Left, tree.Left{Path: row.Path, Why: "its facts could not be drawn: " + row.Reason})
		}
	}
	if p.Idle() {
		return err
	}
	if failed := d.tellPass(p); err == nil {
		err = failed
	}
	return err
}

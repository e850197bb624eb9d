package watch

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"time"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/disk"
	"github.com/cp-memory/cp/vault/disk/sysfile"
	"github.com/cp-memory/cp/vault/tree"
)

// beginPass begins a pass over the dirty files, for the readers that have asked.
func (w *Watcher) beginPass(ctx context.Context) error {
	if err := w.still(); err != nil {
		return err
	}
	r := &running{dirty: w.dirty, asked: w.asked}
	w.dirty, w.asked, w.rested = dirty{}, nil, false
	if r.dirty.renew && w.who.Polling == "" {
		w.renew()
	}
	w.running = r
	go func() {
		var out outcome
		out.fault = vault.Guard("watching", nil, func() error {
			out = w.runPass(ctx, &r.dirty)
			return nil
		})
		w.passes <- out
	}()
	return nil
}

// still checks that the vault, the lock and the mirror are the same as at the start.
func (w *Watcher) still() error {
	if w.o.Foreign != nil && w.o.Foreign() {
		return vault.Errorf(vault.CodeConflict, "start it again", "another version of cp has made the index its own, so this version's watcher ends")
	}
	root, err := os.Stat(w.o.Root)
	if err != nil || !os.SameFile(root, w.root) {
		return errGone
	}
	lock, err := os.Stat(lockFile(w.o.Place))
	if err != nil || !os.SameFile(lock, w.locked) {
		return vault.Errorf(vault.CodeIO, "start it again", "the watcher's lock was removed, so it ends: another one may be running")
	}
	return nil
}

// renew opens the kernel's events anew. Earlier events are not needed, since a scan of
// everything follows.
func (w *Watcher) renew() {
	if w.folders.events != nil {
		_ = w.folders.events.Close()
	}
	w.folders = folders{watched: make(map[vault.Path]string)}
	open, err := w.o.Events()
	if err != nil {
		w.poll("the system gives no more inotify instances (fs.inotify.max_user_instances): " + err.Error())
		return
	}
	w.folders.events = open
}

// poll continues without events.
func (w *Watcher) poll(why string) {
	if w.folders.events != nil {
		_ = w.folders.events.Close()
		w.folders = folders{}
	}
	w.who.Polling = why
	w.removeLeftovers() // nobody need ask
	sign(w.o.Place, w.who)
	w.o.Warn(why + "; the vault is scanned now and then instead")
}

// runPass is one pass. It runs beside the loop, which goes on receiving events.
func (w *Watcher) runPass(ctx context.Context, d *dirty) outcome {
	begun := time.Now()
	out := outcome{pass: tree.Pass{At: begun, Whole: d.whole, Commits: []tree.Committed{}, Left: []tree.Left{}, Warnings: []string{}}}
	if err := w.watchFolders(ctx, d); err != nil {
		out.exhausted = err
		return out
	}
	own := *w.o.Vault.Vault
	own.Mirror.Refresher = w.o.Mirror
	report, err := own.CatchUp(ctx, scopeOf(d))
	private, _ := w.o.Mirror.Private()
	if err != nil || private { // a new one is opened with the next question
		_ = w.o.Mirror.Close()
	}
	out.certain = err == nil && report.Complete && !private
	if err != nil && ctx.Err() == nil {
		out.pass.Warnings = append(out.pass.Warnings, "the index could not be brought up to date: "+err.Error())
	}
	out.generation = report.Generation
	out.pass.Files, out.pass.Changed, out.pass.Removed = report.Files, report.Changed, report.Removed
	if w.o.Commit && err == nil {
		w.findUncommitted(ctx, &out)
	}
	out.pass.Took = time.Since(begun)
	return out
}

// findUncommitted finds what could be committed.
func (w *Watcher) findUncommitted(ctx context.Context, out *outcome) {
	var err error
	out.drift, err = w.o.Mirror.Drift(ctx)
	out.drifted = err == nil
	if waiting, _ := w.o.Vault.Store.Waiting(ctx); len(waiting) > 0 {
		head, err := w.o.Vault.Store.Head(ctx)
		out.deliver = err == nil && head.Busy == ""
	}
}

func scopeOf(d *dirty) vault.Scope {
	switch {
	case d.whole:
		return vault.Scope{Each: true}
	case len(d.paths) > 0:
		return vault.Scope{Paths: d.topNames()}
	}
	return vault.Scope{Still: true}
}

// watchFolders brings the watched folders up to date. The error says that the system
// watches no more.
func (w *Watcher) watchFolders(ctx context.Context, d *dirty) error {
	f := &w.folders
	if f.events == nil {
		return nil
	}
	if d.renew {
		return w.watchAll(ctx, d)
	}
	for p, moved := range d.paths {
		if moved {
			f.unwatchFolder(p)
		}
	}
	for p, moved := range d.paths {
		if moved && isFolder(filepath.Join(w.o.Root, filepath.FromSlash(string(p)))) {
			if err := f.watchTree(ctx, w.o.Folders, p); err != nil {
				return err
			}
		}
	}
	if d.git {
		if err := f.addGit(w.o.Git); err != nil {
			return err
		}
	}
	return w.watchFacts(ctx, d)
}

// watchAll watches everything. The folder for questions comes last: what is
// asked in it is asked when everything else is watched.
func (w *Watcher) watchAll(ctx context.Context, d *dirty) error {
	if err := w.folders.watchTree(ctx, w.o.Folders, ""); err != nil {
		return err
	}
	if err := w.watchFacts(ctx, d); err != nil {
		return err
	}
	if err := w.folders.addGit(w.o.Git); err != nil {
		return err
	}
	asks := askFolder(w.o.Place)
	if err := errors.Join(disk.MkdirAll(asks, 0o700), w.folders.events.Add(asks)); sysfile.IsExhausted(err) {
		return err
	}
	return nil // where nobody can ask, everybody scans
}

// takePass takes in what became of a pass.
func (w *Watcher) takePass(out outcome) error {
	was := w.running
	w.running, w.looked = nil, time.Now()
	if out.fault != nil {
		w.answerQuestions(was.asked, false)
		return out.fault
	}
	if out.exhausted != nil {
		w.poll("the system watches no more folders (" + out.exhausted.Error() + "; fs.inotify.max_user_watches)")
		w.dirty.whole = true
		w.answerQuestions(was.asked, false)
		return nil
	}
	w.conclude(was, out)
	w.answerQuestions(was.asked, w.certain)
	if was.dirty.renew {
		w.recallAsks()
	}
	if out.drifted {
		w.edits.see(out.drift, out.deliver, time.Now())
	}
	return w.tellPass(out.pass)
}

// conclude works out what is known now, and when to look again.
func (w *Watcher) conclude(was *running, out outcome) {
	if out.certain && (w.certain || was.dirty.whole) {
		w.generation, w.certain = out.generation, true
	} else {
		w.certain = false
	}
	now := time.Now()
	if was.dirty.whole || !w.certain {
		w.scanned = now
	}
	if w.again = min(2*w.again, time.Minute); out.certain || w.again == 0 {
		w.again = time.Second
	}
	switch {
	case !was.dirty.whole:
	case w.who.Polling != "":
		w.every = max(2*time.Second, 20*out.pass.Took)
	default:
		w.every = max(time.Minute, 1000*out.pass.Took)
	}
}

// recallAsks finds the questions that came before their folder was watched.
func (w *Watcher) recallAsks() {
	left, _ := os.ReadDir(askFolder(w.o.Place))
	for _, e := range left {
		w.answerQuestions([]string{e.Name()}, false)
	}
}

// tellPass tells of a pass, if there is something to tell.
func (w *Watcher) tellPass(p tree.Pass) error {
	if w.o.Looked != nil {
		w.o.Looked()
	}
	if w.told && p.Idle() {
		return nil
	}
	w.told = true
	return w.o.Told(p)
}

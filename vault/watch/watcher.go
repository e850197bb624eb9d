package watch

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"strconv"
	"strings"
	"time"

	"github.com/gofrs/flock"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/disk"
	"github.com/cp-memory/cp/vault/disk/sysfile"
	"github.com/cp-memory/cp/vault/sync"
	"github.com/cp-memory/cp/vault/tree"
)

// Mirror is the mirror that is kept current. After Close it opens again with the next
// question.
type Mirror interface {
	vault.Refresher
	Drift(ctx context.Context) ([]vault.Drift, error)
	Private() (bool, error) // it is not the file that readers read, and why
	Close() error
}

// Options say what is watched.
type Options struct {
	tree.Watch
	Vault   *sync.Syncer // whose verbs commit; its own mirror may ask this watcher
	Mirror  Mirror       // is kept current; it asks nobody
	Reader  io.Closer    // the vault's own mirror, closed at rest as Mirror is; may be nil
	Folders Folders
	Root    string   // the vault's folder, links resolved
	Place   string   // see Place
	Git     []string // the repository's folders with HEAD and refs
	Build   string   // see Reader

	// Foreign reports whether another build has replaced our mirror by its own. Then the
	// watch ends, so that the two do not take turns. A nil Foreign means never.
	Foreign func() bool

	// Hides reports whether a scan passes over a file or folder since a name in its path
	// begins with a dot. A nil Hides passes over each of those.
	Hides func(vault.Path) bool

	// Rules tells one state of what git ignores from another one, as far as that does not
	// stand in the vault's folder. A nil Rules never changes.
	Rules func(ctx context.Context) string

	// Idle is called when nothing has happened for a while; nil is nothing to do.
	// It returns at once.
	Idle func()

	Told   func(tree.Pass) error // of every pass that changed or did something, and of the first
	Warn   func(string)
	Debug  func(string)           // may be nil
	Events func() (events, error) // nil is inotify, and polling on a system that has none

	// FileSystem names the file system of a folder and tells if it is another
	// machine's; nil is sysfile.FileSystem.
	FileSystem func(dir string) (name string, remote bool)
}

func (o *Options) debug(format string, args ...any) {
	if o.Debug != nil {
		o.Debug(fmt.Sprintf(format, args...))
	}
}

// Watcher keeps the mirror of one vault current. All fields belong to the
// goroutine of Run, but for those that a pass is given for its time.
type Watcher struct {
	o            Options
	lock         *flock.Flock
	root, locked os.FileInfo // the vault's folder and the lock when the watch began
	who          tree.Watcher

	folders folders // a running pass's
	dirty   dirty
	asked   []string // questions that nobody has answered yet
	running *running // the pass; nil between passes
	passes  chan outcome

	generation vault.Generation // where the mirror is
	certain    bool             // the mirror holds what was on disk when its last pass began, and every event since is known
	looked     time.Time        // when the last pass ended
	scanned    time.Time        // when the last scan of the whole vault ended
	every      time.Duration
	again      time.Duration // until the next try after one that failed
	told       bool          // of the first pass
	rested     bool
	rules      string // as Options.Rules last said
	edits      edits
}

// running says why a pass was begun.
type running struct {
	dirty dirty
	asked []string
}

// outcome is the result of a pass.
type outcome struct {
	pass       tree.Pass
	generation vault.Generation
	certain    bool
	exhausted  error         // the system watches no more folders
	fault      error         // a mistake of the program's own; the watcher ends
	drift      []vault.Drift // with Commit: what is not committed
	drifted    bool
	deliver    bool // something waits in the outbox, and the repository is free
}

// Run watches until ctx ends, then cleans up and returns nil. The error is
// CodeLocked when the vault has a watcher already.
func Run(ctx context.Context, o Options) (err error) {
	if o.Quiet == 0 {
		o.Quiet = 5 * time.Second
	}
	if o.Events == nil && sysfile.WatchesFolders {
		o.Events = openInotify
	}
	if o.FileSystem == nil {
		o.FileSystem = sysfile.FileSystem
	}
	w := &Watcher{o: o, passes: make(chan outcome, 1)}
	if w.lock, err = lockWatcher(ctx, o.Place, o.Build); err != nil {
		if ctx.Err() != nil {
			return nil
		}
		return err
	}
	defer w.removeHeartbeat()
	w.root, err = os.Stat(o.Root)
	if err == nil {
		w.locked, err = os.Stat(lockFile(o.Place))
	}
	if err != nil {
		return vault.Errorf(vault.CodeIO, "", "cannot read the vault's folder: %w", err)
	}
	w.who = tree.Watcher{PID: os.Getpid(), Since: time.Now(), Commit: o.Commit, Build: o.Build}
	w.removeLeftovers()
	if name, remote := o.FileSystem(o.Root); remote || name == "FUSE" {
		w.poll(name + " does not tell of every change")
	} else if o.Events == nil {
		w.poll("this system would hold each file of the vault open")
	}
	sign(o.Place, w.who)
	w.edits = newEdits(o)
	w.dirty = dirty{whole: true, renew: true}
	err = w.loop(ctx)
	w.waitForRuns()
	return err
}

func pid(who tree.Watcher) string { return strconv.Itoa(who.PID) }

// removeLeftovers removes what a killed watcher and killed readers left.
func (w *Watcher) removeLeftovers() {
	for _, pattern := range []string{filepath.Join(askFolder(w.o.Place), "*"), filepath.Join(w.o.Place, "new-*"), silentFile(w.o.Place)} {
		left, _ := filepath.Glob(pattern)
		for _, name := range left {
			_ = disk.Remove(name)
		}
	}
	_, _ = disk.RemoveDir(askFolder(w.o.Place))
}

// waitForRuns waits for what runs; both stop soon after the context has ended.
func (w *Watcher) waitForRuns() {
	if w.running != nil {
		<-w.passes
	}
	w.edits.wait()
	if w.folders.events != nil {
		_ = w.folders.events.Close()
	}
}

// removeHeartbeat takes the heartbeat away.
func (w *Watcher) removeHeartbeat() {
	w.removeLeftovers()
	_ = disk.Remove(signFile(w.o.Place))
	_ = w.lock.Close()
}

// errGone ends a watch whose vault is somewhere else now.
var errGone = vault.Errorf(vault.CodeIO, "start it again in the vault's new place", "the vault's folder was moved or removed, so its watcher ends")

func (w *Watcher) loop(ctx context.Context) error {
	for {
		if err := w.step(ctx); err != nil {
			return err
		}
		timer := time.NewTimer(time.Until(w.wake()))
		err := w.await(ctx, timer.C)
		timer.Stop()
		if errors.Is(err, errStop) || ctx.Err() != nil {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// errStop ends the watch as asked for.
var errStop = errors.New("stop")

// step begins what is due, and answers who can be answered.
func (w *Watcher) step(ctx context.Context) error {
	if w.running != nil {
		return nil
	}
	now := time.Now()
	if !now.Before(w.nextScan()) || len(w.asked) > 0 && w.otherRules(ctx) {
		w.dirty.whole = true
	}
	if len(w.asked) > 0 && w.newFacts() {
		w.dirty.noteName(vault.FactsDir, true)
	}
	ask := len(w.asked) > 0 && w.certain
	switch {
	case w.dirty.empty():
		w.answerQuestions(w.asked, w.certain)
		w.asked = nil
	case w.dirty.whole && w.dirty.last.IsZero(), ask, !now.Before(w.dirty.due()):
		return w.beginPass(ctx)
	case len(w.asked) > 0:
		w.answerQuestions(w.asked, false)
		w.asked = nil
	}
	w.edits.startCommit(ctx, now)
	return w.rest(now)
}

// otherRules reports whether git ignores something else than at the last question.
func (w *Watcher) otherRules(ctx context.Context) bool {
	if w.o.Rules == nil {
		return false
	}
	was := w.rules
	w.rules = w.o.Rules(ctx)
	return w.rules != was
}

// rest gives back what a pass needed, once nothing has happened for a while.
func (w *Watcher) rest(now time.Time) error {
	if w.rested || w.edits.running || now.Before(w.looked.Add(restAfter)) {
		return nil
	}
	w.rested = true
	err := w.o.Mirror.Close()
	if w.o.Reader != nil {
		err = errors.Join(err, w.o.Reader.Close())
	}
	debug.FreeOSMemory()
	if w.o.Idle != nil {
		w.o.Idle()
	}
	if err != nil {
		w.o.debug("closing the index: %v", err)
	}
	return nil
}

const restAfter = 5 * time.Second

// nextScan returns when the whole vault is to be scanned again.
func (w *Watcher) nextScan() time.Time {
	switch {
	case w.scanned.IsZero():
		return time.Time{}
	case !w.certain:
		return w.scanned.Add(w.again)
	}
	return w.scanned.Add(w.every)
}

// wake returns when something is due.
func (w *Watcher) wake() time.Time {
	if w.running != nil {
		return time.Now().Add(time.Hour) // its end is what happens next
	}
	next := w.nextScan()
	if !w.dirty.empty() && !w.dirty.last.IsZero() {
		next = earlier(next, w.dirty.due())
	}
	if !w.rested && !w.edits.running {
		next = earlier(next, w.looked.Add(restAfter))
	}
	if due, ok := w.edits.due(); ok {
		next = earlier(next, due)
	}
	return next
}

// answerQuestions answers questions.
func (w *Watcher) answerQuestions(asked []string, ok bool) {
	for _, name := range asked {
		path := filepath.Join(askFolder(w.o.Place), name)
		known := ok && strings.HasPrefix(name, "ask-"+w.o.Build+"-")
		_ = disk.WritePipe(path, formatAnswer(w.generation, known)) // who asked may be gone
		_ = disk.Remove(path)
	}
}

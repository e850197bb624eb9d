package watch

import (
	"context"
	"path/filepath"
	"strings"
	"time"

	"github.com/fsnotify/fsnotify"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/filename"
)

// await waits for one event of any kind and notes it.
func (w *Watcher) await(ctx context.Context, timer <-chan time.Time) error {
	var told <-chan fsnotify.Event
	var failed <-chan error
	if w.folders.events != nil {
		told, failed = w.folders.events.Events(), w.folders.events.Errors()
	}
	select {
	case <-ctx.Done():
		return nil
	case e, ok := <-told:
		if ok {
			return w.heard(e)
		}
	case err, ok := <-failed:
		if ok { // what was lost is not known, whatever the error
			w.o.debug("events were lost: %v", err)
			w.dirty.noteTime(time.Now())
			w.dirty.whole, w.dirty.renew = true, true
		}
	case out := <-w.passes:
		return w.takePass(out)
	case done := <-w.edits.finished:
		return w.takeBatch(done)
	case <-timer:
	}
	return nil
}

// heard notes an event.
func (w *Watcher) heard(e fsnotify.Event) error {
	now := time.Now()
	dir, base := filepath.Split(e.Name)
	switch dir = filepath.Clean(dir); {
	case e.Name == w.o.Root:
		if e.Has(fsnotify.Remove) || e.Has(fsnotify.Rename) {
			return errGone
		}
	case dir == askFolder(w.o.Place):
		return w.question(e, base)
	case e.Name == askFolder(w.o.Place):
		w.dirty.whole, w.dirty.renew = true, true // somebody cleans the git directory
		w.dirty.noteTime(now)
	case w.inGit(e.Name):
		w.heardGit(base, now)
	default:
		w.heardName(e, base, now)
	}
	return nil
}

// question notes a reader's question. It is met behind all that was changed
// before it was asked.
func (w *Watcher) question(e fsnotify.Event, base string) error {
	switch {
	case !e.Has(fsnotify.Create):
	case base == stopName:
		w.o.Warn("another version of cp takes over the watch")
		return errStop
	case strings.HasPrefix(base, "ask-"):
		w.asked = append(w.asked, base)
	}
	return nil
}

func (w *Watcher) inGit(name string) bool {
	for _, dir := range w.o.Git {
		if strings.HasPrefix(name, dir+string(filepath.Separator)) {
			return true
		}
	}
	return false
}

// heardGit notes that HEAD or a branch may have moved. The index and locks
// say nothing of that: a shell's prompt refreshes them all the time.
func (w *Watcher) heardGit(base string, now time.Time) {
	if base == "index" {
		w.edits.retryStaged(now)
	}
	if base == "index" || strings.HasSuffix(base, ".lock") {
		return
	}
	w.edits.git = now
	w.dirty.git = true
	w.dirty.noteTime(now)
}

func (w *Watcher) heardName(e fsnotify.Event, base string, now time.Time) {
	p, ok := inVault(w.o.Root, e.Name, w.o.Hides)
	if !ok {
		w.heardHidden(e, base, now)
		return
	}
	if !p.IsNote() && !p.IsFacts() && !moves(e) && w.running == nil && w.folders.watched[p] == "" {
		return // an attachment was written
	}
	if clean, err := vault.ParsePath(string(p)); !p.Within(vault.FactsDir) && (err != nil || clean != p) {
		w.dirty.whole = true // a name that no scan of names takes
	}
	w.dirty.noteName(p, moves(e))
	w.dirty.noteTime(now)
	w.edits.noteTouch(p, now)
}

// heardHidden notes what a name that no scan looks at says of others: that a
// folder became a repository or a project of its own or ceased to be one, that a file is in
// the cloud only, or that git ignores other files.
func (w *Watcher) heardHidden(e fsnotify.Event, base string, now time.Time) {
	if base == ".gitignore" {
		w.dirty.whole = true
		w.dirty.noteTime(now)
	}
	_, evicted := filename.NameOfEvicted(base)
	if evicted || moves(e) && (base == ".git" || w.isProjectMark(e.Name)) {
		w.dirty.whole, w.dirty.renew = true, true
		w.dirty.noteTime(now)
	}
}

// isProjectMark reports whether a name makes its folder another project's: .cp.yaml, .cp/vault.yaml, or
// the .cp in which that may lie. The vault's own do not.
func (w *Watcher) isProjectMark(name string) bool {
	dir, base := filepath.Split(name)
	switch dir = filepath.Clean(dir); {
	case base == "vault.yaml" && filepath.Base(dir) == ".cp":
		return filepath.Dir(dir) != w.o.Root
	case base == ".cp" || base == ".cp.yaml":
		return dir != w.o.Root
	}
	return false
}

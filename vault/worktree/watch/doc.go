// Package watch keeps a vault's mirror current while files change, and lets
// readers know, so that they need not scan.
//
// # What is watched
//
// One inotify instance watches every folder that a scan looks into, and the
// folders of the repository in which HEAD and the branches are. A folder is
// watched first and read then, so what comes in between is seen. Events are
// hints: they name what a pass looks at again, and the mirror compares it with
// the disk as any command does. A pass begins when nothing has happened for
// 100 ms, or 1 s after the first event, or when a reader asks. Where events
// were lost (the queue overflowed) the instance is made anew and the whole
// vault scanned.
//
// What no event tells (a write through a shared mapping of memory, or through
// a hard link outside the vault) is found by a scan of the whole vault, once a
// minute and at most for a thousandth of the time: 0.25 s at 100,000 files are
// one scan in 250 s.
//
// # How a reader knows
//
// An answer must not be older than the disk at the moment of asking, and a
// watcher may be behind: its queue may be full of events, it may be stopped.
// So a reader asks, and the question takes the way of the events:
//
//	reader   makes a named pipe, opens it, renames it to ask/ask-<build>-<name>
//	kernel   puts that event behind all those of changes made before
//	watcher  reads the events in order, meets the question, looks at once at
//	         what it has heard of until then, and writes where the mirror stands
//	reader   sees the file's mirror at that stand or after it, and reads HEAD itself
//
// A system call that changes a file has queued its event when it returns, and
// one instance gives its events in order: this is what watchman calls a cookie.
// A reader waits for 50 ms at the most and then scans. It does not ask when
// nobody holds the lock (the watcher is gone, however it ended), when there is no
// folder ask/ (it polls), or when it did not answer somebody within the last 3 s.
// So a stopped or busy watcher costs 50 ms every 3 s, and never an answer. A stand names the mirror's file too, so that a mirror that
// was deleted or put back from a copy is not trusted.
//
// # Files
//
// <state>/watch/ holds
//
//	lock       the flock: one watcher per vault
//	watcher    who holds it, JSON
//	ask/       the questions
//	silent     when somebody was not answered
//
// # The way in
//
//	place := watch.Place(store.Root(), store.StateDir())
//	err := watch.Run(ctx, watch.Options{Vault: v, Mirror: mirror, Folders: store, Root: root, Place: place, Build: build})
//	at, ok := watch.Reader{Place: place, Build: build}.Current(ctx) // in another process
package watch

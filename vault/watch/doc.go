// Package watch keeps a vault's mirror current while files change, and tells readers
// how current it is. They then need not scan the files themselves.
//
// # What is watched
//
// One inotify instance watches every folder that a scan reads, those of facts files too, and
// the folders of the repository with HEAD and the branches. The watch on a folder begins before the
// folder is read, so no change in between is missed. Events are only hints: they name
// what a pass looks at again, and the mirror compares that with the disk. A pass begins
// after 100 ms without an event, at the latest 1 s after the first event, or when a
// reader asks. If events were lost because the queue was full, the watcher makes a new
// instance and scans the whole vault.
//
// Some changes cause no event: writes through a shared memory mapping, or through a
// hard link outside the vault. A scan of the whole vault finds them. It runs once a
// minute, but takes at most a thousandth of the time: with 0.25 s for 100,000 files it
// runs every 250 s.
//
// # How a reader knows
//
// An answer must not be older than the disk at the moment of the question. But a
// watcher may be behind: it may have many events to read, or be stopped. So a reader
// asks it, and the question itself is an event:
//
//	reader   makes a named pipe, opens it, renames it to ask/ask-<build>-<name>
//	kernel   queues that event behind the events of all earlier changes
//	watcher  reads the events in order until the question, brings the mirror up to
//	         date at once, and writes the mirror's generation into the pipe
//	reader   checks that the mirror has that generation or a later one, and reads HEAD
//
// When a system call that changes a file returns, its event is in the queue, and one
// instance delivers its events in order. Watchman calls such a question a cookie.
//
// A reader waits for at most 50 ms and then scans. It does not ask if nobody holds the
// lock (there is no watcher), if there is no folder ask/ (the watcher polls), or if the
// watcher left a question unanswered within the last 3 s. So a stopped or busy watcher
// costs readers 50 ms every 3 s, and every reader gets its answer. A generation also
// identifies the mirror's file: a mirror that was deleted or restored from a copy is
// not trusted.
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
//	place := watch.LockFolder(store.Root(), store.StateDir())
//	err := watch.Run(ctx, watch.Options{Vault: v, Mirror: mirror, Folders: store, Root: root, Place: place, Build: build})
//	at, ok := watch.Reader{Place: place, Build: build}.Current(ctx) // in another process
package watch

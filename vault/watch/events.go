package watch

import (
	"errors"

	"github.com/fsnotify/fsnotify"
	"golang.org/x/sys/unix"
)

// events tell what happens in the folders added. They come in order, an error
// at its place among them: nothing is taken from either channel while something
// earlier waits in the other one.
type events interface {
	Events() <-chan fsnotify.Event
	Errors() <-chan error
	Add(folder string) error
	Remove(folder string) error
	Close() error
}

// inotify gives the kernel's events, or those of another system.
type inotify struct{ *fsnotify.Watcher }

func (i inotify) Events() <-chan fsnotify.Event { return i.Watcher.Events }
func (i inotify) Errors() <-chan error          { return i.Watcher.Errors }

func openInotify() (events, error) {
	w, err := fsnotify.NewWatcher() // not buffered: a buffer would part errors from events
	if err != nil {
		return nil, err
	}
	return inotify{w}, nil
}

// isExhausted reports whether err says that the system watches no more folders.
func isExhausted(err error) bool {
	for _, e := range []error{unix.ENOSPC, unix.EMFILE, unix.ENFILE, unix.ENOMEM, unix.ENOSYS} {
		if errors.Is(err, e) {
			return true
		}
	}
	return false
}

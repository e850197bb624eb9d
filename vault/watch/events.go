package watch

import "github.com/fsnotify/fsnotify"

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

package console

import (
	"io"
	"sync"

	"github.com/cp-memory/cp/cmd/internal/render"
)

// working is the line on a terminal that tells that a command is at work, and how far it
// is. There is one at a time, and it goes before anything else is written.
type working struct {
	to io.Writer // the terminal; nil for none

	mu   sync.Mutex
	verb string // the command's word, for work of which nobody tells more
	now  *render.Progress
}

// beginLine shows a line in place of the one that is there. total is the number of steps, or 0.
func (w *working) beginLine(label string, total int) (set func(done int), end func()) {
	w.wipeLine()
	if w.to == nil {
		return func(int) {}, func() {}
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.now = render.StartProgress(w.to, label, total)
	return w.now.Set, w.wipeLine
}

// wipeLine wipes the line, if there is one.
func (w *working) wipeLine() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.now != nil {
		w.now.Stop()
		w.now = nil
	}
}

// wiped is a stream before which the line goes.
type wiped struct {
	io.Writer
	line *working
}

func (w wiped) Write(b []byte) (int, error) {
	w.line.wipeLine()
	return w.Writer.Write(b)
}

// work shows the command's word while do runs.
func (w *working) work(do func() error) error {
	defer w.wipeLine()
	w.beginLine(w.verb, 0)
	return do()
}

// Working tells from now on, on a terminal, that the command of that name is at work.
func (f Console) Working(verb string) {
	if f.busy.verb = verb; f.ErrTTY && f.Env("TERM") != "dumb" {
		f.busy.to = f.Err
	}
}

// Work shows the command's word while do runs.
func (f Console) Work(do func() error) error { return f.busy.work(do) }

// Clear wipes the line that tells how far a work is, before something else is written.
func (f Console) Clear() { f.busy.wipeLine() }

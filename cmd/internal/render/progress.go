package render

import (
	"fmt"
	"io"
	"strings"
	"sync/atomic"
	"time"
)

// Progress is one line on a terminal that shows the progress of long work. It appears only
// after a moment, so that short work leaves no trace, and is wiped at the end.
type Progress struct {
	w     io.Writer
	label string
	total int
	done  atomic.Int64
	stop  chan struct{}
	ended chan struct{}
}

const (
	progressAfter = 300 * time.Millisecond // shorter waits need no excuse
	progressEvery = 100 * time.Millisecond
	progressCells = 24
)

// StartProgress begins to show how far a work of total steps is.
func StartProgress(w io.Writer, label string, total int) *Progress {
	p := &Progress{w: w, label: label, total: total, stop: make(chan struct{}), ended: make(chan struct{})}
	go p.run()
	return p
}

// Set tells how many steps are done.
func (p *Progress) Set(done int) { p.done.Store(int64(done)) }

// Stop wipes the line and returns when nothing more will be written.
func (p *Progress) Stop() {
	close(p.stop)
	<-p.ended
}

func (p *Progress) run() {
	defer close(p.ended)
	start := time.Now()
	select {
	case <-p.stop:
		return
	case <-time.After(progressAfter):
	}
	tick := time.NewTicker(progressEvery)
	defer tick.Stop()
	for {
		fmt.Fprintf(p.w, "\r\x1b[K%s", progressLine(p.label, int(p.done.Load()), p.total, time.Since(start)))
		select {
		case <-p.stop:
			fmt.Fprint(p.w, "\r\x1b[K")
			return
		case <-tick.C:
		}
	}
}

// progressLine returns a bar with the count if the number of steps is known, else the time
// that has passed.
func progressLine(label string, done, total int, gone time.Duration) string {
	switch {
	case done <= 0 || total <= 0:
		return fmt.Sprintf("%s … %ds", label, gone/time.Second)
	case done >= total:
		return fmt.Sprintf("%s: committing … %ds", label, gone/time.Second)
	}
	full := progressCells * done / total
	return fmt.Sprintf("%s %s%s %d/%d", label, strings.Repeat("█", full), strings.Repeat("░", progressCells-full), done, total)
}

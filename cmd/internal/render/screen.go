package render

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/cp-memory/cp/vault/prose"
)

// Screen takes text for people.
type Screen struct {
	io.Writer
	Width int       // cells in a line; 0 is unlimited, as in a pipe
	Rows  int       // of a list at the most; 0 is unlimited
	Name  string    // by which the program was called; empty is cp
	Color bool      // bold and dim may be used
	Now   time.Time // for "2h ago"
	Asked string    // the path of the project that is asked, where others answer as well; see whose
}

// Styled text passes Printf unchanged.
type styled string

// Printf formats to the screen. Strings, ids, paths and errors among the
// arguments are made safe and single-line, unless they are styled.
func (s Screen) Printf(format string, args ...any) {
	safe := make([]any, len(args))
	for i, a := range args {
		safe[i] = safeArg(a)
	}
	fmt.Fprintf(s, RenameCommands(s.Name, format), safe...)
}

// safeArg returns a with its text made safe; numbers and bools stay.
func safeArg(a any) any {
	switch a := a.(type) {
	case styled:
		return string(a)
	case int, int64, bool, float64, rune:
		return a
	}
	return Line(fmt.Sprint(a))
}

// Println writes one line of our own text, made safe.
func (s Screen) Println(line string) { s.Printf("%s\n", RenameCommands(s.Name, line)) }

// Exact writes one line as it is for a program that reads it, like a path in
// $(…), and made safe for a person.
func (s Screen) Exact(line string) {
	if s.Width > 0 {
		line = Line(line)
	}
	fmt.Fprintln(s, line)
}

// WriteText writes many lines of text, made safe, and ends them with a line feed.
func (s Screen) WriteText(text string) {
	if text = strings.TrimRight(prose.Visible(text), "\n"); text != "" {
		fmt.Fprintln(s, text)
	}
}

// some returns the first rows of a list, as many as the screen takes, and how many it
// leaves out.
func some[R any](s Screen, rows []R) (shown []R, more int) {
	if s.Rows <= 0 || len(rows) <= s.Rows {
		return rows, 0
	}
	return rows[:s.Rows], len(rows) - s.Rows
}

// More says how many rows a list has left out, if it has.
func (s Screen) More(indent styled, n int) {
	if n > 0 {
		s.Printf("%s… and %s more (`--all`)\n", indent, thousands(n))
	}
}

// thousands writes a number as people read it: 1,204.
func thousands(n int) string {
	if n < 1000 {
		return strconv.Itoa(n)
	}
	return thousands(n/1000) + fmt.Sprintf(",%03d", n%1000)
}

// bold and dim style text that is safe already.
func (s Screen) bold(text string) styled { return s.style("1", text) }
func (s Screen) dim(text string) styled  { return s.style("2", text) }

func (s Screen) style(code, text string) styled {
	if !s.Color || text == "" {
		return styled(text)
	}
	return styled("\x1b[" + code + "m" + text + "\x1b[0m")
}

// Warn writes warnings as people know them from the other commands.
func (s Screen) Warn(texts ...string) {
	texts, more := some(s, texts)
	for _, text := range texts {
		s.Printf("Warning: %s\n", RenameCommands(s.Name, text))
	}
	s.More("", more)
}

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
	go p.showProgress()
	return p
}

// Set tells how many steps are done.
func (p *Progress) Set(done int) { p.done.Store(int64(done)) }

// Stop wipes the line and returns when nothing more will be written.
func (p *Progress) Stop() {
	close(p.stop)
	<-p.ended
}

func (p *Progress) showProgress() {
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
		return fmt.Sprintf("%s: finishing … %ds", label, gone/time.Second)
	}
	full := progressCells * done / total
	return fmt.Sprintf("%s %s%s %d/%d", label, strings.Repeat("█", full), strings.Repeat("░", progressCells-full), done, total)
}

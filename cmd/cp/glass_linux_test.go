package main_test

import (
	"errors"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// glass is the screen of a terminal: as much of one as it takes to read what a program
// draws. Each character takes one cell, and styles are not kept.
type glass struct {
	cells       [][]rune
	row, col    int
	top, bottom int             // of what scrolls
	modes       map[string]bool // "?1049" is true on the alternate screen
	rest        string          // an escape of which the end is missing
}

func newGlass(width, height int) *glass {
	g := &glass{modes: map[string]bool{"?25": true}}
	g.resize(width, height)
	return g
}

// resize gives the screen another size. What it showed is drawn again by the program.
func (g *glass) resize(width, height int) {
	g.cells = make([][]rune, height)
	for i := range g.cells {
		g.cells[i] = []rune(strings.Repeat(" ", width))
	}
	g.row, g.col, g.top, g.bottom = 0, 0, 0, height-1
}

// text returns what is shown, a line for each row.
func (g *glass) text() string {
	var b strings.Builder
	for _, row := range g.cells {
		b.WriteString(strings.TrimRight(string(row), " ") + "\n")
	}
	return b.String()
}

// escape is a sequence at the beginning of a text, or the beginning of one.
var escape = regexp.MustCompile(`^\x1b(\[([<-?]?)([0-9;:]*)([ -/]*)([@-~])|[\]P_^X][^\x07\x1b]*(\x07|\x1b\\)|[()*+].|[^\[\]P_^X()*+])`)

// write draws what a program has written.
func (g *glass) write(text string) {
	text, g.rest = g.rest+text, ""
	for text != "" {
		if text[0] == '\x1b' {
			found := escape.FindStringSubmatch(text)
			if found == nil {
				g.rest = text
				return
			}
			if text = text[len(found[0]):]; found[5] != "" {
				g.control(found[2], found[3], found[4]+found[5])
			} else if found[0] == "\x1bM" {
				g.row = max(g.row-1, 0)
			}
			continue
		}
		r, n := []rune(text)[0], len(string([]rune(text)[0]))
		if r == '\ufffd' && len(text) < 4 {
			g.rest = text
			return
		}
		text = text[n:]
		g.put(r)
	}
}

// put draws a character, or moves the cursor.
func (g *glass) put(r rune) {
	switch r {
	case '\r':
		g.col = 0
	case '\n':
		if g.row == g.bottom {
			g.scroll(g.top, g.bottom, 1)
		} else {
			g.row = min(g.row+1, len(g.cells)-1)
		}
	case '\b':
		g.col = max(g.col-1, 0)
	case '\t':
		g.col = min(g.col/8*8+8, len(g.cells[0])-1)
	default:
		if r < ' ' {
			return
		}
		if g.col < len(g.cells[g.row]) {
			g.cells[g.row][g.col] = r
		}
		g.col++
	}
}

// scroll moves rows up by n, or down where n is negative.
func (g *glass) scroll(top, bottom, n int) {
	kept := make([][]rune, bottom-top+1)
	for i := range kept {
		if from := top + i + n; from >= top && from <= bottom {
			kept[i] = g.cells[from]
		} else {
			kept[i] = []rune(strings.Repeat(" ", len(g.cells[0])))
		}
	}
	copy(g.cells[top:], kept)
}

// blank clears cells of a row.
func (g *glass) blank(row, from, until int) {
	for i := max(from, 0); i < min(until, len(g.cells[row])); i++ {
		g.cells[row][i] = ' '
	}
}

// control follows a control sequence.
func (g *glass) control(private, params, final string) {
	if private != "" {
		if final == "h" || final == "l" {
			for _, mode := range strings.Split(params, ";") {
				g.modes[private+mode] = final == "h"
				if private+mode == "?1049" { // what the other screen shows is of no interest
					g.resize(len(g.cells[0]), len(g.cells))
				}
			}
		}
		return
	}
	first, second, _ := strings.Cut(params, ";")
	n, m := amount(first), amount(second)
	height, width := len(g.cells), len(g.cells[0])
	row := g.cells[g.row]
	switch g.col = min(g.col, width-1); final {
	case "A":
		g.row -= max(n, 1)
	case "B", "e":
		g.row += max(n, 1)
	case "C", "a":
		g.col += max(n, 1)
	case "D":
		g.col -= max(n, 1)
	case "G", "`":
		g.col = max(n, 1) - 1
	case "d":
		g.row = max(n, 1) - 1
	case "H", "f":
		g.row, g.col = max(n, 1)-1, max(m, 1)-1
	case "J":
		g.erase(n)
	case "K":
		g.blank(g.row, map[int]int{0: g.col}[n], map[int]int{0: width, 1: g.col + 1, 2: width}[n])
	case "X":
		g.blank(g.row, g.col, g.col+max(n, 1))
	case "P":
		copy(row[g.col:], row[min(g.col+max(n, 1), width):])
		g.blank(g.row, width-max(n, 1), width)
	case "@":
		copy(row[min(g.col+max(n, 1), width):], []rune(string(row[g.col:])))
		g.blank(g.row, g.col, g.col+max(n, 1))
	case "L":
		g.scroll(g.row, g.bottom, -max(n, 1))
	case "M":
		g.scroll(g.row, g.bottom, max(n, 1))
	case "S":
		g.scroll(g.top, g.bottom, max(n, 1))
	case "T":
		g.scroll(g.top, g.bottom, -max(n, 1))
	case "Z":
		g.col = (g.col - 1) / 8 * 8
	case "r":
		g.top, g.bottom = max(n, 1)-1, min(max(m, 1), height)-1
		if m == 0 {
			g.bottom = height - 1
		}
		g.row, g.col = 0, 0
	}
	g.row, g.col = max(min(g.row, height-1), 0), max(min(g.col, width-1), 0)
}

// erase clears what is behind the cursor, before it, or all.
func (g *glass) erase(n int) {
	for i := range g.cells {
		switch {
		case n >= 2 || n == 0 && i > g.row || n == 1 && i < g.row:
			g.blank(i, 0, len(g.cells[i]))
		case i == g.row && n == 0:
			g.blank(i, g.col, len(g.cells[i]))
		case i == g.row:
			g.blank(i, 0, g.col+1)
		}
	}
}

func amount(text string) int {
	n, err := strconv.Atoi(text)
	if err != nil {
		return 0
	}
	return n
}

// sitting is a person in front of a terminal on which the program runs.
type sitting struct {
	t      *testing.T
	person *os.File
	own    *os.File // the program's end of the terminal
	before unix.Termios
	cmd    *exec.Cmd
	ended  chan struct{} // closed once all is read that the program wrote

	mu   sync.Mutex
	more *sync.Cond
	glass
	raw strings.Builder
	eof bool
}

// sit runs the program on a terminal of a size.
func (s *scene) sit(t *testing.T, width, height int, args ...string) *sitting {
	t.Helper()
	person, program := terminal(t)
	at := &sitting{t: t, person: person, own: program, glass: *newGlass(width, height), ended: make(chan struct{})}
	at.more = sync.NewCond(&at.mu)
	at.size(width, height)
	before, err := unix.IoctlGetTermios(int(program.Fd()), unix.TCGETS)
	if err != nil {
		t.Fatal(err)
	}
	at.before = *before
	at.cmd = exec.CommandContext(t.Context(), s.cp, args...)
	at.cmd.Dir, at.cmd.Env = s.dir, s.environ()
	at.cmd.Stdin, at.cmd.Stdout, at.cmd.Stderr = program, program, program
	at.cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := at.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go at.watch()
	return at
}

// watch draws what the program writes.
func (at *sitting) watch() {
	defer close(at.ended)
	b := make([]byte, 4096)
	for {
		n, err := at.person.Read(b)
		at.mu.Lock()
		at.raw.Write(b[:n])
		at.write(string(b[:n]))
		at.eof = err != nil
		at.more.Broadcast()
		at.mu.Unlock()
		if err != nil {
			return
		}
	}
}

// size gives the terminal another size.
func (at *sitting) size(width, height int) {
	at.mu.Lock()
	defer at.mu.Unlock()
	at.resize(width, height)
	if err := unix.IoctlSetWinsize(int(at.person.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Row: uint16(height), Col: uint16(width)}); err != nil {
		at.t.Fatal(err)
	}
}

// keys types keys.
func (at *sitting) keys(keys string) *sitting {
	at.t.Helper()
	if _, err := at.person.WriteString(keys); err != nil {
		at.t.Fatal(err)
	}
	return at
}

// see waits until the screen shows all texts, and none of those behind a "!".
func (at *sitting) see(texts ...string) *sitting {
	at.t.Helper()
	late := false
	timer := time.AfterFunc(time.Minute, func() {
		at.mu.Lock()
		defer at.mu.Unlock()
		late = true
		at.more.Broadcast()
	})
	defer timer.Stop()
	at.mu.Lock()
	defer at.mu.Unlock()
	for !at.shows(texts) {
		if late || at.eof {
			at.t.Fatalf("the screen never showed %q (program gone: %v):\n%s", texts, at.eof, at.text())
		}
		at.more.Wait()
	}
	return at
}

// shows reports whether the screen shows the texts. Spaces do not count.
func (at *sitting) shows(texts []string) bool {
	screen := strings.Join(strings.Fields(at.text()), " ")
	for _, text := range texts {
		if text, not := strings.CutPrefix(text, "!"); strings.Contains(screen, text) == not {
			return false
		}
	}
	return true
}

// end waits for the end of the program and returns its exit code and all that it wrote. The
// terminal has to be as it was.
func (at *sitting) end() (code int, raw string) {
	at.t.Helper()
	late := time.AfterFunc(time.Minute, func() { _ = at.cmd.Process.Kill() })
	defer late.Stop()
	err := at.cmd.Wait()
	if exit := new(exec.ExitError); errors.As(err, &exit) {
		code = exit.ExitCode()
	}
	after, err := unix.IoctlGetTermios(int(at.own.Fd()), unix.TCGETS)
	if err != nil || *after != at.before {
		at.t.Errorf("the terminal is %+v (%v), and was %+v", after, err, at.before)
	}
	at.own.Close()
	<-at.ended
	for mode, want := range map[string]bool{"?1049": false, "?2004": false, "?25": true} {
		if at.modes[mode] != want {
			at.t.Errorf("mode %s is %v in the end, want %v: %q", mode, at.modes[mode], want, at.raw.String())
		}
	}
	return code, at.raw.String()
}

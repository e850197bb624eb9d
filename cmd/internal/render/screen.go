package render

import (
	"fmt"
	"io"
	"strings"
	"time"
)

// Screen takes text for people.
type Screen struct {
	io.Writer
	Width int       // cells in a line; 0 is unlimited, as in a pipe
	Color bool      // bold and dim may be used
	Now   time.Time // for "2h ago"
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
	fmt.Fprintf(s, format, safe...)
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

// Println writes one line of text, made safe.
func (s Screen) Println(line string) { s.Printf("%s\n", line) }

// Exact writes one line as it is for a program that reads it, like a path in
// $(…), and made safe for a person.
func (s Screen) Exact(line string) {
	if s.Width > 0 {
		line = Line(line)
	}
	fmt.Fprintln(s, line)
}

// Text writes many lines of text, made safe, and ends them with a line feed.
func (s Screen) Text(text string) {
	if text = strings.TrimRight(Block(text), "\n"); text != "" {
		fmt.Fprintln(s, text)
	}
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

// Warn writes a warning as people know it from the other commands.
func (s Screen) Warn(text string) { s.Printf("Warning: %s\n", text) }

package splice

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"sync"
)

// A region is a part of a file with comments by "#" that is ours. Its first line says how
// many line ends were put in before it, so that they can be taken out again:
//
//	# >>> cp-memory gap=1
//	[mcp_servers.cp-memory]
//	command = "cp-memory"
//	# <<< cp-memory
//
// Its lines may be indented, all of them alike.
var (
	regionOpens  = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[ \t]*# >>> cp-memory(?: gap=([12]))?[ \t]*$`) })
	regionCloses = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[ \t]*# <<< cp-memory[ \t]*$`) })
)

// region is where the region of a text is.
type region struct {
	from, to int // with its own lines
	gap      int
	lines    []string // without line ends and indentation
}

// errRegion is the error for a region that was torn apart.
var errRegion = errors.New("the lines from # >>> cp-memory to # <<< cp-memory are not whole")

// findRegion returns the region of a text; nil without one.
func findRegion(text []byte) (*region, error) {
	var r *region
	at, open, done := 0, false, false
	for line := range strings.Lines(string(text)) {
		bare := strings.TrimRight(line, "\r\n")
		switch m := regionOpens().FindStringSubmatch(bare); {
		case m != nil && r == nil:
			r, open = &region{from: at}, true
			_, _ = fmt.Sscan(m[1], &r.gap)
		case m != nil:
			return nil, errRegion
		case regionCloses().MatchString(bare):
			if !open {
				return nil, errRegion
			}
			r.to, open, done = at+len(line), false, true
		case open:
			r.lines = append(r.lines, strings.TrimLeft(bare, " \t"))
		}
		at += len(line)
	}
	if r != nil && !done {
		return nil, errRegion
	}
	return r, nil
}

// Region returns the lines of a text's region without their indentation, and whether there
// is one.
func Region(text []byte) (lines []string, there bool, err error) {
	r, err := findRegion(text)
	if r == nil || err != nil {
		return nil, false, err
	}
	return r.lines, true, nil
}

// SetRegion gives a text the region, in place of the one that it has or at its end.
func SetRegion(text []byte, lines []string) ([]byte, error) {
	r, err := findRegion(text)
	if err != nil {
		return nil, err
	}
	eol := document{text: text}.eol()
	if r != nil {
		indent, gap := indentOf(text[r.from:r.to]), r.gap
		return append(append(bytes.Clone(text[:r.from]), regionText(lines, indent, eol, gap)...), text[r.to:]...), nil
	}
	gap := 0
	if len(bytes.TrimPrefix(text, []byte(bom))) > 0 {
		gap = 1
		if !bytes.HasSuffix(text, []byte("\n")) {
			gap = 2
		}
	}
	return append(bytes.Clone(text), strings.Repeat(eol, gap)+regionText(lines, "", eol, gap)...), nil
}

// DeleteRegion takes the region out, and what was put in before it.
func DeleteRegion(text []byte) ([]byte, error) {
	r, err := findRegion(text)
	if r == nil || err != nil {
		return text, err
	}
	eol := document{text: text}.eol()
	head, tail := text[:r.from], text[r.to:]
	if len(tail) > 0 {
		r.gap = min(r.gap, 1) // what stands behind it by now begins a line of its own
	}
	for range r.gap {
		head = bytes.TrimSuffix(head, []byte(eol))
	}
	return append(bytes.Clone(head), tail...), nil
}

func regionText(lines []string, indent, eol string, gap int) string {
	first := "# >>> cp-memory"
	if gap > 0 {
		first = fmt.Sprintf("%s gap=%d", first, gap)
	}
	var b strings.Builder
	for _, line := range append(append([]string{first}, lines...), "# <<< cp-memory") {
		b.WriteString(indent + line + eol)
	}
	return b.String()
}

func indentOf(line []byte) string {
	return string(line[:len(line)-len(bytes.TrimLeft(line, " \t"))])
}

package wire

import (
	"cmp"
	"os"
	"path"
	"regexp"
	"strings"
	"testing"
)

// row is a rule that a person relies on: what they type, what they are told, and what the files
// hold then.
type row struct {
	rule  string
	given func(*machine)    // what happens before; nil is nothing
	at    string            // the folder, where it is not that of the table
	line  string            // the command line, split at spaces; 'these words' are one argument
	in    string            // its standard input
	want  string            // a pattern of all that is printed; after a ! the command fails
	never string            // a pattern that is not printed
	files map[string]string // texts afterwards; gone is a file that is not there
}

// gone is the text of no file.
const gone = "\x00"

// checkRows runs the rows one after the other in the folder: each begins with what the one before it
// has left.
func (m *machine) checkRows(dir string, rows []row) {
	m.Helper()
	for _, r := range rows {
		m.Run(r.rule, func(t *testing.T) { m.within(t).checkRow(dir, r) })
	}
}

// within is the machine in a test of its own.
func (m *machine) within(t *testing.T) *machine { return &machine{T: t, dir: m.dir} }

func (m *machine) checkRow(dir string, r row) {
	if r.given != nil {
		r.given(m)
	}
	if r.line != "" {
		out, stderr, exit := m.try(cmp.Or(r.at, dir), r.in, splitLine(r.line)...)
		want, fails := strings.CutPrefix(r.want, "!")
		if said := out + stderr; fails != (exit != 0) || !regexp.MustCompile("(?ms)"+want).MatchString(said) {
			m.Errorf("cp %s: exit %d\n%swant %s", r.line, exit, said, r.want)
		} else if r.never != "" && regexp.MustCompile("(?m)"+r.never).MatchString(said) {
			m.Errorf("cp %s\n%sdo not want %s", r.line, said, r.never)
		}
	}
	for name, text := range r.files {
		is, err := os.ReadFile(m.at(name))
		if os.IsNotExist(err) {
			is = []byte(gone)
		}
		if string(is) != text {
			m.Errorf("%s holds %q, want %q", name, is, text)
		}
	}
}

// splitLine splits a command line at spaces that are in no single quotes.
func splitLine(line string) (words []string) {
	for i, part := range strings.Split(line, "'") {
		if i%2 == 1 {
			words = append(words, part)
			continue
		}
		words = append(words, strings.Fields(part)...)
	}
	return words
}

// note writes a memory as a person would by hand, in the folder of a vault, with more lines in its
// header.
func (m *machine) note(dir, id, title, phrase, text string, more ...string) {
	m.Helper()
	if phrase != "" {
		more = append(more, "summary: "+phrase)
	}
	m.write(dir+"/"+id+".md", "---\nid: pf-"+path.Base(id)+"\ntitle: "+title+"\ncreated: 2026-01-01T00:00:00Z\n"+strings.Join(append(more, "---"), "\n")+"\n"+text+"\n")
}

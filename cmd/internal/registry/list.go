package registry

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// version is that of the file's form.
const version = 1

const head = `# The projects that cp has seen on this machine, a line a vault. "cp project list" shows
# them, "cp project prune" drops those that are gone; "registry: false" in config.yaml ends it.
version: 1
projects:
`

// List is what the file says.
type List struct {
	Entries []Entry

	// Why says why the file cannot be changed: it is broken, or of a newer version. It is
	// nil for one that can.
	Why error

	comments []string // the lines of comment, without the head's
}

// ErrNewer is why a file of a newer version is not changed.
var ErrNewer = errors.New("a newer cp has written it")

// Parse reads the text of the file. It never fails: what it cannot read it leaves out, and
// Why says so.
func Parse(b []byte) List {
	if l, ok := lines(b); ok {
		return l
	}
	return document(b)
}

// lines reads a file in the form in which it is written; ok is false for any other one.
func lines(b []byte) (l List, ok bool) {
	for line := range strings.Lines(string(b)) {
		text := strings.TrimRight(line, "\r\n")
		switch {
		case strings.HasPrefix(text, "- {"):
			e, ok := ofLine(text)
			if !ok {
				return l, false
			}
			l.Entries = append(l.Entries, e)
		case text == "", text == "projects:", text == fmt.Sprintf("version: %d", version):
		case text[0] == '#':
			l.comment(text)
		default:
			return l, false
		}
	}
	return l, true
}

// ofLine reads a line of an entry, with or without spaces before it.
func ofLine(text string) (e Entry, ok bool) {
	text = strings.TrimSpace(text)
	if e, ok = quick(text); !ok {
		rest, entry := strings.CutPrefix(text, "- ")
		if e = (Entry{}); !entry || json.Unmarshal([]byte(rest), &e) != nil {
			return Entry{}, false
		}
	}
	return e.kept()
}

// comment keeps a line of comment that is not of the head.
func (l *List) comment(text string) {
	if !strings.Contains(head, text+"\n") {
		l.comments = append(l.comments, text)
	}
}

// document reads a file in any form of YAML. Of one that is none it reads the lines that
// can be.
func document(b []byte) (l List) {
	for line := range strings.Lines(string(b)) {
		if text := strings.TrimSpace(line); len(text) > 0 && text[0] == '#' {
			l.comment(text)
		}
	}
	var doc struct {
		Version  yaml.Node   `yaml:"version"`
		Projects []yaml.Node `yaml:"projects"`
	}
	if err := yaml.Unmarshal(b, &doc); err != nil {
		l.Why = errors.New(strings.Join(strings.Fields(err.Error()), " "))
		l.salvage(b)
		return l
	}
	if n, err := strconv.Atoi(doc.Version.Value); err == nil && n > version {
		l.Why = ErrNewer
	}
	for i := range doc.Projects {
		if e, ok := ofYAML(&doc.Projects[i]); ok {
			l.Entries = append(l.Entries, e)
		} else if l.Why == nil {
			l.Why = fmt.Errorf("line %d is no project: it takes an absolute path", doc.Projects[i].Line)
		}
	}
	return l
}

// salvage takes the lines that are entries.
func (l *List) salvage(b []byte) {
	for line := range strings.Lines(string(b)) {
		if e, ok := ofLine(line); ok {
			l.Entries = append(l.Entries, e)
		}
	}
}

// Format returns the text of the file.
func (l List) Format() []byte {
	var b bytes.Buffer
	b.WriteString(head)
	for _, c := range l.comments {
		b.WriteString(c)
		b.WriteByte('\n')
	}
	for _, e := range l.Entries {
		b.Write(e.line())
	}
	return b.Bytes()
}

// Of returns the entry of a vault; nil if it has none.
func (l List) Of(vault string) *Entry {
	for i := range l.Entries {
		if l.Entries[i].Vault == vault {
			return &l.Entries[i]
		}
	}
	return nil
}

// Put adds an entry, or takes its word for that of the vault it is about. It reports whether
// that changed anything.
func (l *List) Put(e Entry) bool {
	is := l.Of(e.Vault)
	if is == nil {
		l.Entries = append(l.Entries, e)
		return true
	}
	e.Added, e.more = e.Added || is.Added, is.more
	was := encoded(plain(*is))
	*is = e
	return !bytes.Equal(was, encoded(plain(e)))
}

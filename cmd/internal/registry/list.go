package registry

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
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

	tail []string // the lines of comment below the last entry
}

// ErrNewer is why a file of a newer version is not changed.
var ErrNewer = errors.New("a newer cp has written it")

// Parse reads the text of the file. It never fails: what it cannot read it leaves out, and
// Why says so.
func Parse(b []byte) List {
	if l, ok := parseLines(b); ok {
		return l
	}
	return document(b)
}

// parseLines reads a file in the form in which it is written; ok is false for any other one.
func parseLines(b []byte) (l List, ok bool) {
	var above []string
	for line := range strings.Lines(string(b)) {
		text := strings.TrimRight(line, "\r\n")
		switch {
		case strings.HasPrefix(text, "- {"):
			e, ok := ofLine(text)
			if !ok {
				return l, false
			}
			e.above, above = above, nil
			l.Entries = append(l.Entries, e)
		case text == "", text == "projects:", text == fmt.Sprintf("version: %d", version):
		case text[0] == '#':
			above = comment(above, text)
		default:
			return l, false
		}
	}
	l.tail = above
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
	return e.withDefaults()
}

// comment adds a line of comment that is not of the head.
func comment(to []string, text string) []string {
	if strings.Contains(head, text+"\n") {
		return to
	}
	return append(to, strings.ReplaceAll(text, "\r", " "))
}

// document reads a file in any form of YAML. Of one that is none it reads the lines that
// can be. A comment stays above the entry that it stands above or in.
func document(b []byte) (l List) {
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
	said := comments(b)
	for i := range doc.Projects {
		n := &doc.Projects[i]
		if e, ok := ofYAML(n); ok {
			e.above = said.upTo(n.Line)
			e.above = addLineComments(e.above, n)
			l.Entries = append(l.Entries, e)
		} else if l.Why == nil {
			l.Why = fmt.Errorf("line %d is no project: it takes an absolute path", n.Line)
		}
	}
	l.tail = said.upTo(math.MaxInt)
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
	for _, e := range l.Entries {
		for _, c := range e.above {
			b.WriteString(c + "\n")
		}
		b.Write(e.formatLine())
	}
	for _, c := range l.tail {
		b.WriteString(c + "\n")
	}
	return b.Bytes()
}

// Drop takes away the entries that fn says, and reports whether there were any. What a person
// has noted above one stays.
func (l *List) Drop(fn func(Entry) bool) bool {
	var above []string
	kept := l.Entries[:0:0]
	for _, e := range l.Entries {
		if above = append(above, e.above...); !fn(e) {
			e.above, above = above, nil
			kept = append(kept, e)
		}
	}
	dropped := len(kept) < len(l.Entries)
	l.Entries, l.tail = kept, append(above, l.tail...)
	return dropped
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

// PutEntry adds an entry, or takes its word for that of the vault it is about. It reports whether
// that changed anything. One that is not Usable is not put: the file could not be read with it.
func (l *List) PutEntry(e Entry) bool {
	if !e.Usable() {
		return false
	}
	is := l.Of(e.Vault)
	if is == nil {
		l.Entries = append(l.Entries, e)
		return true
	}
	e.Added, e.more, e.above = e.Added || is.Added, is.more, is.above
	was := encodeJSON(plain(*is))
	*is = e
	return !bytes.Equal(was, encodeJSON(plain(e)))
}

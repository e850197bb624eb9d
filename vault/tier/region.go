package tier

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"regexp"
	"strings"
	"sync"

	"github.com/cp-memory/cp/vault"
)

const (
	regionName = "core"
	regionEnd  = "<!-- /cp:core -->"
)

var (
	regionStart = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^<!-- cp:core(?: gap=([0-2]))?( made)?(?: folders=([0-9]{1,2}))? -->$`)
	})
	marker  = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^<!-- (/?)cp:(\S+) -->$`) })
	sumLine = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^<!-- sum:([0-9a-f]{12}) -->$`) })
)

// Section is what a file says of one memory.
type Section struct {
	Key  string // <vault>/<id>
	Text string // with plain line feeds and without markers; see [SectionText]
}

// CoreCopy is a section as a file has it.
type CoreCopy struct {
	Section
	There  bool // the file has it
	Edited bool // somebody changed it since it was written
	Line   int  // of its opening marker, from 1

	raw string // as it stands in the file; empty of a new one
}

// FileOrigin says how a file came about that has a region.
type FileOrigin struct {
	Made    bool // the program made the file
	Folders int  // and so many folders above it
}

// region is the managed part of a file.
type region struct {
	FileOrigin
	before, after string
	eol           string
	gap           int
	sections      []CoreCopy
	there         bool

	first, last string // the lines of the region's own markers; empty of a new region
}

// parseRegion reads a file. The error is CodeDamaged, with the line.
func parseRegion(text string) (r region, err error) {
	r = region{before: text, eol: "\n"}
	if i := strings.IndexByte(text, '\n'); i > 0 && text[i-1] == '\r' {
		r.eol = "\r\n"
	}
	p := parser{region: &r, text: text}
	for line := range strings.Lines(text) {
		p.line++
		if err := p.readLine(line); err != nil {
			return r, err
		}
		p.at += len(line)
	}
	if p.inside {
		return r, errDamaged(p.line, "the managed region is not closed")
	}
	return r, nil
}

// parser reads a file line by line.
type parser struct {
	*region
	text   string
	at     int // where the line begins
	line   int
	inside bool
	open   *CoreCopy
	lines  []string // of the open section
	from   int      // where it begins, with the empty lines before it
}

// readLine reads one line.
func (p *parser) readLine(line string) error {
	bare := strings.TrimRight(line, " \t\r\n")
	if start := regionStart().FindStringSubmatch(bare); start != nil {
		return p.openRegion(line, start)
	}
	m := marker().FindStringSubmatch(bare)
	switch {
	case bare == regionEnd:
		return p.closeRegion(line)
	case m != nil && (strings.Contains(m[2], "/") || m[2] == regionName):
		return p.markSection(m[1] == "/", m[2], p.at+len(line))
	case p.open != nil:
		p.lines = append(p.lines, strings.TrimRight(line, "\r\n"))
	case p.inside && bare != "":
		return errDamaged(p.line, "text stands in the managed region, outside of its sections")
	}
	return nil
}

// openRegion opens the region.
func (p *parser) openRegion(line string, m []string) error {
	if p.there {
		return errDamaged(p.line, "there is a second managed region")
	}
	p.inside, p.there, p.before, p.first, p.from = true, true, p.text[:p.at], line, p.at+len(line)
	_, _ = fmt.Sscan(m[1], &p.gap)
	_, _ = fmt.Sscan(m[3], &p.Folders)
	p.Made = m[2] != ""
	if p.eol = "\n"; strings.HasSuffix(line, "\r\n") {
		p.eol = "\r\n"
	}
	return nil
}

// closeRegion closes the region.
func (p *parser) closeRegion(line string) error {
	if !p.inside || p.open != nil {
		return errDamaged(p.line, "the managed region ends where it should not")
	}
	next := p.at + len(line)
	p.inside, p.last, p.after = false, p.text[p.from:next], p.text[next:]
	return nil
}

// markSection opens or closes a section.
func (p *parser) markSection(closes bool, key string, next int) error {
	switch {
	case !p.inside || key == regionName:
		return errDamaged(p.line, "a marker of cp stands where it does not belong")
	case !closes && p.open == nil && !p.findSection(key).There:
		p.open, p.lines = &CoreCopy{Section: Section{Key: key}, There: true, Line: p.line}, nil
		return nil
	case !closes || p.open == nil || p.open.Key != key:
		return errDamaged(p.line, "the sections of the managed region are mixed up")
	}
	c := *p.open
	p.open = nil
	c.Edited = true
	if n := len(p.lines); n > 0 {
		if m := sumLine().FindStringSubmatch(strings.TrimRight(p.lines[n-1], " \t")); m != nil {
			p.lines = p.lines[:n-1]
			c.Edited = m[1] != sectionDigest(joinLines(p.lines))
		}
	}
	c.Text, c.raw, p.from = joinLines(p.lines), p.text[p.from:next], next
	p.sections = append(p.sections, c)
	return nil
}

func joinLines(lines []string) string {
	if len(lines) == 0 {
		return ""
	}
	return strings.Join(lines, "\n") + "\n"
}

func (r *region) findSection(key string) CoreCopy {
	for _, c := range r.sections {
		if c.Key == key {
			return c
		}
	}
	return CoreCopy{}
}

// sectionDigest is the digest of a section's text.
func sectionDigest(text string) string {
	s := sha256.Sum256([]byte(text))
	return hex.EncodeToString(s[:6])
}

// errDamaged is the error for a region that cannot be read.
func errDamaged(line int, format string, args ...any) error {
	return &vault.Error{Code: vault.CodeDamaged, Line: line, Msg: fmt.Sprintf("line %d: ", line) + fmt.Sprintf(format, args...),
		Hint: "put the lines from `<!-- cp:core` to `<!-- /cp:core -->` right in an editor, or take them all out"}
}

// format writes the file. What nobody meant to change stays as it was read.
func (r *region) format() []byte {
	var b bytes.Buffer
	b.WriteString(r.before)
	b.WriteString(cmp.Or(r.first, r.opening()+r.eol))
	for _, c := range r.sections {
		b.WriteString(cmp.Or(c.raw, r.newSection(c.Section)))
	}
	b.WriteString(cmp.Or(r.last, regionEnd+r.eol))
	b.WriteString(r.after)
	return b.Bytes()
}

// newSection writes a new section.
func (r *region) newSection(s Section) string {
	text := "<!-- cp:" + s.Key + " -->\n" + s.Text + "<!-- sum:" + sectionDigest(s.Text) + " -->\n<!-- /cp:" + s.Key + " -->\n"
	return strings.ReplaceAll(text, "\n", r.eol)
}

func (r *region) opening() string {
	s := "<!-- cp:" + regionName
	if r.gap > 0 {
		s += fmt.Sprintf(" gap=%d", r.gap)
	}
	if r.Made {
		s += " made"
	}
	if r.Folders > 0 {
		s += fmt.Sprintf(" folders=%d", r.Folders)
	}
	return s + " -->"
}

package merge

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/cp-memory/cp/pointer"
	"github.com/cp-memory/cp/vault/header"
)

// newcomer returns the id of a memory that one side put in the place of the base's. It is
// empty if both sides hold the same memory.
func (m *merger) newcomer() string {
	o, a, b := m.base.id(), m.ours.id(), m.theirs.id()
	switch {
	case o == "" || a == "" || b == "" || a == b:
		return ""
	case o == a:
		return b
	case o == b:
		return a
	}
	return ""
}

// MaxSize is the size beyond which a file is merged as a text.
const MaxSize = 4 << 20

// Options say how conflicts in the prose are written.
type Options struct {
	Ours, Theirs string // names of the sides behind git's markers; "ours" and "theirs" when empty

	// Both keeps both texts between visible comments in place of git's markers,
	// in an order that does not depend on which side is ours.
	Both bool
}

// Result is the outcome of a merge.
type Result struct {
	Text      []byte
	Conflicts []int // 1-based lines where the conflicts in the prose begin
	Dropped   []Dropped
	Notes     []string // other decisions where both sides had changed the same thing
	Plain     string   // why the file was merged as a text; empty for a memory
	Binary    bool     // not a text: Text is ours, and that is a conflict
}

// Clean reports whether nothing is left for a person to decide.
func (r Result) Clean() bool { return len(r.Conflicts) == 0 && !r.Binary }

// Merge merges two versions of a memory. base is empty if both sides made the file.
func Merge(base, ours, theirs []byte, o Options) Result {
	if r, ok := trivial(base, ours, theirs); ok {
		return r
	}
	if header.IsOdd(ours) || header.IsOdd(theirs) { // notes of other programs, of which memories were made
		docs, back := header.Legible(base, ours, theirs)
		r := mergeDiffering(docs[0], docs[1], docs[2], o)
		r.Text = back(r.Text)
		return r
	}
	return mergeDiffering(base, ours, theirs, o)
}

// mergeDiffering is Merge of texts that differ.
func mergeDiffering(base, ours, theirs []byte, o Options) Result {
	if why := tooMuch(base, ours, theirs); why != "" {
		return mergeAsText(base, ours, theirs, o, why)
	}
	lines, back := evenLines(base, ours, theirs)
	m := &merger{o: o, new: lines[0] == ""}
	var why string
	if m.base, m.ours, m.theirs, why = takeApart(lines[0], lines[1], lines[2]); why != "" {
		return mergeAsText(base, ours, theirs, o, why)
	}
	if id := m.newcomer(); id != "" {
		text := ours
		if m.theirs.id() == id {
			text = theirs
		}
		return Result{Text: text, Notes: []string{fmt.Sprintf("one side put another memory, %s, in the place of %s, which the other side changed; `cp memory sync` brings that to where it is now", id, m.base.id())}}
	}
	text, ok := m.merge()
	if !ok {
		return mergeAsText(base, ours, theirs, o, "its parts do not fit together again")
	}
	return Result{Text: back(text), Conflicts: conflictLines([]byte(text), o.Both), Dropped: m.dropped}
}

// MergeText merges by lines alone, as git merge-file does.
func MergeText(base, ours, theirs []byte, o Options) Result {
	if r, ok := trivial(base, ours, theirs); ok {
		return r
	}
	return mergeAsText(base, ours, theirs, o, "")
}

// trivial merges if only one side changed the file, or both made the same change.
func trivial(base, ours, theirs []byte) (Result, bool) {
	switch {
	case bytes.Equal(ours, theirs), bytes.Equal(base, theirs):
		return Result{Text: ours}, true
	case bytes.Equal(base, ours):
		return Result{Text: theirs}, true
	}
	return Result{}, false
}

func mergeAsText(base, ours, theirs []byte, o Options, why string) Result {
	for _, doc := range [][]byte{base, ours, theirs} {
		if bytes.IndexByte(doc, 0) >= 0 {
			return Result{Text: ours, Binary: true, Plain: "it is not a text"}
		}
	}
	mark, _ := three(markOf(base), markOf(ours), markOf(theirs))
	line := func(doc []byte) string { return strings.TrimPrefix(string(doc), bom) }
	text := []byte(mark + mergeLines(line(base), line(ours), line(theirs), o.conflictWriter(markEnds(ours, theirs))))
	return Result{Text: text, Conflicts: conflictLines(text, o.Both), Plain: why}
}

// markEnds returns the line end for the lines that mark a conflict.
func markEnds(ours, theirs []byte) string {
	if a := lineEnds(string(ours)); a == "\r\n" && a == lineEnds(string(theirs)) {
		return a
	}
	return "\n"
}

// tooMuch says why the texts are not taken apart; it is empty if they are.
func tooMuch(docs ...[]byte) string {
	for _, doc := range docs {
		switch {
		case len(doc) > MaxSize:
			return "it is larger than 4 MiB"
		case bytes.IndexByte(doc, 0) >= 0:
			return "it is not a text"
		}
	}
	return ""
}

// merger merges the parts of one memory.
type merger struct {
	o                  Options
	new                bool // there is no base: both sides made the file
	base, ours, theirs parts
	dropped            []Dropped
}

// parts is a version of a memory taken apart.
type parts struct {
	bom           string
	open, shut    string // the fences of the header with their line ends; empty without one
	header        *header.Header
	before, after string // the prose above and below the block; all of it above without one
	lead          string // line ends between the prose and the block
	block         string // its lines; empty without one
	hidden        bool   // the block is one comment
	entries       []pointer.Entry
}

// takeApart returns the parts of the three versions, or why they cannot be taken apart.
func takeApart(base, ours, theirs string) (o, a, b parts, why string) {
	for i, doc := range [...]string{base, ours, theirs} {
		if why := [...]*parts{&o, &a, &b}[i].readDoc(doc); why != "" {
			return o, a, b, why
		}
	}
	if id, other := a.id(), b.id(); base == "" && id != "" && other != "" && pointer.FoldID(id) != pointer.FoldID(other) {
		return o, a, b, "two files were made at one path, with the ids " + min(id, other) + " and " + max(id, other)
	}
	return o, a, b, ""
}

func (p *parts) id() string { return header.IdentityOf(p.header) }

func (p *parts) readDoc(doc string) (why string) {
	if rest, ok := strings.CutPrefix(doc, bom); ok {
		p.bom, doc = bom, rest
	}
	top, body := header.Split([]byte(doc))
	if err := top.Err(); err != nil {
		return "its front matter cannot be read: " + err.Error()
	}
	p.header = top
	if segments, below := top.Segments(); top.HasFrontMatter() && len(segments) == 0 && strings.TrimSpace(below) != "" {
		return "its front matter is not written line by line"
	}
	if head := doc[:len(doc)-len(body)]; top.HasFrontMatter() {
		p.open = head[:strings.IndexByte(head, '\n')+1]
		p.shut = head[len(p.open)+len(top.Text()):]
	}
	return p.readBlock(string(body))
}

func (p *parts) readBlock(body string) (why string) {
	b, err := pointer.FindBlock(body)
	switch {
	case err != nil:
		return "its pointer block is damaged: " + err.Error()
	case b == nil:
		p.before = body
	default:
		p.after = body[b.End:]
		if p.before = strings.TrimSuffix(b.Without(body), p.after); strings.Trim(p.before, "\n") == "" {
			p.before = ""
		}
		p.lead = body[len(p.before):b.Start]
		p.block, p.hidden, p.entries = body[b.Start:b.End], b.Hidden, b.Entries
	}
	return ""
}

// bom is UTF-8's byte order mark.
const bom = "\ufeff"

// markOf returns the byte order mark of a text that has one.
func markOf(doc []byte) string {
	if bytes.HasPrefix(doc, []byte(bom)) {
		return bom
	}
	return ""
}

// merge merges the parts and puts them together. ok is false if the result does not read
// as it should.
func (m *merger) merge() (text string, ok bool) {
	o, a, b := m.base, m.ours, m.theirs
	head, ok := m.mergeHeader()
	if !ok {
		return "", false
	}
	marked := m.o.conflictWriter("\n")
	prose := mergeProse
	if m.new {
		prose = mergeLines // two texts of one file are no insertions
	}
	before, after := prose(o.before, a.before, b.before, marked), prose(o.after, a.after, b.after, marked)
	entries := m.mergeBlocks()
	body, ok := m.joinBody(before, after, entries)
	if !ok {
		return "", false
	}
	mark, _ := three(o.bom, a.bom, b.bom)
	whole, err := header.Join([]byte(mark+head), body)
	return string(whole), err == nil
}

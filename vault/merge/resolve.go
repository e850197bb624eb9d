package merge

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/cp-memory/cp/pointer"
	"github.com/cp-memory/cp/vault/header"
)

// ResolveHeader takes git's conflict markers out of a front matter if both of its sides
// can be read and have the same id: keys of either side stay, lists are united, and of two
// different values "ours" stays. Markers further down are not touched. It returns the
// values that were dropped, and doc itself if it can do nothing.
//
//	---                          ---
//	id: pf-a                     id: pf-a
//	<<<<<<< HEAD                 labels: [one, two]
//	labels: [one]          →     status: closed
//	=======                      ---
//	labels: [two]
//	status: closed
//	>>>>>>> other
//	---
func ResolveHeader(doc []byte) ([]byte, []Dropped) {
	parts, ok := passages(string(doc))
	if !ok {
		return doc, nil
	}
	ours, theirs := takeSide(parts, func(c passage) []string { return c.ours }), takeSide(parts, func(c passage) []string { return c.theirs })
	body, touched, ok := withoutHeaders(parts, headerLines(ours), headerLines(theirs))
	if !ok || !touched {
		return doc, nil
	}
	back := func(doc []byte) []byte { return doc }
	docs := [][]byte{[]byte(ours), []byte(theirs)}
	if header.IsOdd(docs[0]) || header.IsOdd(docs[1]) { // as in Merge
		docs, back = header.Legible(docs...)
	}
	head, gave, ok := mergeHeaders(docs[0], docs[1])
	if !ok {
		return doc, nil
	}
	if out, err := header.Join(head, body); err == nil {
		return back(out), gave
	}
	return doc, nil
}

// passage is a run of lines on which both sides agree (theirs is nil, and so
// are the marks) or a hunk between conflict markers.
type passage struct {
	ours, theirs       []string
	open, middle, shut string // the marker lines
}

// passages takes a text apart; false when it holds no hunk, or a broken one.
func passages(text string) ([]passage, bool) {
	var parts []passage
	var hunk *passage
	side := 0 // 0 agreed, 1 ours, 2 the base, 3 theirs
	size := 0 // of the hunk's markers: git makes those of a passage in a moved file longer
	found := false
	for line := range strings.Lines(text) {
		mark, length := markerOf(line)
		if mark != '<' && length != size {
			mark = 0
		}
		switch {
		case mark == '<' && side == 0:
			hunk, side, size = &passage{open: line, theirs: []string{}}, 1, length
		case mark == '|' && side == 1:
			side = 2
		case mark == '=' && (side == 1 || side == 2):
			hunk.middle, side = line, 3
		case mark == '>' && side == 3:
			hunk.shut, side, found = line, 0, true
			parts = append(parts, *hunk)
		case side == 0:
			parts = append(parts, passage{ours: []string{line}})
		case side == 1:
			hunk.ours = append(hunk.ours, line)
		case side == 3:
			hunk.theirs = append(hunk.theirs, line)
		}
	}
	return parts, found && side == 0
}

// HasHunks reports whether a text holds git's conflict markers, a whole set of them.
func HasHunks(text []byte) bool {
	_, ok := passages(string(text))
	return ok
}

// markerOf returns the character and length of git's conflict marker on a line; 0 for any
// other line.
func markerOf(line string) (mark byte, size int) {
	line = strings.TrimRight(line, "\r\n")
	if len(line) < 7 || strings.IndexByte("<|=>", line[0]) < 0 {
		return 0, 0
	}
	rest := strings.TrimLeft(line, line[:1])
	if size = len(line) - len(rest); size < 7 || rest != "" && rest[0] != ' ' {
		return 0, 0
	}
	return line[0], size
}

// takeSide returns the text with one side of each hunk.
func takeSide(parts []passage, side func(passage) []string) string {
	var b strings.Builder
	for _, c := range parts {
		lines := c.ours
		if c.theirs != nil {
			lines = side(c)
		}
		for _, line := range lines {
			b.WriteString(line)
		}
	}
	return b.String()
}

// headerLines returns how many lines the front matter takes up.
func headerLines(doc string) int {
	_, body := header.Split([]byte(doc))
	return len(slices.Collect(strings.Lines(doc[:len(doc)-len(body)])))
}

// withoutHeaders returns the text below the front matter, its hunks kept, when
// that has ours lines on our side and theirs on the other. touched reports
// whether a hunk reaches into the front matter; ok is false where a line is part
// of it on one side only without being in a hunk.
func withoutHeaders(parts []passage, ours, theirs int) (body string, touched, ok bool) {
	var b strings.Builder
	for _, c := range parts {
		if c.theirs == nil {
			if (ours > 0) != (theirs > 0) {
				return "", false, false
			}
			if ours == 0 {
				b.WriteString(c.ours[0])
			}
			ours, theirs = max(ours-1, 0), max(theirs-1, 0)
			continue
		}
		touched = touched || ours > 0 || theirs > 0
		n, m := min(ours, len(c.ours)), min(theirs, len(c.theirs))
		ours, theirs = ours-n, theirs-m
		c.ours, c.theirs = c.ours[n:], c.theirs[m:]
		b.WriteString(c.text())
	}
	return b.String(), touched, true
}

// text returns the hunk as it stood, or its lines where both sides are the same.
func (c passage) text() string {
	ours, theirs := strings.Join(c.ours, ""), strings.Join(c.theirs, "")
	if ours == theirs {
		return ours
	}
	return c.open + ours + c.middle + theirs + c.shut
}

// mergeHeaders returns the front matter of ours with what theirs has beyond it, and
// what of theirs gave way.
func mergeHeaders(ours, theirs []byte) (doc []byte, gave []Dropped, ok bool) {
	a, body := header.Split(ours)
	b, _ := header.Split(theirs)
	if !a.HasFrontMatter() || !b.HasFrontMatter() || a.Err() != nil || b.Err() != nil {
		return nil, nil, false
	}
	if all, _ := a.Segments(); len(all) == 0 && len(a.Keys()) > 0 { // not written line by line
		return nil, nil, false
	}
	id, other := header.IdentityOf(a), header.IdentityOf(b)
	if id != "" && other != "" && pointer.FoldID(id) != pointer.FoldID(other) {
		return nil, nil, false
	}
	doc = slices.Clone(ours[:len(ours)-len(body)])
	for _, key := range b.Keys() {
		about := header.FieldOf(key).With
		mine, _ := a.Get(about)
		if yours, _ := b.Get(about); mine != "" && mine != yours {
			continue // it tells about a value that gives way
		}
		was := doc
		var err error
		if doc, err = mergeKey(doc, a, b, key); err != nil {
			return nil, nil, false
		}
		old, _ := a.Get(key)
		value, _ := b.Get(key)
		if _, list := asWritten(a, key); bytes.Equal(was, doc) && old != value && old != "" && value != "" && !list {
			gave = append(gave, Dropped{Key: key, Kept: old, Lost: value, Theirs: true})
		}
	}
	return doc, gave, true
}

// mergeKey adds b's value of key to doc, which has the header a. Of two texts a's stays. A
// value that is neither a text nor a list is not merged.
func mergeKey(doc []byte, a, b *header.Header, key string) ([]byte, error) {
	value, scalar := b.Get(key)
	old, oldScalar := a.Get(key)
	x, listed := asWritten(a, key)
	y, list := asWritten(b, key)
	switch {
	case x == y || y == "":
		return doc, nil
	case scalar && old != "":
		if header.FieldOf(key).Merge != header.United {
			return doc, nil
		}
	case scalar && x == "":
		return header.Set(doc, key, value)
	}
	if !scalar && !list || x != "" && !oldScalar && !listed {
		return nil, fmt.Errorf("the key %s cannot be merged", key)
	}
	both := header.UniqueItems(slices.Concat(a.List(key), b.List(key)))
	if slices.Equal(both, a.List(key)) {
		return doc, nil
	}
	return header.SetList(doc, key, both)
}

// asWritten returns what a header says under a key, as it is written, and whether that
// is a list.
func asWritten(h *header.Header, key string) (text string, list bool) {
	all, _ := h.Segments()
	for _, s := range all {
		if s.Key == key {
			return strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(s.Text), key+":")), s.List
		}
	}
	return "", false
}

// SideNames returns what git calls the two sides in a text with its markers.
func SideNames(doc []byte) (ours, theirs string) {
	for line := range strings.Lines(string(doc)) {
		line = strings.TrimRight(line, "\r\n")
		if name, ok := strings.CutPrefix(line, "<<<<<<< "); ok && ours == "" {
			ours = name
		}
		if name, ok := strings.CutPrefix(line, ">>>>>>> "); ok && theirs == "" {
			theirs = name
		}
	}
	return ours, theirs
}

// WithoutMarkerNames returns a text with git's markers in their shortest form, and without
// the names behind them.
func WithoutMarkerNames(doc []byte) string {
	if !HasHunks(doc) {
		return string(doc)
	}
	var b strings.Builder
	for line := range strings.Lines(string(doc)) {
		if mark, _ := markerOf(line); mark != 0 {
			line = strings.Repeat(string(mark), 7) + line[len(strings.TrimRight(line, "\r\n")):]
		}
		b.WriteString(line)
	}
	return b.String()
}

// WithoutBaseAndNames returns a text with the names behind git's markers taken away, and
// the base's lines between them.
func WithoutBaseAndNames(doc []byte) string {
	parts, ok := passages(string(doc))
	if !ok {
		return string(doc)
	}
	var b strings.Builder
	for _, c := range parts {
		if c.theirs == nil {
			b.WriteString(strings.Join(c.ours, ""))
			continue
		}
		b.WriteString("<<<<<<<\n" + strings.Join(c.ours, "") + "=======\n" + strings.Join(c.theirs, "") + ">>>>>>>\n")
	}
	return b.String()
}

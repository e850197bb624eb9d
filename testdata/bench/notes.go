package main

import (
	"fmt"
	"math/rand/v2"
	"path"
	"path/filepath"
	"strings"
	"time"
)

// The tree: 20 roots, each with 20 children, each with 20, each with 49. So a
// folder holds 49 notes at the most, and the first memory of the second level
// with all below it is 1,001 files once there are 10,000. Notes are numbered
// level by level: a smaller corpus is the beginning of a larger one, but that a
// parent's block names only the children that are there.
const (
	roots   = 20
	arity   = 20
	level1  = roots
	level2  = level1 + roots*arity
	level3  = level2 + roots*arity*arity
	leaves  = 49
	textLen = 1900 // what a note has beside title and links
)

// parent returns the note above i, -1 for a root.
func parent(i int) int {
	switch {
	case i < level1:
		return -1
	case i < level2:
		return (i - level1) / arity
	case i < level3:
		return level1 + (i-level2)/arity
	}
	return level2 + (i-level3)/leaves
}

// children returns the notes below i in a corpus of size notes: from first to before end.
func children(i, size int) (first, end int) {
	switch {
	case i < level1:
		first, end = level1+i*arity, level1+(i+1)*arity
	case i < level2:
		first, end = level2+(i-level1)*arity, level2+(i-level1+1)*arity
	case i < level3:
		first, end = level3+(i-level2)*leaves, level3+(i-level2+1)*leaves
	}
	return min(first, size), min(end, size)
}

// below counts the notes below i.
func below(i, size int) int {
	first, end := children(i, size)
	n := end - first
	for c := first; c < end; c++ {
		n += below(c, size)
	}
	return n
}

// id returns the id of note i: its number in the alphabet of ids.
func id(i int) string {
	const alphabet = "0123456789abcdefghjkmnpqrstvwxyz"
	n := uint64(i+1) * 0x9E3779B97F4A7C15 >> 24 // 40 bits, spread
	out := make([]byte, 8)
	for k := range out {
		out[k] = alphabet[n&31]
		n >>= 5
	}
	return "bn-" + string(out)
}

// name is the file's name without .md.
func name(i int) string { return fmt.Sprintf("note-%06d", i) }

// stem is the path without .md.
func stem(i int) string {
	if p := parent(i); p >= 0 {
		return path.Join(stem(p), name(i))
	}
	return name(i)
}

// epoch is when the first note was written; one follows each minute.
var epoch = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

// writer writes notes.
type writer struct {
	words *vocabulary
	size  int
}

func (w writer) rand(i int) *rand.Rand { return rand.New(rand.NewPCG(seed, uint64(i))) }

func (w writer) title(i int) string {
	return fmt.Sprintf("Note %d %s", i, w.words.sentence(w.rand(-i-1), 3))
}

func (w writer) summary(i int) string { return "When " + w.words.sentence(w.rand(-i-1<<20), 8) }

// memory returns the file of note i: front matter, text, links, and the block
// that names its children.
func (w writer) memory(i int) []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "---\nid: %s\ntitle: %s\nlabels: [bench, l%d]\nsummary: %s\ncreated: %s\n---\n", id(i), w.title(i), i%7,
		w.summary(i), epoch.Add(time.Duration(i)*time.Minute).Format(time.RFC3339))
	w.text(&b, i)
	w.block(&b, i)
	return []byte(b.String())
}

// text writes prose with two links to earlier notes and the marker words.
func (w writer) text(b *strings.Builder, i int) {
	r := w.rand(i)
	for start, k := b.Len(), 0; b.Len()-start < textLen; k++ {
		if k%4 == 0 {
			fmt.Fprintf(b, "\n## %s\n\n", w.words.sentence(r, 3))
		}
		fmt.Fprintf(b, "%s.\n", w.words.sentence(r, 12+r.IntN(20)))
	}
	to, other := r.IntN(i+1), r.IntN(i+1)
	rel, err := filepath.Rel(path.Dir(stem(i)), stem(other)+".md")
	if err != nil {
		panic(err)
	}
	fmt.Fprintf(b, "\nSee [[%s]] and [%s](%s). %s\n", name(to), name(other), rel, markers(i))
}

// block writes the pointers to the children.
func (w writer) block(b *strings.Builder, i int) {
	first, end := children(i, w.size)
	if first == end {
		return
	}
	b.WriteString("\n<!-- sub-memories -->\n[\n")
	for c := first; c < end; c++ {
		comma := ","
		if c == end-1 {
			comma = ""
		}
		fmt.Fprintf(b, "  {\"id\": %q, \"title\": %q, \"summary\": %q}%s\n", id(c), w.title(c), w.summary(c), comma)
	}
	b.WriteString("]\n<!-- /sub-memories -->\n")
}

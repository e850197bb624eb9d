package pointer

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// Block is the pointer block of one text, with the byte offsets an edit needs.
type Block struct {
	Start, End int     // from the opening marker's line to past the closing marker's
	Entries    []Entry // in display order; of entries with one id the first
	Hidden     bool    // it is one comment
	Repeated   []Entry // those left out of Entries because their id stood already

	eol   string    // of the opening marker's line
	body  span      // what stands between the two marker lines
	array span      // from [ to past ]
	items []element // every element, with its place
}

// element is one entry in place.
type element struct {
	span
	object
}

// FindBlock returns the last block of content, or nil without one. The error is a
// *[Damage]. With ErrJSON, ErrSeveral, ErrShown and mostly with ErrConflict it returns the block
// too, for its place. A damage that a conflict hunk made is ErrConflict, whatever else is wrong.
func FindBlock(content string) (*Block, error) {
	ms := markers(content)
	if len(ms) == 0 {
		return nil, nil
	}
	b, err := findByMarkers(content, ms)
	if err == nil || errors.Is(err, ErrConflict) {
		return b, err
	}
	all := hunks(content)
	for _, m := range ms {
		if hunk, ok := hunkAround(all, m.span); ok {
			return b, newDamage(ErrConflict, content, hunk.start)
		}
	}
	return b, err
}

// findByMarkers is Find by the markers that there are.
func findByMarkers(content string, ms []marker) (*Block, error) {
	i := lastPair(ms)
	if i < 0 {
		return nil, errUnpaired(content, ms)
	}
	b := &Block{Start: ms[i].start, End: ms[i+1].end, Hidden: ms[i].hidden, body: span{ms[i].end, ms[i+1].start}}
	b.eol = eolOf(content[ms[i].start:lineEnd(content, ms[i].start)])
	if err := b.parseEntries(content); err != nil {
		return b, err
	}
	if len(ms) > 2 {
		return b, newDamage(ErrSeveral, content, ms[0].start)
	}
	if at := strings.Index(content[b.body.start:b.body.end], commentEnd); b.Hidden && at >= 0 {
		return b, newDamage(ErrShown, content, b.body.start+at)
	}
	if at, ok := b.findConflictAfter(content); ok {
		return b, newDamage(ErrConflict, content, at)
	}
	return b, nil
}

// findConflictAfter reports whether the block ends one side of a conflict hunk. It returns the
// place of the conflict marker behind the block.
func (b *Block) findConflictAfter(content string) (int, bool) {
	at := b.End
	for at < len(content) && strings.TrimSpace(content[at:lineEnd(content, at)]) == "" {
		at = lineEnd(content, at)
	}
	return at, at < len(content) && conflictLine(content[at:lineEnd(content, at)])
}

// lastPair returns the index of the last opening marker that a closing one of its style
// follows, or -1.
func lastPair(ms []marker) int {
	for i := len(ms) - 2; i >= 0; i-- {
		if ms[i].open && !ms[i+1].open && ms[i].hidden == ms[i+1].hidden {
			return i
		}
	}
	return -1
}

// errUnpaired returns the damage of a text whose markers form no pair.
func errUnpaired(content string, ms []marker) *Damage {
	if ms[0].open && ms[0].hidden {
		return newDamage(errUnclosedHidden, content, ms[0].start)
	}
	if ms[0].open {
		return newDamage(ErrUnclosed, content, ms[0].start)
	}
	return newDamage(ErrReversed, content, ms[0].start)
}

// parseEntries parses the array between the markers.
func (b *Block) parseEntries(content string) error {
	text := content[b.body.start:b.body.end]
	if b.usual(text) {
		b.sortElements()
		return nil
	}
	b.items = nil
	at, err := b.elements(text)
	if err == nil {
		b.sortElements()
		return nil
	}
	b.items = nil
	for start := b.body.start; start < b.body.end; start = lineEnd(content, start) {
		if conflictLine(content[start:lineEnd(content, start)]) {
			return newDamage(ErrConflict, content, start)
		}
	}
	d := newDamage(ErrJSON, content, b.body.start+at)
	d.Detail = err.Error()
	return d
}

// elements reads the array in text. On an error it returns the offset at which it stopped.
func (b *Block) elements(text string) (int, error) {
	dec := json.NewDecoder(strings.NewReader(text))
	here := func() int { return min(int(dec.InputOffset()), len(text)) }
	if tok, err := dec.Token(); err != nil {
		return here(), plainly(err)
	} else if tok != json.Delim('[') {
		return here(), errors.New("it must be an array")
	}
	b.array.start = b.body.start + here() - 1
	for dec.More() {
		var raw json.RawMessage
		if err := dec.Decode(&raw); err != nil {
			return here(), plainly(err)
		}
		o, err := parseObject(string(raw))
		if err != nil {
			return here(), fmt.Errorf("entry %d: %w", len(b.items)+1, err)
		}
		end := b.body.start + here()
		b.items = append(b.items, element{span{end - len(raw), end}, o})
	}
	if _, err := dec.Token(); err != nil {
		return here(), plainly(err)
	}
	b.array.end = b.body.start + here()
	if rest := strings.TrimLeft(text[here():], " \t\r\n"); rest != "" {
		return len(text) - len(rest), errors.New("text after the array")
	}
	return 0, nil
}

// plainly words the end of the text as people would.
func plainly(err error) error {
	if msg := err.Error(); msg == "EOF" || strings.Contains(msg, "unexpected EOF") {
		return errors.New("it ends too early")
	}
	return err
}

// sortElements sorts the elements into Entries and Repeated.
func (b *Block) sortElements() {
	b.Entries = make([]Entry, 0, len(b.items))
	seen := make(map[string]bool, len(b.items))
	for _, item := range b.items {
		id := FoldID(item.entry.ID)
		if seen[id] {
			b.Repeated = append(b.Repeated, item.entry)
			continue
		}
		seen[id] = true
		b.Entries = append(b.Entries, item.entry)
	}
}

// eolOf returns the line end of s's first line, "\n" if it has none.
func eolOf(s string) string {
	if i := strings.IndexByte(s, '\n'); i > 0 && s[i-1] == '\r' {
		return "\r\n"
	}
	return "\n"
}

// ParseSubMemories returns the text before the block, without its trailing
// newlines, and the block's entries; content and nil where there is no block.
// When the block's place is known but not its content, main is returned beside
// the error; otherwise main is content.
func ParseSubMemories(content string) (main string, entries []Entry, err error) {
	b, err := FindBlock(content)
	if b == nil {
		return content, nil, err
	}
	main = strings.TrimRight(content[:b.Start], "\r\n")
	if err != nil {
		return main, nil, err
	}
	return main, b.Entries, nil
}

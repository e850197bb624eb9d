package merge

import (
	"slices"
	"strings"

	"github.com/cp-memory/cp/pointer"
	"github.com/cp-memory/cp/vault/header"
)

// mergeBlocks merges the blocks as ordered sets by id.
func (m *merger) mergeBlocks() []pointer.Entry {
	o, a, b := byID(m.base.entries), byID(m.ours.entries), byID(m.theirs.entries)
	merged := make(map[string]pointer.Entry)
	for _, id := range slices.Concat(ids(m.base.entries), ids(m.ours.entries), ids(m.theirs.entries)) {
		if _, done := merged[id]; done {
			continue
		}
		if e, stays := m.mergeEntry(o[id], a[id], b[id]); stays {
			merged[id] = e
		}
	}
	keep := func(id string) bool { _, ok := merged[id]; return ok }
	out := []pointer.Entry{}
	for _, id := range order(ids(m.base.entries), ids(m.ours.entries), ids(m.theirs.entries), keep, strings.Compare) {
		out = append(out, merged[id])
	}
	return out
}

func ids(entries []pointer.Entry) []string {
	return mapEach(entries, func(e pointer.Entry) string { return pointer.FoldID(e.ID) })
}

// mapEach returns what of gives for each element.
func mapEach[T, U any](all []T, of func(T) U) []U {
	out := make([]U, len(all))
	for i, x := range all {
		out[i] = of(x)
	}
	return out
}

func byID(entries []pointer.Entry) map[string]*pointer.Entry {
	at := make(map[string]*pointer.Entry, len(entries))
	for i := range entries {
		at[pointer.FoldID(entries[i].ID)] = &entries[i]
	}
	return at
}

// mergeEntry merges one pointer; nil means that a side has none. An entry that one side took
// out and the other changed stays: the files decide whether there is such a child.
func (m *merger) mergeEntry(o, a, b *pointer.Entry) (e pointer.Entry, stays bool) {
	switch {
	case a == nil && b == nil:
		return e, false
	case a == nil:
		return *b, o == nil || !o.Equal(*b)
	case b == nil:
		return *a, o == nil || !o.Equal(*a)
	case o == nil:
		o = &pointer.Entry{}
	}
	e.ID, _ = three(o.ID, a.ID, b.ID) // sides may spell one id differently
	e.Title = m.mergeWord(e.ID, "title", o.Title, a.Title, b.Title)
	e.Summary = m.mergeWord(e.ID, "summary", o.Summary, a.Summary, b.Summary)
	e.Extra = m.extra(e.ID, o.Extra, a.Extra, b.Extra)
	return e, true
}

func (m *merger) mergeWord(id, what, base, ours, theirs string) string {
	word, chosen := three(base, ours, theirs)
	if chosen {
		m.noteDropped(Dropped{Pointer: id, Key: what, Kept: word, Lost: min(ours, theirs), Theirs: word == ours})
	}
	return word
}

// extra merges an entry's unknown keys.
func (m *merger) extra(id string, base, ours, theirs []pointer.Field) []pointer.Field {
	o, a, b := values(base), values(ours), values(theirs)
	merged := make(map[string]string)
	for _, key := range header.UniqueItems(slices.Concat(fieldKeys(base), fieldKeys(ours), fieldKeys(theirs))) {
		if v := m.mergeWord(id, key, o[key], a[key], b[key]); v != "" {
			merged[key] = v
		}
	}
	keep := func(key string) bool { return merged[key] != "" }
	var out []pointer.Field
	for _, key := range order(fieldKeys(base), fieldKeys(ours), fieldKeys(theirs), keep, strings.Compare) {
		out = append(out, pointer.Field{Key: key, Value: []byte(merged[key])})
	}
	return out
}

func values(fields []pointer.Field) map[string]string {
	at := make(map[string]string, len(fields))
	for _, f := range fields {
		at[f.Key] = string(f.Value)
	}
	return at
}

func fieldKeys(fields []pointer.Field) []string {
	return mapEach(fields, func(f pointer.Field) string { return f.Key })
}

// joinBody puts prose and block together. ok is false if the result does not hold that block.
func (m *merger) joinBody(before, after string, entries []pointer.Entry) (text string, ok bool) {
	if len(entries) == 0 && m.hasNoBlock() {
		text = before + after
		b, err := pointer.FindBlock(text)
		return text, err == nil && b == nil
	}
	block, err := m.block(entries)
	if err != nil {
		return "", false
	}
	lead := m.leading(before)
	if after != "" && !strings.HasSuffix(block, "\n") {
		block += "\n"
	}
	text = before + lead + spaceClosingBracket(block, before, after) + after
	b, err := pointer.FindBlock(text)
	return text, err == nil && b != nil && b.Start == len(before)+len(lead) && slices.Equal(ids(b.Entries), ids(entries))
}

// hasNoBlock reports whether the merged text has no block, not even an empty one.
func (m *merger) hasNoBlock() bool {
	block, _ := three(m.base.block, m.ours.block, m.theirs.block)
	return block == "" || len(m.base.entries)+len(m.ours.entries)+len(m.theirs.entries) > 0
}

// leading returns the line ends above the block: those of the sides, and at least as many
// as the block needs to begin a line.
func (m *merger) leading(before string) string {
	lead, _ := three(m.base.lead, m.ours.lead, m.theirs.lead)
	switch {
	case m.ours.block == "":
		lead = m.theirs.lead
	case m.theirs.block == "":
		lead = m.ours.lead
	}
	if before == "" || strings.HasSuffix(before+lead, "\n") {
		return lead
	}
	return "\n\n"
}

// block returns the lines of the merged block. It is hidden if one side's is.
func (m *merger) block(entries []pointer.Entry) (string, error) {
	block, err := m.mergeBlockLines(entries)
	if err != nil || !m.ours.hidden && !m.theirs.hidden {
		return block, err
	}
	return pointer.Restyle(block, true)
}

// mergeBlockLines returns the merged block in the style of one side. If only one side changed it, it
// is that side's, else the entries are written in the block's old form.
func (m *merger) mergeBlockLines(entries []pointer.Entry) (string, error) {
	o, a, b := m.base.block, m.ours.block, m.theirs.block
	if whole, chosen := three(o, a, b); !chosen && whole != "" {
		return whole, nil
	}
	like := o
	if like == "" {
		like = max(a, b)
	}
	return pointer.SetSubMemories(like, entries)
}

// spaceClosingBracket writes the closing bracket as package pointer does: with a space before it if
// the prose has no line end of its own and no text follows the block.
func spaceClosingBracket(block, before, after string) string {
	for _, end := range [...]string{pointer.End, pointer.HiddenEnd} {
		ended, unended := "\n]\n"+end, "\n ]\n"+end
		if before != "" && !strings.HasSuffix(before, "\n") && after == "" {
			block = strings.Replace(block, ended, unended, 1)
		} else {
			block = strings.Replace(block, unended, ended, 1)
		}
	}
	return block
}

package pointer

import (
	"slices"
	"strings"
)

// AppendSubMemory returns content with e at the end of its block. It makes the block
// if content has none. An entry whose id is in the block already changes nothing.
func AppendSubMemory(content string, e Entry) (string, error) {
	return AppendSubMemories(content, []Entry{e})
}

// AppendSubMemories appends several entries in their order, as AppendSubMemory does. It
// reads the block once.
func AppendSubMemories(content string, entries []Entry) (string, error) {
	b, err := FindBlock(content)
	if err != nil {
		return "", err
	}
	lines, err := newLines(b, entries)
	switch {
	case err != nil:
		return "", err
	case len(lines) == 0:
		return content, nil
	case b == nil:
		return createBlock(content, lines)
	}
	return b.append(content, lines), nil
}

// inline reports whether the opening marker shares its line with the array.
func (b *Block) inline(content string) bool {
	return !strings.HasSuffix(content[:b.body.start], "\n")
}

// spread returns content with each marker of the block on a line of its own, and the block
// in it.
func (b *Block) spread(content string) (string, *Block, error) {
	if !b.inline(content) {
		return content, b, nil
	}
	content = content[:b.body.start] + b.eol + strings.TrimSpace(content[b.body.start:b.body.end]) + b.eol + content[b.body.end:]
	b, err := FindBlock(content)
	return content, b, err
}

// newLines returns a line for each entry whose id is not in the block. The block may be nil.
func newLines(b *Block, entries []Entry) ([]string, error) {
	has := make(map[string]bool)
	if b != nil {
		for _, item := range b.items {
			has[FoldID(item.entry.ID)] = true
		}
	}
	var lines []string
	for _, e := range entries {
		id := FoldID(e.ID)
		if has[id] {
			continue
		}
		has[id] = true
		line, err := e.Line()
		if err != nil {
			return nil, err
		}
		lines = append(lines, line)
	}
	return lines, nil
}

// SetSubMemory returns content with the title and summary of the entry that has
// e's id set to e's, in place; without such an entry it appends e.
func SetSubMemory(content string, e Entry) (string, error) {
	b, err := FindBlock(content)
	if err != nil {
		return "", err
	}
	if b == nil {
		return AppendSubMemory(content, e)
	}
	i := b.index(e.ID)
	if i < 0 {
		return AppendSubMemory(content, e)
	}
	title, summary := quoteReadable(e.Title), quoteReadable(e.Summary)
	if title == nil || summary == nil {
		return "", errNotUTF8
	}
	item := b.items[i]
	raw := content[item.start:item.end]
	if item.entry.Summary != e.Summary {
		raw = item.replaceValue(raw, "summary", string(summary))
	}
	if item.entry.Title != e.Title {
		raw = parseAgain(raw).replaceValue(raw, "title", string(title))
	}
	return content[:item.start] + raw + content[item.end:], nil
}

// parseAgain returns the object in raw, which parsed before.
func parseAgain(raw string) object {
	o, _ := parseObject(raw)
	return o
}

// replaceValue returns raw with the value of key replaced, or the key inserted after the id.
func (o object) replaceValue(raw, key, value string) string {
	if at, ok := o.values[key]; ok {
		return raw[:at.start] + value + raw[at.end:]
	}
	field := quotedKey(key) + value
	switch {
	case o.idEnd > 1:
		field = ", " + field
	case len(o.entry.Extra) > 0 || len(o.values) > 0:
		field += ", "
	}
	return raw[:o.idEnd] + field + raw[o.idEnd:]
}

func quotedKey(key string) string { return `"` + key + `": ` }

// RemoveSubMemory returns content without the entries of that id, and without the block
// if no entry is left. An unknown id changes nothing.
func RemoveSubMemory(content, id string) (string, error) {
	b, err := FindBlock(content)
	if err != nil {
		return "", err
	}
	if b == nil || b.index(id) < 0 {
		return content, nil
	}
	last := len(b.items) - 1
	for last >= 0 && b.items[last].entry.PointsTo(id) {
		last--
	}
	if last < 0 {
		return b.Without(content), nil
	}
	return b.cut(content, id, last), nil
}

// cut returns content without the entries of the id. last is the index of the last
// element with another id. An entry before it goes with the text up to the next entry,
// an entry behind it with the text from the entry before.
func (b *Block) cut(content, id string, last int) string {
	var out strings.Builder
	at := 0
	for i, item := range b.items[:last] {
		if item.entry.PointsTo(id) {
			out.WriteString(content[at:item.start])
			at = b.items[i+1].start
		}
	}
	out.WriteString(content[at:b.items[last].end])
	out.WriteString(content[b.items[len(b.items)-1].end:])
	return out.String()
}

// index returns the index of the first element with the id, or -1.
func (b *Block) index(id string) int {
	return slices.IndexFunc(b.items, func(e element) bool { return e.entry.PointsTo(id) })
}

// append returns content with the lines after the block's last entry, indented like it. A
// block on one line stays on it.
func (b *Block) append(content string, lines []string) string {
	if b.inline(content) {
		at, lead := b.array.end-1, ""
		if n := len(b.items); n > 0 {
			at, lead = b.items[n-1].end, ", "
		}
		return content[:at] + lead + strings.Join(lines, ", ") + content[at:]
	}
	if len(b.items) == 0 {
		return content[:b.array.start+1] + b.eol + "  " + strings.Join(lines, ","+b.eol+"  ") + b.eol + content[b.array.end-1:]
	}
	last := b.items[len(b.items)-1]
	indent := content[lineStart(content, last.start):last.start]
	if strings.Trim(indent, " \t") != "" {
		indent = "  "
	}
	between := "," + b.eol + indent
	return content[:last.end] + between + strings.Join(lines, between) + content[last.end:]
}

// createBlock returns content with a new block of the lines at its end.
func createBlock(content string, lines []string) (string, error) {
	eol := eolOf(content)
	lead, bracket := eol, "]"
	switch {
	case content == "":
		lead = ""
	case !strings.HasSuffix(content, "\n"):
		lead, bracket = eol+eol, " ]"
	}
	made := content + lead + render(lines, eol, bracket, false)
	if b, err := FindBlock(made); err != nil || b == nil || b.Start != len(content)+len(lead) {
		return "", newDamage(ErrHidden, content, lastBlock(content))
	}
	return made, nil
}

// render returns a whole block.
func render(lines []string, eol, bracket string, hidden bool) string {
	start, end := markersOf(hidden)
	return start + eol + array(lines, eol, bracket) + end + eol
}

// markersOf returns the markers of a style.
func markersOf(hidden bool) (start, end string) {
	if hidden {
		return HiddenStart, HiddenEnd
	}
	return Start, End
}

// array returns the lines between the markers.
func array(lines []string, eol, bracket string) string {
	return "[" + eol + "  " + strings.Join(lines, ","+eol+"  ") + eol + bracket + eol
}

// Without returns content without the block. If this package made the block, the result
// is the text from before.
func (b *Block) Without(content string) string {
	before, after := content[:b.Start], content[b.End:]
	for range b.lead(content) {
		before = strings.TrimSuffix(before, b.eol)
	}
	return before + after
}

// lead returns how many line ends before the block belong to it. One makes the blank
// line, if another line end stays before it or follows the block. A second one ends the
// prose, if the closing bracket says that the prose had no line end.
func (b *Block) lead(content string) int {
	before, after := content[:b.Start], content[b.End:]
	switch {
	case !strings.HasSuffix(before, "\n"+b.eol):
		return 0
	case after == "" && b.hasNoFinalNewline(content):
		return 2
	case after == "" || strings.HasPrefix(after, "\n") || strings.HasPrefix(after, "\r\n"):
		return 1
	}
	return 0
}

// hasNoFinalNewline reports whether the closing bracket says that the prose has no final newline.
func (b *Block) hasNoFinalNewline(content string) bool {
	return b.array.end > 0 && strings.HasSuffix(content[b.body.start:b.array.end], "\n ]")
}

package pointer

import (
	"slices"
	"sort"
	"strings"
)

// SetSubMemories returns content with exactly these entries in its block; without
// entries it has no block. The line of an entry that does not change is kept. An entry
// whose Extra is nil keeps its unknown keys.
//
// A damaged block is repaired: one block remains, in the place of the last, and text
// that was neither entry nor marker stays as prose before it, but for what [Readable] says
// is lost. It is hidden if one of the markers was.
func SetSubMemories(content string, entries []Entry) (string, error) {
	b, err := FindBlock(content)
	switch {
	case err != nil:
		return repair(content, entries)
	case b == nil && len(entries) == 0:
		return content, nil
	case len(entries) == 0:
		return b.Without(content), nil
	}
	lines, err := b.lines(content, entries)
	if err != nil {
		return "", err
	}
	if b == nil {
		return createBlock(content, lines)
	}
	if content, b, err = b.spread(content); err != nil {
		return "", err
	}
	bracket := "]"
	if b.hasNoFinalNewline(content) {
		bracket = " ]"
	}
	return content[:b.body.start] + array(lines, b.eol, bracket) + content[b.body.end:], nil
}

// lines returns a line for each entry: the one in the block if it says the same, else a
// new one. b may be nil.
func (b *Block) lines(content string, entries []Entry) ([]string, error) {
	standing := map[string]element{}
	if b != nil {
		for _, item := range slices.Backward(b.items) {
			standing[FoldID(item.entry.ID)] = item
		}
	}
	lines := make([]string, len(entries))
	for i, e := range entries {
		old, ok := standing[FoldID(e.ID)]
		if ok && e.Extra == nil {
			e.Extra = old.entry.Extra
		}
		line, err := e.Line()
		if err != nil {
			return nil, err
		}
		if raw := content[old.start:old.end]; ok && old.entry.Equal(e) && !strings.Contains(raw, "\n") {
			line = raw
		}
		lines[i] = line
	}
	return lines, nil
}

// Equal reports whether both say the same, in the unknown keys too.
func (e Entry) Equal(o Entry) bool {
	return e.ID == o.ID && e.Title == o.Title && e.Summary == o.Summary &&
		slices.EqualFunc(e.Extra, o.Extra, func(a, b Field) bool { return a.Key == b.Key && string(a.Value) == string(b.Value) })
}

// repair returns content with its damaged blocks replaced by one of the entries.
func repair(content string, entries []Entry) (string, error) {
	entries = withExtra(entries, Readable(content).Entries)
	rs := regions(content)
	var out strings.Builder
	at := 0
	for _, r := range rs {
		out.WriteString(content[at:r.start])
		out.WriteString(scanRegion(content[r.start:r.end]).prose.String())
		at = r.end
	}
	if hunk, ok := hunkAround(hunks(content), span{at, at}); ok && hunk.start < at {
		out.WriteString(content[at:hunk.end])
		at = hunk.end
	}
	return placeBlock(out.String(), content[at:], eolOf(content), entries, slices.ContainsFunc(markers(content), func(m marker) bool { return m.hidden }))
}

// withExtra returns the entries with the unknown keys that old has under the same id.
func withExtra(entries, old []Entry) []Entry {
	extra := make(map[string][]Field, len(old))
	for _, e := range old {
		extra[FoldID(e.ID)] = e.Extra
	}
	entries = slices.Clone(entries)
	for i, e := range entries {
		if e.Extra == nil {
			entries[i].Extra = extra[FoldID(e.ID)]
		}
	}
	return entries
}

// placeBlock puts a block between two pieces of prose.
func placeBlock(before, after, eol string, entries []Entry, hidden bool) (string, error) {
	if len(entries) == 0 {
		return before + after, nil
	}
	lines, err := (*Block)(nil).lines("", entries)
	if err != nil {
		return "", err
	}
	switch {
	case before == "" || strings.HasSuffix(before, "\n"+eol):
	case strings.HasSuffix(before, "\n"):
		before += eol
	default:
		before += eol + eol
	}
	made := before + render(lines, eol, "]", hidden) + after
	if b, err := FindBlock(made); err != nil || b == nil || b.Start != len(before) {
		return "", newDamage(ErrHidden, before, lastBlock(before))
	}
	return made, nil
}

// regions returns the parts of content that belong to its blocks, damaged or not. A
// region reaches from marker to marker. If one is missing, it ends at the last line that
// looks like part of an array.
func regions(content string) []span {
	ms := markers(content)
	var rs []span
	for i := 0; i < len(ms); i++ {
		switch {
		case !ms[i].open:
			rs = append(rs, span{upward(content, ms[i].start), ms[i].end})
		case i+1 < len(ms) && !ms[i+1].open:
			rs = append(rs, span{ms[i].start, ms[i+1].end})
			i++
		default:
			rs = append(rs, span{ms[i].start, downward(content, ms[i].end)})
		}
	}
	return dissolve(content, separate(rs))
}

// separate cuts off the beginning of a region that reaches into the region before.
func separate(rs []span) []span {
	for i := 1; i < len(rs); i++ {
		rs[i].start = max(rs[i].start, rs[i-1].end)
	}
	return rs
}

// downward returns where the array lines from at on end.
func downward(content string, at int) int {
	end := at
	for at < len(content) {
		next := lineEnd(content, at)
		switch line := content[at:next]; {
		case arrayLine(line):
			end = next
		case strings.TrimSpace(line) != "":
			return end
		}
		at = next
	}
	return end
}

// upward returns where the array lines before at begin.
func upward(content string, at int) int {
	start := at
	for at > 0 {
		prev := lineStart(content, at-1)
		switch line := content[prev:at]; {
		case arrayLine(line):
			start = prev
		case strings.TrimSpace(line) != "":
			return start
		}
		at = prev
	}
	return start
}

// arrayLine reports whether line looks like a line of a JSON array of objects, or is a conflict marker.
func arrayLine(line string) bool {
	trimmed := strings.TrimSpace(line)
	if trimmed == "" {
		return false
	}
	switch strings.TrimRight(trimmed, ",") {
	case "[", "]", "{", "}", "[]", "":
		return true
	}
	return strings.HasPrefix(trimmed, `{"`) || strings.HasPrefix(trimmed, `[{"`) ||
		strings.HasPrefix(trimmed, `"`) && strings.Contains(trimmed, `":`) || conflictLine(line)
}

// dissolve widens regions to the whole of each conflict hunk that holds nothing else. No
// empty hunk stays behind then. A hunk of two styles may begin inside a region and end
// outside of it.
func dissolve(content string, rs []span) []span {
	var out []span
	for _, hunk := range hunks(content) {
		n := 0
		for n < len(rs) && rs[n].end <= hunk.start {
			n++
		}
		out, rs = append(out, rs[:n]...), rs[n:]
		n = 0
		for n < len(rs) && rs[n].start < hunk.end {
			n++
		}
		if n > 0 && onlyRegions(content, hunk, rs[:n:n]) {
			rs[n-1] = span{min(hunk.start, rs[0].start), max(hunk.end, rs[n-1].end)}
			rs = rs[n-1:]
		}
	}
	return append(out, rs...)
}

// hunks returns git's conflict hunks, from the line <<<<<<< to past the line >>>>>>>.
func hunks(content string) []span {
	var found []span
	start := -1
	for at := 0; at < len(content); {
		end := lineEnd(content, at)
		if line := content[at:end]; conflictLine(line) {
			switch {
			case line[0] == '<':
				start = at
			case line[0] == '>' && start >= 0:
				found = append(found, span{start, end})
				start = -1
			}
		}
		at = end
	}
	return found
}

// hunkAround returns the hunk in which r lies.
func hunkAround(hunks []span, r span) (span, bool) {
	i := sort.Search(len(hunks), func(i int) bool { return hunks[i].end >= r.end })
	if i == len(hunks) || hunks[i].start > r.start {
		return span{}, false
	}
	return hunks[i], true
}

// onlyRegions reports whether the hunk holds nothing but the regions, conflict markers and blank lines.
func onlyRegions(content string, hunk span, rs []span) bool {
	at := hunk.start
	for _, r := range append(rs, span{hunk.end, hunk.end}) {
		for line := range strings.Lines(content[at:max(at, r.start)]) {
			if strings.TrimSpace(line) != "" && !conflictLine(line) {
				return false
			}
		}
		at = r.end
	}
	return true
}

package about

import (
	"context"
	"strconv"

	"github.com/cp-memory/cp/vault/merge"
)

// DiffBinding returns the lines that have changed of what a binding is about, with "-" or "+" before
// them, and where there are both of a change, of each at most so many; none where this clone does not have what it was.
func (j *Judge) DiffBinding(ctx context.Context, b Bound, most int) (out []string) {
	binding, err := Parse(b.Text)
	if err != nil || b.Stamp == nil || j.Code.Past == nil || binding.Glob || binding.IsFolder() {
		return nil
	}
	c := &inquiry{Judge: j, binding: binding, stamp: *b.Stamp, words: b.Words}
	was, err := c.textThen(ctx)
	if err != nil || was == nil || !IsText(was) {
		return nil
	}
	if _, there, why := j.Code.Files.Stat(binding.Path); there && why == "" {
		c.now, err = j.read(binding.Path)
	} else {
		c.head = true
		_, err = c.judgeAbsent(ctx)
	}
	if err != nil || !IsText(c.now) {
		return nil
	}
	then := SplitLines(was)
	from, to, err := binding.rangeIn(then)
	if err != nil {
		return nil
	}
	to = min(to, len(then))
	now := SplitLines(c.now)
	for _, h := range merge.DiffLines(then, now) {
		if h.At+h.Gone < from || h.At >= to {
			continue
		}
		gone, come := mark("-", then[max(h.At, from-1):min(h.At+h.Gone, to)]), mark("+", now[h.From:h.Till])
		if len(gone) > 0 && len(come) > 0 {
			gone, come = CutLines(gone, most), CutLines(come, most)
		}
		out = append(append(out, gone...), come...)
	}
	return out
}

// mark returns lines with a sign before them.
func mark(sign string, lines []string) (out []string) {
	for _, line := range lines {
		out = append(out, sign+line)
	}
	return out
}

// CutLines returns at most so many lines: in place of what is cut off the last one says how many there were.
func CutLines(lines []string, most int) []string {
	if len(lines) <= most {
		return lines
	}
	return append(lines[:most-1:most-1], "… "+strconv.Itoa(len(lines)-most+1)+" more lines")
}

package merge

import (
	"slices"
	"strings"
)

// Bounds of the work. Myers' algorithm takes the square of the lines that
// differ; a text of more lines than diffLines is cut at lines that occur once in each
// version, and a piece that is longer still and changed on both sides is a conflict.
const (
	diffLines = 4000
	joinLines = 3 // conflicts with no more lines between them are one, as in git
)

// piece is a run of merged lines, or a conflict.
type piece struct {
	merged       []string
	conflict     bool
	ours, theirs []string
}

// mergeLines merges three texts by lines; write says how a conflict looks.
func mergeLines(base, ours, theirs string, write func(*strings.Builder, piece)) string {
	return writePieces(joinConflicts(mergePieces(splitLines(base), splitLines(ours), splitLines(theirs), false)), write)
}

func writePieces(pieces []piece, write func(*strings.Builder, piece)) string {
	var b strings.Builder
	for _, p := range pieces {
		if p.conflict {
			write(&b, p)
			continue
		}
		for _, line := range p.merged {
			b.WriteString(line)
		}
	}
	return b.String()
}

// splitLines returns the lines with their ends.
func splitLines(text string) []string {
	lines := strings.SplitAfter(text, "\n")
	if lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	return lines
}

// mergePieces merges lines; long texts part by part.
func mergePieces(base, ours, theirs []string, prose bool) []piece {
	if len(base)+len(ours)+len(theirs) <= diffLines {
		return merge3(base, ours, theirs, prose)
	}
	var out []piece
	for _, cut := range cutAtUniqueLines(base, ours, theirs) {
		o, a, b := base[:cut[0]], ours[:cut[1]], theirs[:cut[2]]
		base, ours, theirs = base[cut[0]:], ours[cut[1]:], theirs[cut[2]:]
		out = append(out, mergeLong(o, a, b, prose)...)
	}
	return out
}

// mergeLong is merge3 for a part of a long text.
func mergeLong(base, ours, theirs []string, prose bool) []piece {
	switch {
	case slices.Equal(ours, theirs), slices.Equal(base, theirs):
		return []piece{{merged: ours}}
	case slices.Equal(base, ours):
		return []piece{{merged: theirs}}
	case len(base) > 0 && len(base)+len(ours)+len(theirs) > 2*diffLines:
		return []piece{{conflict: true, ours: ours, theirs: theirs}}
	}
	return merge3(base, ours, theirs, prose)
}

// cutAtUniqueLines returns the lengths of the parts of the three versions. Each part but the last
// ends with a line that occurs once in each version, in the same order.
func cutAtUniqueLines(base, ours, theirs []string) [][3]int {
	inOurs, inTheirs := uniqueLines(ours), uniqueLines(theirs)
	inBase := uniqueLines(base)
	var cuts [][3]int
	last := [3]int{}
	for i, line := range base {
		a, okA := inOurs[line]
		b, okB := inTheirs[line]
		if _, ok := inBase[line]; !ok || !okA || !okB || a < last[1] || b < last[2] || a-last[1] > diffLines || b-last[2] > diffLines {
			continue
		}
		cuts = append(cuts, [3]int{i + 1 - last[0], a + 1 - last[1], b + 1 - last[2]})
		last = [3]int{i + 1, a + 1, b + 1}
	}
	return append(cuts, [3]int{len(base) - last[0], len(ours) - last[1], len(theirs) - last[2]})
}

// uniqueLines returns where the lines stand that occur once.
func uniqueLines(lines []string) map[string]int {
	at := make(map[string]int, len(lines))
	for i, line := range lines {
		if _, ok := at[line]; ok {
			i = -1
		}
		at[line] = i
	}
	for line, i := range at {
		if i < 0 {
			delete(at, line)
		}
	}
	return at
}

// merge3 merges as diff3 does and narrows each conflict to the lines that differ. In prose
// two insertions at one place are no conflict.
func merge3(base, ours, theirs []string, prose bool) []piece {
	var out []piece
	done, a, b := 0, walk{lines: ours, hunks: hunks(base, ours)}, walk{lines: theirs, hunks: hunks(base, theirs)}
	for {
		from := min(a.nextHunk(len(base)), b.nextHunk(len(base)))
		if from > done {
			out = append(out, piece{merged: base[done:from]})
		}
		to := from
		for a.takes(&to) || b.takes(&to) { // hunks that touch are one conflict, as in git
		}
		x, y := a.takeLines(from, to), b.takeLines(from, to)
		switch {
		case x == nil && y == nil:
			return out
		case y == nil:
			out = append(out, piece{merged: x})
		case x == nil:
			out = append(out, piece{merged: y})
		case slices.Equal(x, y):
			out = append(out, piece{merged: x})
		case prose && from == to:
			out = append(out, piece{merged: joinInsertions(base[:from], x, y)})
		default:
			out = append(out, splitConflict(x, y)...)
		}
		done = to
	}
}

// walk goes through the hunks of one side.
type walk struct {
	lines []string
	hunks []Hunk
	moved int // how much further down a line of the base stands here, before and
	after int // behind the hunks taken last
	some  bool
}

// nextHunk returns where in the base the next hunk begins, end without one.
func (w *walk) nextHunk(end int) int {
	if len(w.hunks) == 0 {
		return end
	}
	return w.hunks[0].At
}

// takes takes the next hunk if it begins at to or before, and moves to behind the hunk.
func (w *walk) takes(to *int) bool {
	if len(w.hunks) == 0 || w.hunks[0].At > *to {
		return false
	}
	h := w.hunks[0]
	*to = max(*to, h.At+h.Gone)
	w.hunks, w.after, w.some = w.hunks[1:], h.Till-h.At-h.Gone, true
	return true
}

// takeLines returns this side's lines for the base's lines [from, to), or nil if it changed none.
func (w *walk) takeLines(from, to int) []string {
	lines := w.lines[from+w.moved : to+w.after : to+w.after]
	changed := w.some
	w.moved, w.some = w.after, false
	if !changed {
		return nil
	}
	return append([]string{}, lines...)
}

// splitConflict splits a conflict at the lines that both sides have. The result does not depend
// on which side is ours.
func splitConflict(ours, theirs []string) []piece {
	if slices.Compare(ours, theirs) > 0 {
		out := splitConflict(theirs, ours)
		for i := range out {
			out[i].ours, out[i].theirs = out[i].theirs, out[i].ours
		}
		return out
	}
	var out []piece
	done := 0
	for _, h := range hunks(ours, theirs) {
		if h.At > done {
			out = append(out, piece{merged: ours[done:h.At]})
		}
		done = h.At + h.Gone
		out = append(out, piece{conflict: true, ours: ours[h.At:done], theirs: theirs[h.From:h.Till]})
	}
	if done < len(ours) {
		out = append(out, piece{merged: ours[done:]})
	}
	return out
}

// joinConflicts joins conflicts that stand close together.
func joinConflicts(pieces []piece) []piece {
	var out []piece
	for i := 0; i < len(pieces); i++ {
		p := pieces[i]
		n := len(out)
		switch {
		case p.conflict && n > 0 && out[n-1].conflict:
			out[n-1] = out[n-1].and(p)
		case p.conflict && n > 1 && out[n-2].conflict && len(out[n-1].merged) <= joinLines:
			between := out[n-1].merged
			whole := out[n-2].and(piece{ours: between, theirs: between}).and(p)
			out = append(out[:n-2], whole)
		case !p.conflict && n > 0 && !out[n-1].conflict:
			out[n-1].merged = append(out[n-1].merged, p.merged...)
		default:
			p.merged = slices.Clone(p.merged) // to append to
			out = append(out, p)
		}
	}
	return out
}

func (p piece) and(q piece) piece {
	return piece{conflict: true, ours: slices.Concat(p.ours, q.ours), theirs: slices.Concat(p.theirs, q.theirs)}
}

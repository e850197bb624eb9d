package about

import (
	"slices"

	"github.com/cp-memory/cp/vault/merge"
)

// Kind says what became of bound lines.
type Kind int

const (
	Same    Kind = iota // they stand where they stood
	Moved               // they stand elsewhere
	Changed             // they stand nowhere any more
)

// Mapping says where bound lines stand in a later text.
type Mapping struct {
	From, To int // 1-based, both included; To is From-1 where nothing is left of them
	// Changed is how many of the Of bound lines do not live on. Where all do and others stand between them now, it is the number
	// of those, at the most Of.
	Changed, Of int
	Kind        Kind
}

// MapRange finds the lines from to to, 1-based, both included, of an earlier text in a later one. They live on if all stand in the later
// text side by side: a line that was inserted directly above or below them is none of them, one between them
// changes them. The rules are, in this order:
//
//  1. No hunk of the diff lies within the range: they are where the diff says.
//  2. They stand in one place that is not that of another, unchanged copy of them: there.
//  3. Else they changed.
func MapRange(was, is []string, from, to int) Mapping { return Compare(was, is).MapRange(from, to) }

// Diff is an earlier text and a later one, compared once for many ranges.
type Diff struct {
	was, is []string
	hunks   []merge.Hunk
}

// Compare compares an earlier text with a later one.
func Compare(was, is []string) Diff { return Diff{was, is, merge.DiffLines(was, is)} }

// MapRange is the function MapRange for these texts.
func (d Diff) MapRange(from, to int) Mapping {
	from, to = max(from, 1), min(to, len(d.was))
	if from > to {
		return Mapping{From: from, To: to, Kind: Changed}
	}
	place, touched := d.mapRange(from-1, to)
	if touched > 0 {
		if at := d.findMoved(from-1, to); at >= 0 {
			place, touched = span{at, at + to - from + 1}, 0
		}
	}
	if touched > 0 {
		place = d.findRemains(from-1, to)
	}
	m := Mapping{From: place.from + 1, To: place.to, Changed: touched, Of: to - from + 1}
	switch {
	case touched > 0:
		m.Kind = Changed
	case m.From != from:
		m.Kind = Moved
	}
	return m
}

// span is the lines [from, to), 0-based.
type span struct{ from, to int }

// mapRange returns where the lines [from, to) stand by the diff, and how many of them do not live on. With some of these the place
// is that of none.
func (d Diff) mapRange(from, to int) (s span, touched int) {
	above, added := 0, 0 // by how much the text above is longer; the lines that are new within
	for i := range d.hunks {
		h := d.slideOut(i, span{from, to})
		switch {
		case h.At >= to:
		case h.At+h.Gone <= from:
			above += h.Till - h.From - h.Gone
		default:
			touched, added = touched+min(h.At+h.Gone, to)-max(h.At, from), added+h.Till-h.From
		}
	}
	if touched == 0 {
		touched = min(added, to-from)
	}
	return span{from + above, to + above}, touched
}

// slideOut returns the hunk, and if it lies within the range and only adds or only removes lines, as it would be if it
// stood above or below and said the same: where a block comes between two that begin alike, a diff may have any of the alike
// lines new.
func (d Diff) slideOut(i int, r span) merge.Hunk {
	h := d.hunks[i]
	if h.At+h.Gone <= r.from || h.At >= r.to || h.Gone > 0 && h.Till > h.From {
		return h
	}
	top, bottom := 0, len(d.was)
	if i > 0 {
		top = d.hunks[i-1].At + d.hunks[i-1].Gone
	}
	if i+1 < len(d.hunks) {
		bottom = d.hunks[i+1].At
	}
	up, down := h, h
	for up.At > top && up.At+up.Gone > r.from && d.lineOf(up, -1) == d.was[up.At-1] {
		up = merge.Hunk{At: up.At - 1, Gone: up.Gone, From: up.From - 1, Till: up.Till - 1}
	}
	for down.At+down.Gone < bottom && down.At < r.to && d.lineOf(down, 0) == d.was[down.At+down.Gone] {
		down = merge.Hunk{At: down.At + 1, Gone: down.Gone, From: down.From + 1, Till: down.Till + 1}
	}
	switch {
	case up.At+up.Gone <= r.from:
		return up
	case down.At >= r.to:
		return down
	}
	return h
}

// lineOf returns the line that a hunk adds or removes: its first one, or with -1 its last one.
func (d Diff) lineOf(h merge.Hunk, which int) string {
	lines := d.is[h.From:h.Till]
	if h.Gone > 0 {
		lines = d.was[h.At : h.At+h.Gone]
	}
	if which < 0 {
		return lines[len(lines)-1]
	}
	return lines[0]
}

// mostCopies is how many other places of the bound lines are looked at. Where there are more, as of a single brace, nothing can be
// told of one of them.
const mostCopies = 100

// findMoved returns where the lines [from, to) stand now if that is one place, leaving out those of unchanged
// copies of them; else -1.
func (d Diff) findMoved(from, to int) int {
	bound := d.was[from:to]
	now, before := FindLines(d.is, bound), FindLines(d.was, bound)
	if len(before) > mostCopies || len(now) > len(before) {
		return -1
	}
	for _, copied := range before {
		if s, touched := d.mapRange(copied-1, copied-1+to-from); touched == 0 && copied-1 != from {
			now = slices.DeleteFunc(now, func(at int) bool { return at-1 == s.from })
		}
	}
	if len(now) != 1 {
		return -1
	}
	return now[0] - 1
}

package about

import (
	"strings"
	"unicode"
)

// findRemains returns what stands in the later text for the lines [from, to), of which some have changed; an empty
// span where nothing does. Where it begins and ends is said by the outermost of the lines that live on or have a line
// like them in their place. What a hunk has beside that is another's.
func (d Diff) findRemains(from, to int) span {
	kept := d.findKept()
	first, last := -1, -1
	for i := from; i < to && first < 0; i++ {
		if at := d.becameOf(kept, i); at >= 0 {
			first = max(at-(i-from), kept.window(from).from)
		}
	}
	for i := to - 1; i >= from && last < 0; i-- {
		if at := d.becameOf(kept, i); at >= 0 {
			last = min(at+to-1-i, kept.window(to-1).to-1)
		}
	}
	window := kept.window(from)
	replaced := kept.lineAt(from-1) == window.from-1 && kept.lineAt(to) == window.to && window.to-window.from <= 2*(to-from)
	switch {
	case first >= 0 && last >= first:
		return span{first, last + 1}
	case first < 0 && replaced: // they and no line beside them, by some that are not like them
		return window
	}
	return span{}
}

// keptLines says of each line of the earlier text where it stands in the later one, -1 of those that do not; before and after
// them stand the two ends.
type keptLines []int

func (k keptLines) lineAt(i int) int { return k[i+1] }

// window returns where in the later text the line i can have gone: between those around it that live on.
func (k keptLines) window(i int) span {
	above, below := i, i
	for k.lineAt(above) < 0 && above >= 0 || above == i {
		above--
	}
	for k.lineAt(below) < 0 || below == i {
		below++
	}
	return span{k.lineAt(above) + 1, k.lineAt(below)}
}

// findKept returns what lives on. Lines between two hunks of which none says anything, as of braces alone, do not: they are as
// well others like them.
func (d Diff) findKept() keptLines {
	k := make(keptLines, len(d.was)+2)
	for i := range k {
		k[i] = -1
	}
	k[len(k)-1] = len(d.is)
	at, by := 0, 0
	keep := func(end int) {
		tells := at == 0 || end == len(d.was)
		for i := at; i < end; i++ {
			tells = tells || isTelling(d.was[i])
		}
		for i := at; i < end && tells; i++ {
			k[i+1] = i + by
		}
	}
	for _, h := range d.hunks {
		keep(h.At)
		at, by = h.At+h.Gone, h.Till-h.At-h.Gone
	}
	keep(len(d.was))
	return k
}

// isTelling reports whether a line has three letters or digits.
func isTelling(line string) bool {
	n := 0
	for _, r := range line {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			n++
		}
	}
	return n >= 3
}

// widest is how many lines of a window are compared with one.
const widest = 1000

// becameOf returns where a line of the earlier text stands in the later one, or what it was changed into; -1 if nothing is like it.
func (d Diff) becameOf(kept keptLines, i int) int {
	if at := kept.lineAt(i); at >= 0 {
		return at
	}
	window := kept.window(i)
	if !isTelling(d.was[i]) || window.to-window.from > widest {
		return -1
	}
	best, found := .5, -1
	for at := window.from; at < window.to; at++ {
		if like := likeness(d.was[i], d.is[at]); like > best {
			best, found = like, at
		}
	}
	return found
}

// likeness is Dice's coefficient of the pairs of letters of two lines, 0 to 1, white space at the ends left out.
func likeness(a, b string) float64 {
	a, b = strings.TrimSpace(a), strings.TrimSpace(b)
	if a == b {
		return 1
	}
	if len(a) < 2 || len(b) < 2 {
		return 0
	}
	pairs := make(map[string]int, len(a))
	for i := range len(a) - 1 {
		pairs[a[i:i+2]]++
	}
	same := 0
	for i := range len(b) - 1 {
		if pair := b[i : i+2]; pairs[pair] > 0 {
			pairs[pair]--
			same++
		}
	}
	return 2 * float64(same) / float64(len(a)+len(b)-2)
}

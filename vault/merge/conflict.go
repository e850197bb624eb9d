package merge

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
)

// BothOpen begins a passage in which both texts are kept.
const BothOpen = "<!-- cp-conflict: two versions met here; keep what holds and delete these comments -->"

const (
	bothOr    = "<!-- cp-conflict: or -->"
	bothClose = "<!-- /cp-conflict -->"
)

// conflictWriter returns a function that writes a conflict into a text with that line end.
func (o Options) conflictWriter(eol string) func(*strings.Builder, piece) {
	open, middle, shut := "<<<<<<< "+cmp.Or(o.Ours, "ours"), "=======", ">>>>>>> "+cmp.Or(o.Theirs, "theirs")
	if o.Both {
		open, middle, shut = BothOpen, bothOr, bothClose
	}
	return func(b *strings.Builder, p piece) {
		if o.Both {
			p.ours, p.theirs = orderSides(p.ours, p.theirs)
		}
		b.WriteString(open + eol + joinEndedLines(p.ours, eol) + middle + eol + joinEndedLines(p.theirs, eol) + shut + eol)
	}
}

// orderSides returns the lines of both sides, the smaller first: the same whichever side
// is ours.
func orderSides(ours, theirs []string) (first, second []string) {
	if slices.Compare(ours, theirs) > 0 {
		return theirs, ours
	}
	return ours, theirs
}

// writeBothTexts writes both texts, one behind the other, without marks. It serves the comments
// in a header.
func writeBothTexts(b *strings.Builder, p piece) {
	first, second := orderSides(p.ours, p.theirs)
	b.WriteString(joinEndedLines(first, "\n"))
	known := makeSet(first)
	for _, line := range second {
		if !known[line] {
			b.WriteString(line)
		}
	}
}

// joinEndedLines joins lines and ends the last one.
func joinEndedLines(lines []string, eol string) string {
	text := strings.Join(lines, "")
	if text != "" && !strings.HasSuffix(text, "\n") {
		text += eol
	}
	return text
}

// ListKeptPassages returns the 1-based lines at which passages begin that Options.Both kept in two versions.
func ListKeptPassages(text string) []int {
	if !strings.Contains(text, BothOpen) {
		return nil
	}
	return conflictLines([]byte(text), true)
}

// conflictLines returns the lines where the conflicts in a merged text begin.
func conflictLines(text []byte, both bool) (found []int) {
	open := []byte("<<<<<<< ")
	if both {
		open = []byte(BothOpen)
	}
	line := 0
	for row := range bytes.Lines(text) {
		if line++; bytes.HasPrefix(bytes.TrimPrefix(row, []byte(bom)), open) {
			found = append(found, line)
		}
	}
	return found
}

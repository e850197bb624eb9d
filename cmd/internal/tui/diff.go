package tui

import (
	"fmt"
	"slices"
	"strings"
)

// around is how many lines are shown before and behind a change.
const around = 3

// diff returns what changes in a text, as lines of a width. A section that is put in, taken
// out or changed is one piece, so the lines that both texts begin and end with are left out.
func diff(was, is string, width int) []string {
	a, b := splitLines(was), splitLines(is)
	head := common(a, b)
	reversed := func(all []string) []string {
		all = slices.Clone(all)
		slices.Reverse(all)
		return all
	}
	foot := common(reversed(a[head:]), reversed(b[head:]))
	from, until := max(head-around, 0), min(len(b)-foot+around, len(b))
	lines := []string{faint(fmt.Sprintf("@@ line %d", head+1))}
	put := func(sign string, style func(string) string, all []string) {
		for _, one := range all {
			for _, part := range wrapAll([]string{sign + one}, width) {
				lines = append(lines, style(part))
			}
		}
	}
	put(" ", faint, b[from:head])
	put("-", red, a[head:len(a)-foot])
	put("+", green, b[head:len(b)-foot])
	put(" ", faint, b[len(b)-foot:until])
	return lines
}

// splitLines returns the lines of a text without their ends. One without an end says so.
func splitLines(text string) (all []string) {
	for l := range strings.Lines(text) {
		cut, ended := strings.CutSuffix(l, "\n")
		if !ended {
			cut += " (no line end)"
		}
		all = append(all, strings.TrimSuffix(cut, "\r"))
	}
	return all
}

// common counts the lines with which both begin.
func common(a, b []string) (n int) {
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return n
}

package tui

import (
	"strconv"
	"strings"

	"charm.land/lipgloss/v2"

	"github.com/cp-memory/cp/vault/journal"
)

// beside returns the list with the details of its item beside it.
func (m Model) beside() []string {
	width := max(32, min(m.width*2/5, 60))
	left, right := m.list(width), []string(nil)
	if r, ok := m.row(); ok {
		right = window(m.detail(r, m.width-width-3), 0, m.body())
	}
	left, right = fill(left, m.body()), fill(right, m.body())
	for i := range left {
		left[i] += strings.Repeat(" ", max(width-lipgloss.Width(left[i]), 0)) + faint(" │ ") + right[i]
	}
	return left
}

// list returns the rows of the list that are on the screen.
func (m Model) list(width int) (lines []string) {
	t := m.tab()
	shown := t.shown()
	if len(shown) == 0 {
		return wrap(m.empty(), width)
	}
	for at := t.top; at < min(t.top+m.body(), len(shown)); at++ {
		lines = append(lines, t.rows[shown[at]].line(at == t.cursor, width))
	}
	return lines
}

// line returns the row as a line.
func (r row) line(here bool, width int) string {
	cursor, sign := " ", " "
	if here {
		cursor = ">"
	}
	switch {
	case r.marked:
		sign = "*"
	case r.skipped:
		sign = "-"
	}
	text := clip(cursor+sign+pad(r.tag(), 7)+line(r.Title), width)
	switch {
	case here:
		return bold(text)
	case r.skipped || r.Why == journal.IsBelow:
		return faint(text)
	}
	return text
}

// tag says in a word why the item waits; of an observation, how many sessions made it.
func (r row) tag() string {
	switch r.Why {
	case journal.ReasonObservation, journal.IsBelow:
		return strconv.Itoa(r.Count) + "x"
	case journal.Deferred:
		return "later"
	}
	return string(r.Why)
}

// places returns the memories among which a parent is chosen, below the words.
func (m Model) places() []string {
	hits, room := m.pick.hits(), max(m.body()-1, 1)
	lines := []string{bold(clip("Below which memory? "+tail(line(m.pick.text), m.width-21)+"_", m.width))}
	if len(hits) == 0 {
		return append(lines, "No memory has these words.")
	}
	top := max(m.pick.cursor-room+1, 0)
	for at := top; at < min(top+room, len(hits)); at++ {
		n := hits[at]
		text := "  " + line(n.Title) + "  " + line(string(n.Path))
		if at == m.pick.cursor {
			lines = append(lines, bold(clip("> "+text[2:], m.width)))
			continue
		}
		lines = append(lines, clip(text, m.width))
	}
	return lines
}

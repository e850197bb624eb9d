package tui

import (
	"strconv"
	"strings"

	"charm.land/lipgloss/v2"

	"github.com/cp-memory/cp/vault/journal"
)

// listWithDetails returns the list with the details of its item beside it.
func (m Model) listWithDetails() []string {
	width := max(32, min(m.width*2/5, 60))
	left, right := m.listRows(width), []string(nil)
	if r, ok := m.cursorRow(); ok {
		right = window(m.detail(r, m.width-width-3), 0, m.bodyHeight())
	}
	left, right = padLines(left, m.bodyHeight()), padLines(right, m.bodyHeight())
	for i := range left {
		left[i] += strings.Repeat(" ", max(width-lipgloss.Width(left[i]), 0)) + faint(" │ ") + right[i]
	}
	return left
}

// listRows returns the rows of the list that are on the screen.
func (m Model) listRows(width int) (lines []string) {
	t := m.tab()
	shown := t.shownRows()
	if len(shown) == 0 {
		return wrap(m.whyEmpty(), width)
	}
	for at := t.top; at < min(t.top+m.bodyHeight(), len(shown)); at++ {
		lines = append(lines, t.rows[shown[at]].drawRow(at == t.cursor, width))
	}
	return lines
}

// drawRow returns the row as a line.
func (r row) drawRow(here bool, width int) string {
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
	text := clip(cursor+sign+pad(r.tag(), 7)+safeLine(r.Title), width)
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

// parentChoices returns the memories among which a parent is chosen, below the words.
func (m Model) parentChoices() []string {
	hits, room := m.pick.hits(), max(m.bodyHeight()-1, 1)
	lines := []string{bold(clip("Below which memory? "+tail(safeLine(m.pick.text), m.width-21)+"_", m.width))}
	if len(hits) == 0 {
		return append(lines, "No memory has these words.")
	}
	top := max(m.pick.cursor-room+1, 0)
	for at := top; at < min(top+room, len(hits)); at++ {
		n := hits[at]
		text := "  " + safeLine(n.Title) + "  " + safeLine(string(n.Path))
		if at == m.pick.cursor {
			lines = append(lines, bold(clip("> "+text[2:], m.width)))
			continue
		}
		lines = append(lines, clip(text, m.width))
	}
	return lines
}

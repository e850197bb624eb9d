package tui

import (
	"time"

	tea "charm.land/bubbletea/v2"
)

// pressKey does what a key means on the screen that is shown.
func (m Model) pressKey(k tea.Key) (Model, tea.Cmd) {
	name, first := k.String(), m.first
	fresh := m.press(k)
	m.note, m.first, m.later = "", "", pressed{}
	switch name {
	case "ctrl+c":
		m.interrupted = true
		m.stop()
		return m.endScreen()
	case "ctrl+z":
		return m, tea.Suspend
	}
	var cmd tea.Cmd
	switch m.on {
	case typing:
		m = m.handleLineKey(k)
	case choosing:
		m = m.handleChoiceKey(k)
	case asking, copying:
		m, cmd = m.answerKey(name, fresh)
	case sourcing, helping, listing:
		m = m.handleReadKey(name)
	default:
		if name == "g" && first != "g" {
			m.first = "g"
		}
		m, cmd = m.browse(name, first+name, fresh)
	}
	if cmd != nil || m.busy != "" {
		return m, cmd
	}
	return m.clampView().evidence()
}

// A terminal repeats a key that is held down after half a second or so, and from then on many
// times in a second. So the same key again within heldFor is taken for a repeat, and then
// every one that follows within heldOn.
const (
	heldFor = 700 * time.Millisecond
	heldOn  = 400 * time.Millisecond
)

// press notes a key, and reports whether it is not one that is held down.
func (m *Model) press(k tea.Key) (fresh bool) {
	now, name, least := m.Now(), k.String(), heldFor
	if m.held.repeats {
		least = heldOn
	}
	fresh = !k.IsRepeat && (name != m.held.key || now.Sub(m.held.at) >= least)
	m.held = held{name, now, !fresh}
	return fresh
}

// endScreen ends the screen, after the port has ended what it does.
func (m Model) endScreen() (Model, tea.Cmd) {
	if m.busy == "" {
		return m, tea.Quit
	}
	m.leaving = true
	return m, nil
}

// show puts another screen in place of this one. What is shown is begun at its top.
func (m Model) show(s screen) Model {
	if s != m.on && m.on <= reading {
		m.back = m.on
	}
	m.on, m.scroll = s, 0
	return m
}

// browse is a key on the list, or on the details of an item. pair is the key with a g that
// came before.
func (m Model) browse(name, pair string, fresh bool) (Model, tea.Cmd) {
	if do, ok := act(name); ok {
		switch {
		case !fresh:
			m.note = "A key that is held down decides nothing; press it again"
			return m, nil
		case m.busy != "":
			return m.early(name), nil
		}
		return do(m)
	}
	switch name {
	case "q", "esc":
		return m.out(name)
	case "tab", "shift+tab":
		m.at, m.on, m.scroll = 1-m.at, browsing, 0
	case "enter":
		m = m.details()
	case "backspace":
		m = m.show(browsing)
	case "o":
		m = m.show(sourcing)
	case "?":
		m = m.show(helping)
	case "l":
		if m.note = "Nothing is left over in agents' files"; len(m.over) > 0 {
			m.note = ""
			m = m.show(listing)
		}
	case "space":
		m = m.toggleMark()
	case "/":
		m = m.beginLine(filterLine, "", m.tab().filter)
	default:
		m = m.moveCursor(name, pair)
	}
	return m, nil
}

// early takes a key that came before the item was read: it is done once the item is known.
// An approval waits for another press where it would put the item to a place that the screen
// did not show yet, and so does what is decided about code. While the port writes, and where there is no item, the key does nothing.
// What is taken back is the last decision, whatever is read at that moment.
func (m Model) early(name string) Model {
	if name == "u" && m.reads && !m.batch.running {
		m.later = pressed{name: name}
		return m
	}
	r, ok := m.cursorRow()
	if !ok || !m.reads || m.batch.running || name == "a" && r.isForTree() || name == "c" || name == "b" {
		m.note = "One moment"
		return m
	}
	m.later = pressed{name, r.ID}
	return m
}

// replayKey does the key that came before the item was read, if that is still as it was shown.
func (m Model) replayKey() (Model, tea.Cmd) {
	key := m.later
	m.later = pressed{}
	if key.name == "u" {
		return m.undo()
	}
	if r, ok := m.cursorRow(); ok && r.ID == key.id && m.on <= reading && m.note == "" {
		if do, ok := act(key.name); ok {
			return do(m)
		}
	}
	return m, nil
}

// out leaves the details, the work on what is marked, a filter, and at last the screen.
func (m Model) out(name string) (Model, tea.Cmd) {
	t := &m.tabs[m.at]
	switch {
	case len(m.batch.left) > 0:
		m.batch.left = nil
	case m.on == reading:
		m = m.show(browsing)
	case name == "esc" && t.filter != "":
		t.filter = ""
	default:
		return m.endScreen()
	}
	return m, nil
}

// details shows the details of the item, or the list again.
func (m Model) details() Model {
	if _, ok := m.cursorRow(); ok && m.on == browsing {
		return m.show(reading)
	}
	return m.show(browsing)
}

// moveCursor goes up or down: in the list by items, in a text by lines.
func (m Model) moveCursor(name, pair string) Model {
	by, far := 0, 1<<30
	switch name {
	case "up", "k":
		by = -1
	case "down", "j":
		by = 1
	case "pgup":
		by = -max(m.bodyHeight(), 1)
	case "pgdown":
		by = max(m.bodyHeight(), 1)
	case "home":
		by = -far
	case "end", "G":
		by = far
	}
	if pair == "gg" {
		by = -far
	}
	if m.on == browsing {
		m.tabs[m.at].cursor += by
	} else {
		m.scroll += by
	}
	return m
}

// handleReadKey is a key on a screen that is only read.
func (m Model) handleReadKey(name string) Model {
	switch name {
	case "q", "esc", "enter", "backspace", "o", "?":
		return m.show(m.back)
	}
	return m.moveCursor(name, "")
}

// toggleMark marks the item, or takes the mark away, and goes on.
func (m Model) toggleMark() Model {
	if r, ok := m.cursorRow(); ok {
		m = m.changeRow(r.ID, func(r *row) { r.marked = !r.marked })
		m.tabs[m.at].cursor++
	}
	return m
}

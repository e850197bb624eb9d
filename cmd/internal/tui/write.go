package tui

import (
	"context"
	"slices"
	"strings"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"

	"github.com/cp-memory/cp/cmd/internal/render"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/journal"
)

// field is what a line of text is written for.
type field string

const (
	filterLine field = "Filter"
	phraseLine field = "When does one need it?"
	reasonLine field = "Why deny it?"
	endingLine field = "Why does it hold no more?"
)

// input is a line of text that is being written.
type input struct {
	field     field
	id        vault.ID // of the item that it is for
	text, was string
}

// beginLine begins a line of text.
func (m Model) beginLine(f field, id vault.ID, text string) Model {
	m = m.show(typing)
	m.line = input{f, id, text, text}
	return m
}

func (m Model) editPhrase(r row) (Model, tea.Cmd) {
	return m.beginLine(phraseLine, r.ID, r.phrase), nil
}

// reason begins the line that says why an item is denied, or resolved.
func (m Model) reason(r row) (Model, tea.Cmd) {
	if r.Why == journal.ChangedCode {
		return m.beginLine(endingLine, r.ID, r.reason), nil
	}
	return m.beginLine(reasonLine, r.ID, r.reason), nil
}

// handleLineKey is a key in a line of text.
func (m Model) handleLineKey(k tea.Key) Model {
	switch k.String() {
	case "esc":
		m.line.text = m.line.was
		if m.line.field == filterLine {
			m = m.acceptLine()
		}
		return m.show(m.back)
	case "enter":
		return m.acceptLine().show(m.back)
	}
	m.line.text = editLine(m.line.text, k)
	if m.line.field == filterLine {
		m = m.acceptLine()
	}
	return m
}

// editLine returns a line after a key.
func editLine(text string, k tea.Key) string {
	switch k.String() {
	case "backspace":
		_, n := utf8.DecodeLastRuneInString(text)
		return text[:len(text)-n]
	case "ctrl+u":
		return ""
	case "ctrl+w":
		text = strings.TrimRight(text, " ")
		return text[:strings.LastIndex(text, " ")+1]
	}
	if k.Mod&^tea.ModShift != 0 {
		return text
	}
	return text + k.Text
}

// acceptLine takes the line for what it was written for. It decides nothing.
func (m Model) acceptLine() Model {
	text := strings.TrimSpace(m.line.text)
	switch m.line.field {
	case filterLine:
		m.tabs[m.at].filter, m.tabs[m.at].cursor = text, 0
	case phraseLine:
		m = m.changeRow(m.line.id, func(r *row) { r.phrase = text })
		m.note = "Kept; a approves the item with this phrase"
	case endingLine:
		m = m.changeRow(m.line.id, func(r *row) { r.reason = text })
		m.note = "Kept; x resolves the item for this reason"
	case reasonLine:
		m = m.changeRow(m.line.id, func(r *row) { r.reason = text })
		m.note = "Kept; d denies the item for this reason"
	}
	return m
}

// paste takes pasted text where text is written. Elsewhere it does nothing.
func (m Model) paste(text string) Model {
	text = render.Line(strings.ReplaceAll(text, "\t", " "))
	switch m.on {
	case typing:
		m.line.text += text
		if m.line.field == filterLine {
			m = m.acceptLine()
		}
	case choosing:
		m.pick.text += text
		m.pick.cursor = 0
	}
	return m
}

// picker is the choice of a parent.
type picker struct {
	id     vault.ID // of the item that gets it
	all    []journal.NearMemory
	text   string
	cursor int
}

// chooseParent begins the choice of a parent.
func (m Model) chooseParent(r row) (Model, tea.Cmd) {
	if !r.isForTree() {
		m.note = "Only what asks for a place in the tree gets a parent"
		return m, nil
	}
	return m.askPort("Reading the tree", func(ctx context.Context) func(Model) (Model, tea.Cmd) {
		all, err := m.Port.Places(ctx, r.Item)
		return func(m Model) (Model, tea.Cmd) {
			if err != nil {
				return m.showError(err), nil
			}
			m = m.show(choosing)
			m.pick = picker{id: r.ID, all: slices.Concat(r.suggestedParents(), all)}
			return m, nil
		}
	})
}

// suggestedParents returns the suggested parent, which is offered first.
func (r row) suggestedParents() []journal.NearMemory {
	if r.Parent == nil {
		return nil
	}
	return []journal.NearMemory{*r.Parent}
}

// hits returns the memories that hold all words, each once.
func (p picker) hits() (all []journal.NearMemory) {
	words, seen := strings.Fields(strings.ToLower(p.text)), map[string]bool{}
	for _, n := range p.all {
		text := strings.ToLower(n.Title + "\n" + n.Summary + "\n" + string(n.Path) + "\n" + string(n.ID))
		if !seen[string(n.ID)] && !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(text, w) }) {
			all = append(all, n)
		}
		seen[string(n.ID)] = true
	}
	return all
}

// handleChoiceKey is a key in the choice of a parent. Enter takes the parent, and decides nothing.
func (m Model) handleChoiceKey(k tea.Key) Model {
	hits := m.pick.hits()
	switch k.String() {
	case "esc":
		return m.show(m.back)
	case "up", "ctrl+p":
		m.pick.cursor = max(m.pick.cursor-1, 0)
		return m
	case "down", "ctrl+n":
		m.pick.cursor = max(min(m.pick.cursor+1, len(hits)-1), 0)
		return m
	case "enter":
		return m.takeParent(hits)
	}
	if text := editLine(m.pick.text, k); text != m.pick.text {
		m.pick.text, m.pick.cursor = text, 0
	}
	return m
}

// takeParent makes the memory under the cursor the parent.
func (m Model) takeParent(hits []journal.NearMemory) Model {
	if m.pick.cursor >= len(hits) {
		m.note = "No memory has these words"
		return m
	}
	n := hits[m.pick.cursor]
	m = m.changeRow(m.pick.id, func(r *row) { r.place = &n }).show(m.back)
	m.note = "a puts it below “" + n.Title + "”"
	return m
}

// openEditor leaves the screen for the person's editor, and decides nothing else. The screen is
// shown anew after it: [tea.Exec] goes on with the old one, which stays blank now and then
// where the editor ends at once.
func (m Model) openEditor(r row) (Model, tea.Cmd) {
	if m.Edit == nil {
		m.note = "There is no editor here"
		return m, nil
	}
	was := r.Text
	if was == "" {
		was = r.Title
	}
	m.busy = "In the editor"
	m.away = func(ctx context.Context) func(Model) (Model, tea.Cmd) {
		is, err := m.Edit(ctx, was)
		return func(m Model) (Model, tea.Cmd) { return m.rewritten(r, was, is, err) }
	}
	return m, tea.Quit
}

// Away reports whether the screen was left only for what [Model.Back] runs.
func (m Model) Away() bool { return m.away != nil }

// Back runs what the screen was left for, and returns the screen that is shown then.
func (m Model) Back() Model {
	then := m.away(m.ctx)
	m.away = nil
	next, begins := m.Update(reply{then, m.Warnings()})
	m = next.(Model)
	m.begins = begins
	return m
}

// rewritten takes in what the editor saved.
func (m Model) rewritten(r row, was, is string, err error) (Model, tea.Cmd) {
	m.held = held{} // the editor had the keys
	switch is = strings.TrimSpace(is); {
	case err != nil:
		return m.showError(err), nil
	case is == was:
		m.note = "The text is as it was"
		return m, nil
	}
	return m.decide(r, rewriting(r.Item, is))
}

package tui

import (
	tea "charm.land/bubbletea/v2"

	"github.com/cp-memory/cp/cmd/internal/queue"
	"github.com/cp-memory/cp/cmd/internal/render"
	"github.com/cp-memory/cp/vault/journal"
)

// onLoud makes a decision about an item whose code has changed; about another one it decides nothing.
func onLoud(m Model, r row, d queue.Decision) (Model, tea.Cmd) {
	if !r.Code.IsLoud() {
		m.note = "Its code has not changed"
		return m, nil
	}
	return m.decide(r, d)
}

func (m Model) confirm(r row) (Model, tea.Cmd) {
	if r.Unconfirmable != "" {
		m.note = "Not confirmed: " + r.Unconfirmable
		return m, nil
	}
	return onLoud(m, r, queue.Decision{Do: queue.Confirm})
}

func (m Model) unbind(r row) (Model, tea.Cmd) {
	return onLoud(m, r, queue.Decision{Do: queue.Unbind})
}

func (m Model) resolve(r row) (Model, tea.Cmd) {
	return onLoud(m, r, queue.Decision{Do: queue.Resolve, Ending: r.reason})
}

// codeKeys says what is decided about an item whose code has changed, and by which keys.
func (r row) codeKeys() string {
	if r.Unconfirmable != "" {
		return "e edits its text, b unbinds it, x resolves it"
	}
	return "c confirms it, e edits its text and confirms it, b unbinds it, x resolves it"
}

// codeLines returns what an item is about, as far as it has changed, and its lines.
func (r row) codeLines(width int) (lines []string) {
	about := render.CodeOf(r.Item)
	if len(about) == 0 {
		return nil
	}
	lines = append(lines, "")
	for _, one := range about {
		lines = append(lines, wrap(safeLine("code: "+one), width)...)
	}
	for _, one := range r.Diff {
		style := green
		if one[0] == '-' {
			style = red
		}
		lines = append(lines, wrapWith(style, safeLine(one), width)...)
	}
	if r.Why != journal.ChangedCode {
		return lines
	}
	if r.Unconfirmable != "" {
		lines = append(lines, wrap(safeLine(r.Unconfirmable), width)...)
	}
	return append(lines, wrap(r.codeKeys(), width)...)
}

// noteOf says what is left to decide once a text is changed.
func noteOf(r row) string {
	if r.Why == journal.ChangedCode {
		return "The text is changed; " + r.codeKeys()
	}
	return "The text is changed; a approves it as it is now"
}

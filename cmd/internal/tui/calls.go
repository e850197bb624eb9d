package tui

import (
	"context"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/cp-memory/cp/cmd/internal/queue"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/journal"
)

// reply is the answer to a call of the port: it makes the next state.
type reply struct {
	then     func(Model) (Model, tea.Cmd)
	warnings []string
}

// asks is a question to the port.
type asks func(ctx context.Context) (then func(Model) (Model, tea.Cmd))

// call returns the command that asks the port. Nothing is asked after the screen was left.
func (m Model) call(ask asks) tea.Cmd {
	return func() (msg tea.Msg) {
		m.gate.do(func() {
			var then func(Model) (Model, tea.Cmd)
			if err := guard(func() { then = ask(m.ctx) }); err != nil {
				then = func(m Model) (Model, tea.Cmd) { m.fault = err; return m, tea.Quit }
			}
			msg = reply{then, m.Warnings()}
		})
		return msg
	}
}

// askPort asks the port, and says what it does meanwhile.
func (m Model) askPort(doing string, ask asks) (Model, tea.Cmd) {
	m.busy, m.reads = doing, false
	return m, m.call(ask)
}

// beginReading is begin for what changes nothing and was not asked for.
func (m Model) beginReading(doing string, ask asks) (Model, tea.Cmd) {
	m, cmd := m.askPort(doing, ask)
	m.reads = true
	return m, cmd
}

// takeReply goes on after an answer. Who wants to leave has waited for it.
func (m Model) takeReply(r reply) (Model, tea.Cmd) {
	m.busy = ""
	m, cmd := r.then(m)
	if len(r.warnings) > 0 {
		m.note = strings.TrimSpace(m.note + " Warning: " + strings.Join(r.warnings, "; "))
	}
	switch {
	case m.leaving:
		return m, tea.Quit
	case cmd != nil || m.busy != "":
		return m, cmd
	case m.batch.gathering:
		return m.gather()
	}
	if m, cmd = m.clampView().evidence(); cmd == nil && m.later.name != "" {
		return m.replayKey()
	}
	return m, cmd
}

// readPage reads the first items of a list, or all of them where it has some already.
func (m Model) readPage(at int) asks {
	t := m.tabs[at]
	q := queue.Query{Bare: true, Why: t.why, Limit: pageSize}
	switch {
	case m.Limit > 0 || m.Offset > 0:
		q.Limit, q.Offset = m.Limit, m.Offset
	case t.read:
		q.Limit = 0
	}
	return func(ctx context.Context) func(Model) (Model, tea.Cmd) {
		found, err := m.Port.Queue(ctx, q)
		return func(m Model) (Model, tea.Cmd) { return m.takePage(at, q, found, err) }
	}
}

// takePage takes a page in. What was decided about here does not come back.
func (m Model) takePage(at int, q queue.Query, found journal.Queue, err error) (Model, tea.Cmd) {
	t := m.tabs[at]
	if err != nil {
		m.tabs[at].read, m.tabs[at].full = true, true // it is not asked for again and again
		return m.showError(err), nil
	}
	for _, item := range found.Items {
		if _, there := m.findRow(item.ID); there < 0 && m.gone[item.ID] != item.Why {
			t.rows = append(t.rows[:len(t.rows):len(t.rows)], row{Item: item})
		}
	}
	m.over = nil
	for _, over := range found.LeftOver {
		m.over = append(m.over, safeLine(over.String()))
	}
	t.read, t.full = true, q.Limit == 0 || len(found.Items) < q.Limit || m.Limit > 0
	m.tabs[at] = t
	for i := range m.tabs {
		m.counts[i] = m.tabs[i].countWaiting(found.Counts)
		if m.tabs[i].full {
			m.counts[i] = len(m.tabs[i].rows)
		}
	}
	if m.total == 0 {
		m.total = m.counts[0] + m.counts[1]
	}
	return m, nil
}

func (t tab) countWaiting(all map[journal.Reason]int) (n int) {
	for _, why := range t.why {
		n += all[why]
	}
	return n
}

// evidence asks for what the screen needs next: the list that is shown, the rest of it, or
// all that is known of the item under the cursor.
func (m Model) evidence() (Model, tea.Cmd) {
	if m.busy != "" || m.leaving {
		return m, nil
	}
	t := m.tab()
	switch shown := len(t.shownRows()); {
	case !t.read || !t.full && (t.filter != "" || t.cursor >= shown-1):
		return m.beginReading("Reading what waits", m.readPage(m.at))
	}
	if r, ok := m.cursorRow(); ok && !r.known {
		return m.beginReading("Reading the item", m.readItem(r, ""))
	}
	return m, nil
}

// readItem reads an item. note says why, for an item that was decided about in vain.
func (m Model) readItem(r row, note string) asks {
	return func(ctx context.Context) func(Model) (Model, tea.Cmd) {
		item, err := m.Port.Item(ctx, r.Item)
		return func(m Model) (Model, tea.Cmd) { return m.updateItem(r, item, note, err) }
	}
}

// updateItem takes in what is known of an item by now.
func (m Model) updateItem(r row, item journal.Item, note string, err error) (Model, tea.Cmd) {
	switch {
	case vault.CodeOf(err) == vault.CodeNotFound:
		m.note = "“" + r.Title + "” is gone: it waits no more"
		return m.dropRow(r.ID), nil
	case err != nil:
		m = m.showError(err)
		return m.changeRow(r.ID, func(r *row) { r.known = true }), nil // it is not asked for again and again
	}
	if note == "" && r.Hash != "" && r.Hash != item.Hash {
		note = "“" + r.Title + "” was changed meanwhile; this is how it is now"
	}
	if note != "" {
		m.note = note
	}
	return m.changeRow(r.ID, func(r *row) { r.Item, r.known = item, true }), nil
}

// recheckRow looks whether what was decided about waits for another reason now, and goes on. A
// promotion into agents' files may wait for the same one, since some could not be written.
func (m Model) recheckRow(r row, do string, then func(Model) (Model, tea.Cmd)) (Model, tea.Cmd) {
	if !slices.Contains([]string{queue.Approve, queue.ToCore, queue.Confirm, queue.Unbind}, do) {
		return then(m)
	}
	return m.beginReading("Reading the item", func(ctx context.Context) func(Model) (Model, tea.Cmd) {
		item, err := m.Port.Item(ctx, r.Item)
		return func(m Model) (Model, tea.Cmd) {
			if err == nil && (item.Why != r.Why || do != queue.Approve) {
				m = m.addRow(row{Item: item, known: true})
			}
			return then(m)
		}
	})
}

// showError says what went wrong.
func (m Model) showError(err error) Model {
	m.note = "Not done: " + err.Error()
	return m
}

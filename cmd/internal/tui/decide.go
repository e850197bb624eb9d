package tui

import (
	"context"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/cp-memory/cp/cmd/internal/queue"
	"github.com/cp-memory/cp/cmd/internal/render"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/journal"
)

// act returns what a key does that decides something or leads to it. No such key does
// anything while the port is busy or when it is held down.
func act(name string) (do func(Model) (Model, tea.Cmd), ok bool) {
	do, ok = map[string]func(Model) (Model, tea.Cmd){
		"a": onRow(Model.approve), "d": onRow(Model.deny), "s": onRow(Model.skip), "m": onRow(Model.askMerge),
		"c": onRow(Model.confirm), "b": onRow(Model.unbind), "x": onRow(Model.resolve),
		"e": onRow(Model.openEditor), "p": onRow(Model.chooseParent), "w": onRow(Model.editPhrase), "r": onRow(Model.reason),
		"u": Model.undo, "A": many(queue.Approve), "D": many(queue.Deny),
	}[name]
	return do, ok
}

// onRow makes a key's meaning out of what is done with the row under the cursor.
func onRow(do func(Model, row) (Model, tea.Cmd)) func(Model) (Model, tea.Cmd) {
	return func(m Model) (Model, tea.Cmd) {
		r, ok := m.cursorRow()
		if !ok {
			m.note = "There is no item here"
			return m, nil
		}
		return do(m, r)
	}
}

// approve approves an item. What goes into the agents' files is shown and asked about first,
// and a missing phrase is asked for.
func (m Model) approve(r row) (Model, tea.Cmd) {
	switch {
	case r.promotes():
		return m.askPort("Reading the agents' files", m.readAgentFiles(r))
	case r.Why == journal.Phrase && r.phrase == "":
		return m.editPhrase(r)
	case r.Why == journal.ChangedCode:
		m.note = "An approval says nothing about code that has changed: " + r.codeKeys()
		return m, nil
	}
	return m.decide(r, r.approval())
}

// promotes reports whether an approval of the row writes into the agents' files.
func (r row) promotes() bool { return r.Why == journal.Core || r.Why == journal.Stale }

// isForTree reports whether an approval of the row gives it a place in the tree.
func (r row) isForTree() bool {
	return r.Why == journal.ReasonObservation || r.Why == journal.ReasonPlace
}

// approvalParent returns the memory below which an approval puts the row; nil is the root Learned.
func (r row) approvalParent() *journal.NearMemory {
	if r.place != nil {
		return r.place
	}
	return r.Parent
}

func (r row) approval() queue.Decision {
	d := queue.Decision{Do: queue.Approve, Summary: r.phrase}
	if below := r.approvalParent(); below != nil {
		d.Parent = string(below.ID)
	}
	return d.WithSuggestions(r.Item)
}

func (m Model) deny(r row) (Model, tea.Cmd) {
	if r.Why == journal.ChangedCode {
		m.note = "A denial says nothing about code that has changed: " + r.codeKeys()
		return m, nil
	}
	return m.decide(r, queue.Decision{Do: queue.Deny, Reason: r.reason})
}

// skip goes on to the next item that was not skipped.
func (m Model) skip(r row) (Model, tea.Cmd) {
	m = m.changeRow(r.ID, func(r *row) { r.skipped = true })
	m.seen[r.ID] = true
	t, shown := m.tab(), m.tab().shownRows()
	for at := t.cursor + 1; at < len(shown); at++ {
		if !t.rows[shown[at]].skipped {
			m.tabs[m.at].cursor, m.scroll = at, 0
			return m, nil
		}
	}
	m.note = "Skipped; below it nothing is left"
	return m, nil
}

// askMerge asks whether the item may go into the nearest memory.
func (m Model) askMerge(r row) (Model, tea.Cmd) {
	if len(r.Nearest) == 0 {
		m.note = "Nothing is near it"
		return m, nil
	}
	near := r.Nearest[0]
	lines := []string{"Merge “" + r.Title + "”", "into “" + near.Title + "” (" + render.Likeness(near) + ")?", "",
		"Its sessions, labels and dates go there; it is closed and keeps its text."}
	return m.question(lines, func(m Model) (Model, tea.Cmd) {
		return m.decide(r, queue.Decision{Do: queue.Merge, Into: string(near.ID)})
	})
}

// doing says what a decision does while it is made.
var doing = map[string]string{queue.Approve: "Approving", queue.Deny: "Denying", queue.Merge: "Merging", queue.Edit: "Changing", queue.ToCore: "Writing",
	queue.Confirm: "Confirming", queue.Unbind: "Unbinding", queue.Resolve: "Resolving"}

// decide makes a decision about an item as it is shown.
func (m Model) decide(r row, d queue.Decision) (Model, tea.Cmd) {
	return m.askPort(doing[d.Do]+" “"+r.Title+"”", func(ctx context.Context) func(Model) (Model, tea.Cmd) {
		out, err := m.Port.Decide(ctx, r.Item, d)
		return func(m Model) (Model, tea.Cmd) { return m.continueAfter(r, d, out, err) }
	})
}

// continueAfter goes on after a decision. An item that is no longer as it was shown is read again.
func (m Model) continueAfter(r row, d queue.Decision, out queue.Outcome, err error) (Model, tea.Cmd) {
	if m.batch.running {
		return m.continueBatch(r, d, out, err)
	}
	switch code := vault.CodeOf(err); {
	case code == vault.CodeConflict || code == vault.CodeNotFound:
		return m.askPort("Reading the item", m.readItem(r, "Not done: "+err.Error()))
	case err != nil:
		return m.showError(err), nil
	}
	m = m.noteDecision(r, d.Do, out.Warnings)
	m.note = describeOutcome(out) + m.note
	if d.Do == queue.Edit {
		return m.askPort("Reading the item", m.readItem(r, noteOf(r)))
	}
	return m.recheckRow(r, d.Do, func(m Model) (Model, tea.Cmd) { return m, nil })
}

// noteDecision notes a decision. What was decided about leaves the list, unless its text alone was
// changed.
func (m Model) noteDecision(r row, do string, warnings []string) Model {
	tabAt, at := m.findRow(r.ID)
	m.trail = append(m.trail[:len(m.trail):len(m.trail)], step{do, r, tabAt, at})
	if len(warnings) > 0 {
		m.note = " Warning: " + strings.Join(warnings, "; ")
	}
	if do == queue.Edit {
		return m
	}
	m.gone[r.ID], m.seen[r.ID] = r.Why, true
	m, m.scroll = m.dropRow(r.ID), 0
	if len(m.tab().shownRows()) == 0 {
		m = m.show(browsing)
	}
	return m
}

// describeOutcome says what came of a decision, and how it is taken back.
func describeOutcome(out queue.Outcome) string {
	var b strings.Builder
	render.Outcome(render.Screen{Writer: &b}, out)
	return strings.TrimSuffix(strings.TrimSpace(b.String()), ".") + "; u takes it back."
}

// undo takes back the last decision that was made here.
func (m Model) undo() (Model, tea.Cmd) {
	if len(m.trail) == 0 {
		m.note = "Nothing was decided here yet"
		return m, nil
	}
	last := m.trail[len(m.trail)-1]
	return m.askPort("Taking back", func(ctx context.Context) func(Model) (Model, tea.Cmd) {
		_, err := m.Port.Undo(ctx)
		return func(m Model) (Model, tea.Cmd) { return m.undone(last, err) }
	})
}

// made are the words for a decision that was made.
var made = map[string]string{queue.Approve: "approval of", queue.Deny: "denial of", queue.Merge: "merge of", queue.Edit: "new text of", queue.ToCore: "copies of",
	queue.Confirm: "confirmation of", queue.Unbind: "unbinding of", queue.Resolve: "end of"}

// undone puts the item back into its list, as it is now.
func (m Model) undone(last step, err error) (Model, tea.Cmd) {
	if err != nil {
		return m.showError(err), nil
	}
	m.trail = m.trail[:len(m.trail)-1]
	if _, at := m.findRow(last.row.ID); at < 0 || last.do != queue.Edit { // it may wait for another reason since
		m = m.dropRow(last.row.ID).insert(last.tab, last.at, last.row)
	}
	delete(m.gone, last.row.ID)
	delete(m.seen, last.row.ID)
	m = m.moveCursorTo(last.row.ID)
	return m.askPort("Reading the item", m.readItem(last.row, "Taken back: the "+made[last.do]+" “"+last.row.Title+"”"))
}

package tui

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/cp-memory/cp/cmd/internal/queue"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/journal"
)

// question is asked before something is done. Only y is a yes.
type question struct {
	lines []string
	yes   func(Model) (Model, tea.Cmd)
}

// copies are the agents' files into which an item may be written.
type copies struct {
	row   row
	files []queue.CoreFile
}

// batch is the work on what is marked.
type batch struct {
	do           string
	gathering    bool // reads what is marked, for the plan
	running      bool
	left         []row
	done, failed int
	why          string // of the first failure
}

func (m Model) question(lines []string, yes func(Model) (Model, tea.Cmd)) (Model, tea.Cmd) {
	m = m.show(asking)
	m.ask = question{lines, yes}
	return m, nil
}

// answerKey is a key on a question.
func (m Model) answerKey(name string, fresh bool) (Model, tea.Cmd) {
	switch {
	case name == "y" && !fresh:
		return m, nil
	case name == "y" && m.on == asking:
		return m.ask.yes(m.show(m.back))
	case name == "y":
		return m.copyToFiles()
	case slices.Contains([]string{"n", "N", "q", "esc", "enter", "backspace"}, name):
		m = m.show(m.back)
		m.note = "Nothing was done"
		return m, nil
	case m.on == copying && len(name) == 1 && name >= "1" && name <= "9":
		return m.toggle(int(name[0] - '1')), nil
	}
	return m.moveCursor(name, ""), nil
}

// readAgentFiles reads what the agents' files would become.
func (m Model) readAgentFiles(r row) asks {
	return func(ctx context.Context) func(Model) (Model, tea.Cmd) {
		all, err := m.Port.Core(ctx, r.Item)
		return func(m Model) (Model, tea.Cmd) {
			if err != nil {
				return m.showError(err), nil
			}
			m = m.show(copying)
			m.copy = copies{r, all}
			return m, nil
		}
	}
}

// toggle chooses a file, or leaves it out.
func (m Model) toggle(i int) Model {
	if i < len(m.copy.files) && m.copy.files[i].Err == nil {
		m.copy.files = slices.Clone(m.copy.files)
		m.copy.files[i].Chosen = !m.copy.files[i].Chosen
	}
	return m
}

// copyToFiles writes the item into the files that are chosen.
func (m Model) copyToFiles() (Model, tea.Cmd) {
	d := queue.Decision{Do: queue.ToCore}
	for _, f := range m.copy.files {
		if f.Chosen {
			d.Targets = append(d.Targets, f.Target)
		}
	}
	if len(d.Targets) == 0 {
		m.note = "No file is chosen; the digits choose"
		return m, nil
	}
	return m.show(m.back).decide(m.copy.row, d)
}

// many makes a key's meaning out of a decision about all that is marked.
func many(do string) func(Model) (Model, tea.Cmd) {
	return func(m Model) (Model, tea.Cmd) {
		if len(m.tab().markedRows()) == 0 {
			m.note = "Nothing is marked; Space marks"
			return m, nil
		}
		m.batch = batch{do: do, gathering: true}
		return m.gather()
	}
}

// gather reads what is marked, and asks.
func (m Model) gather() (Model, tea.Cmd) {
	marked := m.tab().markedRows()
	for _, r := range marked {
		if !r.known {
			return m.askPort("Reading what is marked", m.readItem(r, ""))
		}
	}
	m.batch.gathering = false
	lines, rows := planDecisions(m.batch.do, marked)
	if len(rows) == 0 {
		m.note = strings.Join(lines, " ")
		return m, nil
	}
	return m.question(lines, func(m Model) (Model, tea.Cmd) {
		m.batch = batch{do: m.batch.do, running: true, left: rows}
		return m.decideNext()
	})
}

// planDecisions says what becomes of each row, and returns the rows that are decided about.
func planDecisions(do string, marked []row) (lines []string, rows []row) {
	for _, r := range marked {
		will, ok := becomes(do, r)
		if ok {
			rows = append(rows, r)
		}
		lines = append(lines, "“"+r.Title+"”", "  "+will)
	}
	verb := map[string]string{queue.Approve: "Approve ", queue.Deny: "Deny "}[do]
	return append([]string{verb + vault.Plural(len(rows), "item", "items") + "?", ""}, lines...), rows
}

// becomes says what becomes of a row. ok is false for one that is left out.
func becomes(do string, r row) (will string, ok bool) {
	switch {
	case do == queue.Deny && r.Why != journal.ChangedCode:
		return strings.TrimSuffix("is denied: "+r.reason, ": "), true
	case r.Why == journal.ChangedCode:
		return "is left out: its code has changed, which is decided about by itself", false
	case r.promotes():
		return "is left out: what goes into agents' files is approved by itself, with a", false
	case r.Why == journal.Phrase && r.phrase == "":
		return "is left out: its trigger phrase is missing; w writes it", false
	case !r.isForTree():
		return "is approved", true
	case r.approvalParent() == nil:
		return "goes below “Learned”", true
	}
	return "goes below “" + r.approvalParent().Title + "”", true
}

// decideNext decides about the next row of the batch.
func (m Model) decideNext() (Model, tea.Cmd) {
	b := &m.batch
	if len(b.left) == 0 {
		b.running = false
		m.note = map[string]string{queue.Approve: "Approved ", queue.Deny: "Denied "}[b.do] + strconv.Itoa(b.done) + "; u takes back the last one."
		if b.failed > 0 {
			m.note += " Not done: " + strconv.Itoa(b.failed) + ", as " + b.why
		}
		return m, nil
	}
	r := b.left[0]
	b.left = b.left[1:]
	d := r.approval()
	if b.do == queue.Deny {
		d = queue.Decision{Do: queue.Deny, Reason: r.reason}
	}
	return m.decide(r, d)
}

// continueBatch goes on after a decision of the batch. What failed stays marked, and is read again.
func (m Model) continueBatch(r row, d queue.Decision, out queue.Outcome, err error) (Model, tea.Cmd) {
	if err != nil {
		m.batch.failed++
		m.batch.why = cmp.Or(m.batch.why, err.Error())
		return m.changeRow(r.ID, func(r *row) { r.known = false }).decideNext()
	}
	m.batch.done++
	return m.noteDecision(r, d.Do, out.Warnings).recheckRow(r, d.Do, Model.decideNext)
}

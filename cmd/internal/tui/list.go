package tui

import (
	"slices"
	"strings"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/journal"
)

// tab is one of the two lists.
type tab struct {
	name   string
	why    []journal.Reason
	rows   []row
	read   bool // rows holds the first page
	full   bool // rows holds all
	cursor int  // among the rows that are shown
	top    int  // the first row on the screen
	filter string
}

// row is an item of a list, with what the person has chosen for it.
type row struct {
	journal.Item
	known           bool // with all its evidence
	marked, skipped bool
	place           *journal.NearMemory // in place of the suggested parent
	phrase, reason  string
}

// pageSize is how many items are read at first. Others are read when they are needed.
const pageSize = 200

// newTabs returns the lists: what may go into the agents' files, and everything before it.
func newTabs() [2]tab {
	promotions := []journal.Reason{journal.Core, journal.Stale}
	others := slices.DeleteFunc(journal.Reasons(), func(r journal.Reason) bool {
		return r == journal.Denied || slices.Contains(promotions, r)
	})
	return [2]tab{{name: "Observations", why: others}, {name: "Promotions", why: promotions}}
}

func (m Model) tab() tab { return m.tabs[m.at] }

// shownRows returns the indices of the rows that pass the filter.
func (t tab) shownRows() []int {
	all, words := make([]int, 0, len(t.rows)), strings.Fields(strings.ToLower(t.filter))
	for i, r := range t.rows {
		text := ""
		if len(words) > 0 {
			text = strings.ToLower(strings.Join([]string{r.Title, r.Text, string(r.ID), r.Type, string(r.Path)}, "\n"))
		}
		if !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(text, w) }) {
			all = append(all, i)
		}
	}
	return all
}

// cursorRow returns the row under the cursor.
func (m Model) cursorRow() (row, bool) {
	t := m.tab()
	shown := t.shownRows()
	if t.cursor < 0 || t.cursor >= len(shown) {
		return row{}, false
	}
	return t.rows[shown[t.cursor]], true
}

// findRow returns where a row is in its list.
func (m Model) findRow(id vault.ID) (tabAt, at int) {
	for i, t := range m.tabs {
		if at := slices.IndexFunc(t.rows, func(r row) bool { return r.ID == id }); at >= 0 {
			return i, at
		}
	}
	return 0, -1
}

// changeRow replaces a row by what edit makes of it.
func (m Model) changeRow(id vault.ID, edit func(*row)) Model {
	i, at := m.findRow(id)
	if at < 0 {
		return m
	}
	m.tabs[i].rows = slices.Clone(m.tabs[i].rows)
	edit(&m.tabs[i].rows[at])
	return m
}

// dropRow takes a row out of its list.
func (m Model) dropRow(id vault.ID) Model {
	i, at := m.findRow(id)
	if at < 0 {
		return m
	}
	m.tabs[i].rows = slices.Delete(slices.Clone(m.tabs[i].rows), at, at+1)
	m.counts[i] = max(m.counts[i]-1, 0)
	return m
}

// addRow puts a new row at the end of its list. In a list that was not read yet it comes with the
// others.
func (m Model) addRow(r row) Model {
	for i, t := range m.tabs {
		if !slices.Contains(t.why, r.Why) {
			continue
		}
		m.counts[i]++
		if t.read {
			m.tabs[i].rows = append(t.rows[:len(t.rows):len(t.rows)], r)
		}
	}
	return m
}

// insert puts a row back into its list, and the cursor on it.
func (m Model) insert(tabAt, at int, r row) Model {
	m.at = tabAt
	t := m.tab()
	at = min(at, len(t.rows))
	t.rows = slices.Insert(slices.Clone(t.rows), at, r)
	m.counts[tabAt]++
	m.tabs[tabAt] = t
	return m.moveCursorTo(r.ID)
}

// moveCursorTo puts the cursor on a row. A filter that hides the row goes.
func (m Model) moveCursorTo(id vault.ID) Model {
	i, at := m.findRow(id)
	if at < 0 {
		return m
	}
	m.at = i
	t := m.tab()
	if slices.Index(t.shownRows(), at) < 0 {
		t.filter = ""
	}
	t.cursor = slices.Index(t.shownRows(), at)
	m.tabs[i] = t
	return m
}

// markedRows returns the rows of the list that are marked.
func (t tab) markedRows() (all []row) {
	for _, r := range t.rows {
		if r.marked {
			all = append(all, r)
		}
	}
	return all
}

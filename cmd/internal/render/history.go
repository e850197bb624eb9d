package render

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/past"
)

// WriteLog writes commits, the newest first.
func WriteLog(s Screen, rows []past.LogRow) {
	if len(rows) == 0 {
		s.Println("No commits found.")
		return
	}
	table(s, []Column{{Title: "COMMIT"}, {Title: "TIME"}, {Title: "BY", Flex: true}, {Title: "VERB"}, {Title: "SUBJECT", Min: 20, Flex: true}}, rows, func(r past.LogRow) []string {
		return []string{vault.Short(r.Commit), r.Time.UTC().Format("2006-01-02 15:04"), r.Author, cmp.Or(r.Verb, "-"), r.Subject}
	})
}

// Diff writes a difference as git does, in colour on a terminal that has them.
func Diff(s Screen, d past.Diffed) {
	if d.Text == "" {
		s.Printf("%s says what it said in %s.\n", d.ID, vault.Short(d.Commit))
		return
	}
	for line := range strings.SplitSeq(strings.TrimSuffix(d.Text, "\n"), "\n") {
		s.Printf("%s\n", line)
	}
}

// BlameLine is one line of a memory, in the form for programs.
type BlameLine struct {
	Line   int        `json:"line"`
	Text   string     `json:"text"`
	Commit string     `json:"commit,omitempty"` // empty while it is in none
	Time   *time.Time `json:"time,omitempty"`
	Author string     `json:"author,omitempty"`
	Verb   string     `json:"verb,omitempty"`
	Agent  string     `json:"agent,omitempty"`
}

// BlameRows turns blamed lines into rows for programs.
func BlameRows(rows []past.BlameRow) []BlameLine {
	out := make([]BlameLine, len(rows))
	for i, r := range rows {
		out[i] = BlameLine{Line: r.Line, Text: r.Text, Commit: r.Commit, Author: r.Author, Verb: r.Verb, Agent: r.Agent}
		if r.Commit != "" {
			out[i].Time = &rows[i].Time
		}
	}
	return out
}

// Blame writes each line with the commit that wrote it. The lines are a text, which is not
// cut.
func Blame(s Screen, rows []BlameLine) {
	s.Rows = 0
	table(s, []Column{{Title: "COMMIT"}, {Title: "DATE"}, {Title: "BY", Flex: true}, {Title: "VERB"}, {Title: "TEXT", Min: 20, Flex: true}}, rows, func(r BlameLine) []string {
		who, when, verb := "not committed", "-", "-"
		if r.Time != nil {
			who, when, verb = r.Author, date(*r.Time), cmp.Or(r.Verb, "-")
		}
		return []string{cmp.Or(vault.Short(r.Commit), "-"), when, who, verb, r.Text}
	})
}

// WriteRestored writes the outcome of restore.
func WriteRestored(s Screen, r past.Restored) {
	if r.Unchanged {
		s.Printf("Memory %s (%s) says that already\n", quoteTitle(r.Title), r.ID)
		return
	}
	s.Printf("Restored memory %s (%s) from %s: %s\n", quoteTitle(r.Title), r.ID, vault.Short(r.Commit), Line(string(r.Path)))
	if r.Parent != nil {
		s.Printf("Pointer added to %s\n", *r.Parent)
	}
	if n := len(r.IDs) - 1; n > 0 {
		s.Printf("And %s below it\n", vault.Plural(n, "memory", "memories"))
	}
	if r.Facts {
		s.Println("And its facts")
	}
	if n := len(r.Left); n > 0 {
		s.Printf("%s deleted with it; bring one back with: cp memory restore %s\n", vault.Plural(n, "more memory was", "more memories were"), r.Left[0])
	}
}

// Undo writes what an undo would do.
func Undo(s Screen, rows []past.UndoRow) {
	for _, r := range rows {
		s.Printf("%s  %s  %s\n", vault.Short(r.Commit), r.Time.UTC().Format("2006-01-02 15:04"), Line(r.Subject))
		files, more := some(s, r.Files)
		for _, line := range files {
			s.Printf("    %s\n", Line(line))
		}
		s.More("    ", more)
	}
}

// UndoQuestion writes what an undo would do and asks, without the line feed at its end.
func UndoQuestion(s Screen, rows []past.UndoRow) {
	Undo(s, rows)
	s.Printf("Undo %s? [y/N] ", vault.Plural(len(rows), "operation", "operations"))
}

// WriteUndone writes the outcome of undo.
func WriteUndone(s Screen, rows []past.UndoRow) {
	for _, r := range rows {
		s.Printf("Undone: %s (%s)\n", Line(r.Subject), vault.Plural(len(r.Files), "file", "files"))
	}
}

// WriteChanges writes what to read again.
func WriteChanges(s Screen, c past.Changed) {
	if len(c.Rows) == 0 {
		s.Println("Nothing has changed.")
		return
	}
	columns, several := []Column{{Title: "ID", Min: 9}, {Title: "CHANGE"}, {Title: "TOKENS", Right: true}}, len(c.Projects) > 1
	if several {
		columns = append(columns, Column{Title: "PROJECT"})
	}
	of, _ := whose(s, c.Rows, func(r past.ChangeRow) (name, path string) { return r.Project, r.ProjectPath })
	table(s, append(columns, Column{Title: "TITLE", Flex: true}), c.Rows, func(r past.ChangeRow) []string {
		cells := []string{string(r.ID), r.Change, fmt.Sprint(r.Tokens)}
		if several {
			cells = append(cells, of(r))
		}
		if r.From != "" {
			return append(cells, fmt.Sprintf("%s (was %s)", r.Title, r.From))
		}
		return append(cells, r.Title)
	})
}

// ago tells how long before now t was, in one unit: "just now", "5m ago", "2h
// ago", "3d ago", "8w ago", "2y ago". A time ahead of now, by another clock,
// is "just now".
func ago(t, now time.Time) string {
	const day = 24 * time.Hour
	d := now.Sub(t)
	switch {
	case d < time.Minute:
		return "just now"
	case d < time.Hour:
		return fmt.Sprintf("%dm ago", d/time.Minute)
	case d < day:
		return fmt.Sprintf("%dh ago", d/time.Hour)
	case d < 14*day:
		return fmt.Sprintf("%dd ago", d/day)
	case d < 365*day:
		return fmt.Sprintf("%dw ago", d/(7*day))
	}
	return fmt.Sprintf("%dy ago", d/(365*day))
}

// date is t's day in UTC; a dash when it is not known.
func date(t time.Time) string {
	if t.IsZero() {
		return "-"
	}
	return t.UTC().Format(time.DateOnly)
}

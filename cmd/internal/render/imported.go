package render

import (
	"fmt"
	"strings"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/tier"
	"github.com/cp-memory/cp/vault/transfer"
)

// WriteImported writes what an import did, or would do: the items that need a look, then the sums.
func WriteImported(s Screen, r transfer.Imported) {
	verb := "Imported"
	if r.DryRun {
		verb = "Would import"
	}
	if !r.Kind.InTree() {
		writeEntries(s, r)
		sums := counts([]sum{{r.Updated, "updated"}, {r.Unchanged, "here already"}, {r.Skipped, "skipped"}})
		s.Printf("%s %s\n", verb, strings.Join(append([]string{r.Kind.FormatCount(r.Created)}, sums...), ", "))
		return
	}
	var told []string
	for _, row := range r.Rows {
		switch row.Action {
		case transfer.Skipped, transfer.Differs:
			told = append(told, pad(row.Action, 8)+" "+row.Source+": "+why(row))
		case transfer.Created, transfer.Updated:
			if r.DryRun {
				told = append(told, pad(row.Action, 8)+" "+goes(row))
			}
		}
	}
	told, more := some(s, told)
	for _, line := range told {
		s.Println(line)
	}
	s.More("", more)
	sums := counts([]sum{{r.Created, "created"}, {r.Updated, "updated"}, {r.Unchanged, "unchanged"}, {r.Differs, "different"}, {r.Skipped, "skipped"}})
	if len(sums) == 0 {
		sums = []string{"nothing to do"}
	}
	s.Printf("%s %s: %s\n", verb, r.Kind.FormatCount(len(r.Rows)), strings.Join(sums, ", "))
}

// writeEntries writes the entries of the journal that need a look, and the observations that came.
func writeEntries(s Screen, r transfer.Imported) {
	for _, row := range r.Rows {
		switch {
		case row.Action == transfer.Skipped && r.Kind == transfer.GitNotes:
			ref, commit, _ := transfer.GitNote(row.Source)
			s.Printf("skipped  %s %s: %s\n  → %s\n", Line(ref), vault.Short(commit), Line(row.Reason), Line(row.Hint))
		case row.Action == transfer.Skipped:
			s.Printf("skipped  %s: %s\n", Line(strings.TrimSpace(row.Source+" "+row.Item)), Line(row.Reason))
		case row.Action != transfer.Unchanged && r.Kind == transfer.Observations:
			s.Printf("%-8s %s %s (%s, seen %s)\n", inJournal(row.Action), row.ID, quoteTitle(row.Title), row.Level, vault.Plural(row.Count, "time", "times"))
		}
	}
}

// inJournal is the word for an action on what goes into the journal.
func inJournal(action string) string {
	if action == transfer.Created {
		return "imported"
	}
	return action
}

// goes names a file, and its new place if that is another one.
func goes(row transfer.Row) string {
	if row.Source == string(row.Path) {
		return row.Source
	}
	return row.Source + " → " + string(row.Path)
}

func why(row transfer.Row) string {
	if row.Reason == "" && row.Action == transfer.Differs {
		return "imported before and different now; --update replaces it"
	}
	return row.Reason
}

// sum is a count with its word.
type sum struct {
	n    int
	word string
}

// counts lists the counts that are not zero.
func counts(all []sum) (parts []string) {
	for _, c := range all {
		if c.n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", c.n, c.word))
		}
	}
	return parts
}

// entriesAnswer is the answer of an import into the journal: of git notes or of observations.
type entriesAnswer struct {
	Notes        []entryRow `json:"notes,omitzero"`
	Observations []entryRow `json:"observations,omitzero"`
	Imported     int        `json:"imported"`
	Updated      *int       `json:"updated,omitempty"` // of observations
	Unchanged    int        `json:"unchanged"`
	Skipped      int        `json:"skipped"`
	DryRun       bool       `json:"dry_run,omitempty"`
}

type entryRow struct {
	Ref    string     `json:"ref,omitempty"`
	Commit string     `json:"commit,omitempty"`
	N      int        `json:"n,omitempty"`      // which of the notes of its ref and commit, from 1
	Source string     `json:"source,omitempty"` // the file of an observation
	Item   string     `json:"item,omitempty"`
	Action string     `json:"action"`
	ID     vault.ID   `json:"id,omitempty"`
	Title  string     `json:"title,omitempty"`
	Path   vault.Path `json:"path,omitempty"`
	Level  tier.Level `json:"level,omitempty"`
	Count  int        `json:"count,omitempty"`
	Reason string     `json:"reason,omitempty"`
	Hint   string     `json:"recovery,omitempty"`
}

// ImportAnswer returns the outcome of an import as JSON has it: what goes into the journal has
// names of its own.
func ImportAnswer(r transfer.Imported) any {
	if r.Kind.InTree() {
		return r
	}
	rows := []entryRow{}
	for _, row := range r.Rows {
		e := entryRow{Item: row.Item, Action: inJournal(row.Action), ID: row.ID, Title: row.Title, Path: row.Path, Level: row.Level, Count: row.Count, Reason: row.Reason}
		if r.Kind == transfer.GitNotes {
			e.Ref, e.Commit, e.N = transfer.GitNote(row.Source)
			e.Hint = row.Hint
		} else {
			e.Source = row.Source
		}
		rows = append(rows, e)
	}
	out := entriesAnswer{Imported: r.Created, Unchanged: r.Unchanged, Skipped: r.Skipped, DryRun: r.DryRun}
	if out.Notes = rows; r.Kind == transfer.Observations {
		out.Notes, out.Observations, out.Updated = nil, rows, &r.Updated
	}
	return out
}

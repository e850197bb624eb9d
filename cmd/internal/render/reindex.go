package render

import (
	"fmt"
	"slices"
	"strings"

	"github.com/cp-memory/cp/cmd/internal/app"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/journal"
)

// WriteReindexed writes the outcome of reindex.
func WriteReindexed(s Screen, r app.Reindexed) {
	s.Printf("Built the index again: %s, %s of the tree\n", vault.Plural(r.Files, "file", "files"), vault.Plural(r.Memories, "memory", "memories"))
	if !r.Complete {
		s.Println("Part of the vault cannot be read: cp doctor tells which.")
	}
	shown, more := some(s, r.Problems)
	for _, p := range shown {
		place := Line(string(p.Path))
		if p.Line > 0 {
			place = fmt.Sprintf("%s:%d", place, p.Line)
		}
		s.Printf("%s: %s\n", place, Line(p.Msg))
	}
	s.More(styled(""), more)
}

// WriteVerified writes the outcome of verify.
func WriteVerified(s Screen, v app.Verified) {
	if v.Repaired {
		s.Println("Built the index again.")
	}
	for _, line := range v.Damage {
		s.Printf("damaged     %s\n", Line(line))
	}
	shown, more := some(s, v.Differences)
	for _, d := range shown {
		s.Printf("%-10s  %s\n", d.Kind, Line(string(d.Path)))
	}
	s.More(styled(spaces(12)), more)
	state := "CONSISTENT"
	if !v.Consistent {
		state = app.Inconsistent
	}
	s.Printf("%s: %s, %d in the index; %d missing, %d orphaned, %d mismatched\n", state, vault.Plural(v.Files, "file", "files"), v.Indexed, v.Missing, v.Orphaned, v.Mismatched)
}

// shownSpecs is how many pieces of work status names on its line.
const shownSpecs = 8

// totals writes how much there is of what.
func totals(row func(name, format string, args ...any), t journal.Totals) {
	l := t.Levels
	row("Levels", "%d pending, %d long-term, %d core%s", l.Pending, l.LongTerm, l.Core, describeDenied(l.Denied))
	var kinds []string
	for space, n := range t.Kinds {
		kinds = append(kinds, fmt.Sprintf("%s %d", space, n))
	}
	if len(kinds) > 0 {
		slices.Sort(kinds)
		row("Entries", "%s", strings.Join(kinds, ", "))
	}
	var specs []string
	for _, one := range t.Specs[:min(len(t.Specs), shownSpecs)] {
		specs = append(specs, fmt.Sprintf("%s %d", Line(one.Spec), one.Entries))
	}
	if len(specs) > 0 {
		if t.MoreSpecs || len(t.Specs) > shownSpecs {
			specs = append(specs, "…")
		}
		row("Specs", "%s", strings.Join(specs, ", "))
	}
}

// describeDenied tells how many are denied, if any are.
func describeDenied(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("; %d denied", n)
}

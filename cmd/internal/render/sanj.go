package render

import (
	"fmt"
	"strings"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/sanj"
	"github.com/cp-memory/cp/vault/tier"
)

// ImportedObservations writes the outcome of an import of what sanj has observed.
func ImportedObservations(s Screen, o sanj.Outcome) {
	for _, r := range o.Rows {
		switch r.Action {
		case sanj.Skipped:
			where := strings.TrimSpace(r.Source + " " + r.Item)
			s.Printf("%-8s %s: %s\n", r.Action, Line(where), Line(r.Reason))
		case sanj.Imported, sanj.Updated:
			s.Printf("%-8s %s %s (%s, seen %s)\n", r.Action, r.ID, quoted(r.Title), r.Level, vault.Plural(r.Count, "time", "times"))
		}
	}
	done := "Imported"
	if o.DryRun {
		done = "Would import"
	}
	s.Printf("%s %s", done, vault.Plural(o.Imported, "observation", "observations"))
	for _, more := range [...]struct {
		n    int
		what string
	}{{o.Updated, "updated"}, {o.Unchanged, "here already"}, {o.Skipped, "skipped"}} {
		if more.n > 0 {
			s.Printf(", %d %s", more.n, more.what)
		}
	}
	s.Printf("\n")
}

// LongTermView writes items as the document long-term-memory.md.
func LongTermView(s Screen, items []tier.Item) { fmt.Fprint(s, Block(tier.View(items))) }

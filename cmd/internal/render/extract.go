package render

import (
	"strings"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/graph"
)

// WriteExtracted writes what has become of the facts of memories.
func WriteExtracted(s Screen, r graph.ExtractResult) {
	if len(r.Rows) == 0 {
		s.Println("No memory needs its facts drawn.")
		return
	}
	for _, row := range r.Rows {
		s.Printf("%-9s %s %s", row.Outcome, row.ID, quoteTitle(row.Title))
		switch row.Outcome {
		case graph.ExtractPlanned:
			s.Printf("  about %d tokens", row.Tokens)
		case graph.Drawn:
			s.Printf("  %s, %s", vault.Plural(row.Entities, "entity", "entities"), vault.Plural(row.Relations, "relation", "relations"))
		case graph.Failed:
			s.Printf("  %s", Line(row.Reason))
		}
		s.Printf("\n")
		if len(row.Skipped) > 0 {
			s.Printf("          left out: %s\n", Line(strings.Join(row.Skipped, "; ")))
		}
	}
	if r.DryRun {
		s.Printf("%s, about %d tokens; nothing was asked\n", vault.Plural(len(r.Rows), "memory", "memories"), r.Tokens)
		return
	}
	s.Printf("%d drawn, %d failed, %d left, in %s\n", r.Drawn, r.Failed, r.Left, vault.Plural(r.Commits, "commit", "commits"))
}

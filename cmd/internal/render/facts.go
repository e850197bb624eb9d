package render

import (
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/graph"
)

// WriteFactsChanged writes what has become of the facts of a memory.
func WriteFactsChanged(s Screen, c graph.FactsChanged) {
	verb := "Facts of"
	if c.Unchanged {
		verb = "Nothing to change in the facts of"
	}
	s.Printf("%s %s %s: %s, %s\n", verb, c.ID, quoteTitle(c.Title), vault.Plural(c.Entities, "entity", "entities"), vault.Plural(c.Relations, "relation", "relations"))
}

// Facts writes the facts of a memory.
func Facts(s Screen, l graph.FactList) {
	if len(l.Entities)+len(l.Relations) == 0 {
		s.Printf("No facts of %s %s.\n", l.ID, quoteTitle(l.Title))
		return
	}
	s.Printf("%s %s%s\n", l.ID, Line(l.Title), factsNote(l))
	for _, e := range l.Entities {
		s.Printf("  %s (%s)", Line(e.Name), Line(e.Type))
		if e.Description != "" {
			s.Printf(": %s", Line(e.Description))
		}
		s.Printf("%s\n", byHand(e.Hand))
	}
	for _, r := range l.Relations {
		s.Printf("  %s —%s→ %s%s\n", Line(r.From), Line(r.Relation), Line(r.To), byHand(r.Hand))
	}
}

func factsNote(l graph.FactList) string {
	note := ""
	if l.By != "" {
		note = "  drawn by " + Line(l.By)
	}
	switch {
	case l.Stale:
		note += "  [stale]"
	case l.Status == graph.Pending:
		note += "  [pending]"
	}
	return note
}

func byHand(hand bool) string {
	if hand {
		return "  (by hand)"
	}
	return ""
}

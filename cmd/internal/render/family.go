package render

import (
	"github.com/cp-memory/cp/cmd/internal/ask"
	"github.com/cp-memory/cp/vault/prose"
)

// PrimeFamily writes what an agent loads at its start, and a line of each project below.
func PrimeFamily(s Screen, project string, p ask.Primed) {
	Prime(s, project, p.Primed)
	if len(p.Projects) == 0 || p.Brief {
		return
	}
	s.Printf("\nProjects below, of which recall, search and list tell as well:\n")
	for _, b := range p.Projects {
		s.Println(prose.Harmless(Line(b.String())))
	}
	if p.More > 0 {
		s.Printf("(+%d more: cp project list --tree)\n", p.More)
	}
}

package ask

import (
	"fmt"

	"github.com/cp-memory/cp/cmd/internal/app"
	"github.com/cp-memory/cp/cmd/internal/target"
	"github.com/cp-memory/cp/vault"
)

// Primed is what an agent loads at its start: of the current vault, and a line of each project
// below.
type Primed struct {
	app.Primed
	Projects []Below `json:"projects,omitempty"`
	More     int     `json:"more_projects,omitempty"` // for which there is no room
}

// primeHead are the tokens of the line above the projects.
const primeHead = 25

// FitProjects takes the projects below that have room in a quarter of the budget, and returns what
// they cost.
func (p *Primed) FitProjects(below []Below, budget int) (cost int) {
	if len(below) == 0 {
		return 0
	}
	cost = primeHead
	for i, b := range below {
		line := vault.Tokens(b.String())
		if cost+line > budget/4 {
			p.More = len(below) - i
			break
		}
		cost, p.Projects = cost+line, append(p.Projects, b)
	}
	if len(p.Projects) == 0 {
		return 0
	}
	return cost
}

// String is the line of a project.
func (b Below) String() string {
	if b.Memories < 0 {
		return fmt.Sprintf("- %s %s", b.Name, b.Path)
	}
	return fmt.Sprintf("- %s (%s) %s", b.Name, vault.Plural(b.Memories, "memory", "memories"), b.Path)
}

// ListKnownBelow returns the vaults below the current one, as far as they are known without opening any.
// Their memories are not counted, and -1.
func ListKnownBelow(t target.Target) (all []Below) {
	k, everyone := t.Find.FindKnown(t.Settings), t.Reads == target.All
	for _, p := range k.Others(k.Here, k.Near(k.Here, everyone), everyone) {
		if k.Rules.IsBelow(p.Path, k.Here.Path) {
			all = append(all, Below{Name: p.Name, Path: p.Path, Memories: -1})
		}
	}
	return all
}

package render

import (
	"strings"

	"github.com/cp-memory/cp/cmd/internal/app"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/journal"
)

// WriteHandedOver writes the outcome of handoff.
func WriteHandedOver(s Screen, h app.HandedOver) {
	s.Printf("Handed over: %s\n", h.Memory.ID)
	files := ""
	if n := len(h.Changed) + h.More; n > 0 {
		files = vault.Plural(n, "changed file", "changed files")
	}
	for _, row := range [...][2]string{{"branch", h.Branch}, {"commit", vault.Short(h.Commit)}, {"files", files}, {"to", h.To}, {"title", h.Memory.Title}, {"path", string(h.Memory.Path)}} {
		if row[1] != "" {
			s.Printf("  %-7s %s\n", row[0], Line(row[1]))
		}
	}
	for _, id := range h.Superseded {
		s.Printf("Superseded: %s\n", id)
	}
}

// OpenHandoffs lists what is open: that of the branch and work tree where we are with its text.
func OpenHandoffs(s Screen, all []journal.OpenHandoff) {
	if len(all) == 0 {
		s.Println("Nothing is handed over.")
	}
	rows, more := some(s, all)
	for i, h := range rows {
		if i > 0 {
			s.Println("")
		}
		s.Printf("%s %s\n", h.ID, Line(h.Title))
		where := "no branch"
		if h.Branch != "" {
			where = "branch " + h.Branch
		}
		if h.WorkTree != "" {
			where += " in " + h.WorkTree
		}
		if h.Here {
			where += " (here)"
		}
		said := []string{where}
		for _, part := range [...][2]string{{"at commit ", vault.Short(h.Commit)}, {"by ", h.Creator}, {"to ", h.To}} {
			if part[1] != "" {
				said = append(said, part[0]+part[1])
			}
		}
		s.Printf("  %s\n", Line(strings.Join(said, ", ")))
		if h.Text != "" {
			s.Println("")
			s.WriteText(h.Text)
		}
	}
	s.More("", more)
}

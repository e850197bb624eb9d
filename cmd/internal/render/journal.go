package render

import (
	"github.com/cp-memory/cp/cmd/internal/app"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/journal"
)

// Captured writes the outcome of capture.
func Captured(s Screen, c app.Captured) {
	m := c.Memory
	s.Printf("Memory captured: %s\n", m.ID)
	for _, row := range [...][2]string{{"kind", string(m.Kind)}, {"spec", m.Spec}, {"commit", vault.Short(m.Commit)}, {"title", m.Title}, {"path", string(m.Path)}} {
		if row[1] != "" {
			s.Printf("  %-7s %s\n", row[0], Line(row[1]))
		}
	}
}

// Resolved writes the outcome of resolve.
func Resolved(s Screen, r journal.Resolved) {
	if r.Unchanged {
		s.Printf("Memory %s is already closed.\n", r.ID)
		return
	}
	s.Printf("Resolved memory %s\n", r.ID)
	if r.Learning != nil {
		s.Printf("Memory captured: %s (learning)\n", r.Learning.ID)
	}
}

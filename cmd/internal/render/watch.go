package render

import (
	"fmt"
	"strings"
	"time"

	"github.com/cp-memory/cp/vault/tree"
)

// Pass writes what one pass of a watcher saw and did.
func Pass(s Screen, p tree.Pass) {
	at := p.At.Local().Format(time.TimeOnly)
	if line := seen(p); line != "" {
		s.Printf("%s  %s\n", at, line)
	}
	for _, c := range p.Commits {
		s.Printf("%s  committed %s\n", at, committed(c))
	}
	for _, l := range p.Left {
		s.Printf("%s  left %s: %s\n", at, l.Path, l.Why)
	}
	for _, w := range p.Warnings {
		s.Warn(w)
	}
}

// seen tells what changed; empty when nothing did.
func seen(p tree.Pass) string {
	var parts []string
	if p.Changed > 0 {
		parts = append(parts, count(p.Changed, "file", "files")+" changed")
	}
	if p.Removed > 0 {
		parts = append(parts, fmt.Sprintf("%d gone", p.Removed))
	}
	if p.Whole && len(parts) == 0 {
		return "up to date"
	}
	return strings.Join(parts, ", ")
}

// committed names a commit by its memory, or by what it is about.
func committed(c tree.Committed) string {
	if c.ID == "" {
		return c.Title
	}
	return fmt.Sprintf("%s %s", c.ID, quoted(c.Title))
}

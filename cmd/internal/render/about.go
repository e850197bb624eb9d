package render

import (
	"fmt"
	"slices"
	"strings"

	"github.com/cp-memory/cp/cmd/internal/bindings"
	"github.com/cp-memory/cp/vault"
)

// WriteKnown writes what is known of a file.
func WriteKnown(s Screen, a bindings.Answer) {
	if len(a.Memories) == 0 {
		s.Printf("Nothing is known of %s.\n", Line(a.Path))
	}
	of := bracketProjects(s, a.Memories, func(k bindings.Known) (name, path string) { return k.Project, k.ProjectPath })
	for _, k := range a.Memories {
		s.Printf("%s  %s%s%s\n", k.ID, Line(k.Title), of(k), describeMark(k.Mark))
		s.Printf("    %s\n", Line(DescribeMatch(k)))
		if k.Summary != "" {
			s.Printf("    %s\n", s.rest(k.Summary, 4))
		}
	}
	if a.More > 0 {
		s.Printf("%d more: --limit and --budget give room for them\n", a.More)
	}
	for _, line := range a.Explain {
		s.Printf("%s\n", Line(line))
	}
}

// DescribeMatch says by what a memory is about a file.
func DescribeMatch(k bindings.Known) string {
	switch {
	case k.At == "" && k.Match == "commit":
		return "its commit changed the file"
	case k.At == "":
		return k.Match + " the file"
	}
	said := k.Match + " " + k.At
	if k.Now != "" {
		said += ", now " + k.Now
	}
	if k.Apart {
		said += ", other lines of the file"
	}
	return said
}

// Stale writes which memories are about code that has changed.
func Stale(s Screen, a bindings.StaleAnswer) {
	for _, m := range a.Memories {
		s.Printf("%s  %s%s\n", m.ID, Line(m.Title), describeMark(m.Mark))
		if m.Code != nil {
			for _, b := range m.Code.Bindings {
				s.Printf("    %s\n", Line(describeBinding(b)))
			}
		}
		for _, line := range m.Diff {
			s.Printf("      %s\n", Line(line))
		}
	}
	if a.More > 0 {
		s.Printf("%d more: --limit gives room for them\n", a.More)
	}
	s.Printf("%s\n", describeCounts(a))
}

// describeCounts tells how many bindings are in which state.
func describeCounts(a bindings.StaleAnswer) string {
	var parts []string
	for _, state := range slices.Backward(vault.CodeStates) {
		if n := a.Counts[state]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, state))
		}
	}
	if len(parts) == 0 {
		return "No memory is bound to code."
	}
	return "Bindings: " + strings.Join(parts, ", ") + "."
}

// describeBinding tells of one binding how it stands.
func describeBinding(b vault.BindingState) string {
	said := b.At + ": " + b.State
	if b.Lines > 0 {
		said += fmt.Sprintf(", %d of %s", b.Lines, vault.Plural(b.Of, "line", "lines"))
	}
	if b.Now != "" {
		said += ", now " + b.Now
	}
	if b.Why != "" {
		said += ": " + b.Why
	}
	return said
}

// listBindings tells of all bindings of a memory, one on each line.
func listBindings(c *vault.CodeState) string {
	if c == nil {
		return ""
	}
	var all []string
	for _, b := range c.Bindings {
		all = append(all, describeBinding(b))
	}
	return strings.Join(all, "; ")
}

// WriteBound writes the outcome of bind, unbind and confirm.
func WriteBound(s Screen, b bindings.Bound) {
	if len(b.Memories) == 0 {
		s.Printf("Nothing to confirm.\n")
	}
	for _, row := range b.Memories {
		done := map[string]string{"bind": "Bound", "unbind": "Unbound", "confirm": "Confirmed"}[row.Verb]
		switch {
		case row.Unchanged:
			done = "Unchanged:"
		case b.DryRun:
			done = "Would " + row.Verb
		}
		s.Printf("%s %s %s\n", done, row.ID, quoteTitle(row.Title))
		for _, moved := range b.Rebound {
			if moved.ID == row.ID {
				s.Printf("    %s\n", Line(moved.At+" is now "+moved.Now))
			}
		}
	}
}

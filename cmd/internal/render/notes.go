package render

import (
	"cmp"
	"strings"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/header"
	"github.com/cp-memory/cp/vault/journal"
	"github.com/cp-memory/cp/vault/prose"
)

// ReleaseNotes writes a piece of work as a draft of release notes in Markdown: what was decided, what
// was learned, and what was closed, each with the paragraph that says the most. The rest is left out.
func ReleaseNotes(s Screen, w journal.Work) {
	if w.Total == 0 {
		Work(s, w)
		return
	}
	s.Printf("# %s\n", Line(cmp.Or(w.Commits, w.Spec)))
	open := func(k header.Kind) func(journal.Entry) bool {
		return func(e journal.Entry) bool { return e.Kind == k && e.Status != vault.StatusClosed }
	}
	sections := []struct {
		name, lead string
		has        func(journal.Entry) bool
	}{
		{"Decisions", "Decision", open(header.Decision)},
		{"Learnings", "", open(header.Learning)},
		{"Closed", "Resolution", func(e journal.Entry) bool { return e.Status == vault.StatusClosed }},
	}
	for _, part := range sections {
		begun := false
		for _, g := range w.Groups {
			for _, e := range g.Entries {
				if !part.has(e) {
					continue
				}
				if !begun {
					s.Printf("\n## %s\n\n", part.name)
				}
				s.Printf("- **%s**%s\n", Line(e.Title), noteOf(e, part.lead))
				begun = true
			}
		}
	}
}

// noteOf returns what follows the title of an entry: the section of that name, else the first paragraph,
// and its commit.
func noteOf(e journal.Entry, section string) (note string) {
	if e.Content != nil {
		note = leadOf(prose.Visible(*e.Content), section)
	}
	if note != "" {
		note = ": " + note
	}
	if e.Commit != "" {
		note += " (" + Line(vault.Short(e.Commit)) + ")"
	}
	return note
}

// leadOf returns the first paragraph below a heading of that name, else the first one of the text, as a
// line.
func leadOf(text, section string) (lead string) {
	below := false
	for part := range strings.SplitSeq(text, "\n\n") {
		part = strings.TrimSpace(part)
		if name, heading := strings.CutPrefix(part, "## "); heading {
			below = strings.EqualFold(strings.TrimSpace(name), section)
			continue
		}
		if below && part != "" {
			return Line(part)
		}
		if lead == "" && !strings.HasPrefix(part, "#") {
			lead = Line(part)
		}
	}
	return lead
}

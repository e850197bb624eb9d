package render

import (
	"fmt"
	"strings"

	"github.com/cp-memory/cp/cmd/internal/codereview"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/findings"
)

// WriteFindingsAdded writes the outcome of findings add.
func WriteFindingsAdded(s Screen, a findings.Added) {
	if len(a.Findings) == 0 {
		s.Printf("No findings: nothing to remember.\n")
		return
	}
	if a.Unchanged {
		s.Printf("This review is remembered already: %s %s\n", a.ID, quoteTitle(a.Title))
	} else {
		s.Printf("Remembered review %s %s: %s\n", a.ID, quoteTitle(a.Title), Line(string(a.Path)))
	}
	for _, row := range a.Findings {
		again := ""
		if row.SeenAgain {
			again = "  (seen again)"
		}
		s.Printf("  %s  %s%s\n", row.ID, Line(row.Title), again)
	}
	s.Printf("%d new, %d seen again", a.New, a.SeenAgain)
	if a.Merged > 0 {
		s.Printf(", %d merged into others", a.Merged)
	}
	s.Printf("\n")
}

// FindingList writes a list of findings.
func FindingList(s Screen, all []findings.Known) {
	if len(all) == 0 {
		s.Println("No findings.")
		return
	}
	columns := []Column{{Title: "ID"}, {Title: "SEVERITY"}, {Title: "CATEGORY"}, {Title: "PLACE", Flex: true}, {Title: "STATUS"}, {Title: "SEEN", Right: true}, {Title: "SUMMARY", Flex: true}}
	table(s, columns, all, func(k findings.Known) []string {
		return []string{string(k.ID), k.Severity, k.Category, k.Where(), k.Status, fmt.Sprintf("%dx", k.CountReviews()), k.Summary}
	})
}

// WriteFindingsReported writes the outcome of findings report.
func WriteFindingsReported(s Screen, r codereview.Reported) {
	for _, name := range r.Files {
		s.Printf("Wrote %s\n", Line(name))
	}
	s.Printf("Health %d of 100; %s, %d resolved\n", r.Health, vault.Plural(r.Open, "open finding", "open findings"), r.Resolved)
}

// Patterns writes what was found more than once.
func Patterns(s Screen, all []findings.Pattern) {
	if len(all) == 0 {
		s.Println("Nothing was found more than once.")
	}
	for _, p := range all {
		s.Printf("seen %dx  %s  (%s, %s; %d open)\n", p.Seen, Line(p.Summary), p.Category, p.Severity, p.Open)
		if len(p.Files) > 0 {
			s.Printf("  %s\n", Line(strings.Join(p.Files, ", ")))
		}
	}
}

// FindingsWork writes the open findings by specialist.
func FindingsWork(s Screen, w codereview.Assigned) {
	if w.Total == 0 {
		s.Println("No open findings.")
		return
	}
	for i, g := range w.Groups {
		if i > 0 {
			s.Println("")
		}
		s.Printf("%s: %s\n", g.Agent, vault.Plural(len(g.Findings), "finding", "findings"))
		for _, k := range g.Findings {
			id := ""
			if k.ID != "" {
				id = string(k.ID) + "  "
			}
			s.Printf("  %s%s", id, Line(k.Title()))
			if k.File != "" {
				s.Printf("  %s", Line(k.Where()))
			}
			s.Printf("\n")
		}
	}
	s.Printf("\nVerify with")
	for i, v := range w.Verification {
		s.Printf("%s %s", map[bool]string{true: ","}[i > 0], v.Agent)
	}
	s.Printf(".\nWhen one is done: %s memory findings resolve ID --resolution \"how\"; at the end: %s memory findings fix --done\n", s.Name, s.Name)
}

// WriteRemedied writes the outcome of findings fix --done.
func WriteRemedied(s Screen, r codereview.Remedied) {
	s.Printf("%s\nWrote %s\n", r.Line, Line(r.File))
	if r.Captured > 0 {
		s.Printf("Captured %s\n", vault.Plural(r.Captured, "learning", "learnings"))
	}
}

// ReviewPlan writes what a host needs for a review.
func ReviewPlan(s Screen, p codereview.Plan) {
	from := map[string]string{"path": "below " + p.Path, "changes": "with changes in no commit", "commit": "that " + vault.Short(p.Commit) + " changed"}[p.From]
	s.Printf("%s %s\n", vault.Plural(len(p.Files)+p.Left, "file", "files"), Line(from))
	for _, file := range p.Files {
		s.Printf("  %s\n", Line(file))
	}
	if p.Left > 0 {
		s.Printf("  … and %d more\n", p.Left)
	}
	s.Printf("\nSpecialists\n")
	for _, sp := range p.Specialists {
		s.Printf("  %-13s  %-22s  %s\n", sp.Category, sp.Agent, sp.Looks)
	}
	if len(p.Patterns) > 0 {
		s.Printf("\nFound here before\n")
		Patterns(s, p.Patterns)
	}
	if len(p.Open) > 0 {
		s.Printf("\n%s open here: %s memory findings list --open\n", vault.Plural(len(p.Open), "finding is", "findings are"), s.Name)
	}
	s.Printf("\nHand over what they find, an object a line: %s memory findings add -\n  %s\n", s.Name, findings.Example)
}

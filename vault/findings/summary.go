package findings

import "fmt"

// top is how many findings REVIEW_SUMMARY.md names.
const top = 5

// Summary returns REVIEW_SUMMARY.md: a page for who decides.
func (r *Report) Summary() string {
	p, open := r.newPage("Review summary"), r.listUnresolved()
	p.writeLine("%s.\n", countOpen(open))
	p.health(r.Findings)
	if len(open) > 0 {
		p.writeLine("\n## First\n")
	}
	for i := range open[:min(top, len(open))] {
		p.writeLine("%d. %s", i+1, open[i].describeInLine())
	}
	if len(open) > top {
		p.writeLine("\n%d more are in %s.", len(open)-top, ReviewName)
	}
	if len(r.Patterns) > 0 {
		p.writeLine("\n## Seen before\n")
		p.patterns(r.Patterns[:min(top, len(r.Patterns))])
	}
	return p.String()
}

// describeInLine is a finding in one line: what, where and which memory.
func (k *Known) describeInLine() string {
	line := inline(k.Title())
	if k.File != "" {
		line += " in " + code(k.Where())
	}
	if k.ID != "" {
		line += fmt.Sprintf(" (%s)", k.ID)
	}
	return line
}

// Tasks returns REMEDIATION_TASKS.md: a list to work through, by specialist, the worst first.
func (r *Report) Tasks() string {
	p, open := r.newPage("Remediation tasks"), r.listUnresolved()
	p.writeLine("%s.", countOpen(open))
	for _, g := range Route(open) {
		p.writeLine("\n## %s: %s\n", g.Category, g.Agent)
		for i := range g.Findings {
			k := &g.Findings[i]
			p.writeLine("- [ ] %s", k.describeInLine())
			if text := firstLine(k.Remediation); text != "" {
				p.writeLine("  %s", inline(text))
			}
		}
	}
	if len(open) > 0 {
		p.writeLine("\nWhen one is done: `cp memory findings resolve ID --resolution \"how\"`.")
	}
	return p.String()
}

// Group holds the findings that one specialist deals with, the worst first.
type Group struct {
	Category string  `json:"category"`
	Agent    string  `json:"agent"`
	Findings []Known `json:"findings"`
}

// Route groups findings by the specialists they are for.
func Route(all []Known) []Group {
	groups := []Group{}
	for _, s := range specialists {
		g := Group{Category: s.Category, Agent: s.Agent}
		for _, k := range all {
			if k.Category == s.Category {
				g.Findings = append(g.Findings, k)
			}
		}
		if len(g.Findings) > 0 {
			groups = append(groups, g)
		}
	}
	return groups
}

package findings

import (
	"strconv"
	"strings"

	"github.com/cp-memory/cp/vault"
)

// Remedy is what REMEDIATION_REPORT.md is made of.
type Remedy struct {
	Report
	All       []Known  // the findings of the vault, whose health is told
	Blockers  []string // titles of open blockers that relate to the findings
	Learnings []string // titles of what was learned
}

// CountFixed counts the findings that are resolved.
func (r *Remedy) CountFixed() int { return len(r.Findings) - len(r.listUnresolved()) }

// SummaryLine tells the remedy in one line: "Fixed 12/15 findings, 2 blockers, 3 learnings".
func (r *Remedy) SummaryLine() string {
	return "Fixed " + ratio(r.CountFixed(), len(r.Findings)) + " findings, " + vault.Plural(len(r.Blockers), "blocker", "blockers") + ", " +
		vault.Plural(len(r.Learnings), "learning", "learnings")
}

// Page returns REMEDIATION_REPORT.md.
func (r *Remedy) Page() string {
	p, open := r.newPage("Remediation report"), r.listUnresolved()
	p.writeLine("%s.\n", r.SummaryLine())
	p.health(r.All)
	if r.CountFixed() > 0 {
		p.writeLine("\n## Fixed")
	}
	for i := range r.Findings {
		if k := &r.Findings[i]; !k.Open() {
			p.writeLine("\n- %s", k.describeInLine())
			p.writeItemQuote(k.Resolution)
		}
	}
	if len(open) > 0 {
		p.writeLine("\n## Open\n")
	}
	for i := range open {
		p.writeLine("- %s", open[i].describeInLine())
	}
	p.writeLines("Blockers", r.Blockers)
	p.writeLines("Learnings", r.Learnings)
	p.writeLine("\n## Verification\n")
	for _, v := range verifiers {
		p.writeLine("- [ ] %s: %s", v.Agent, v.Looks)
	}
	return p.String()
}

// writeLines writes a section of lines; none where there are none.
func (p *page) writeLines(heading string, all []string) {
	if len(all) > 0 {
		p.writeLine("\n## %s\n", heading)
	}
	for _, one := range all {
		p.writeLine("- %s", inline(one))
	}
}

// writeItemQuote quotes a text inside an item of a list.
func (p *page) writeItemQuote(text string) {
	if text == "" {
		return
	}
	for line := range strings.SplitSeq(text, "\n") {
		p.writeLine("%s", strings.TrimRight("  > "+line, " \t"))
	}
}

// firstLine returns the first line of a text.
func firstLine(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return line
}

func ratio(n, of int) string { return strconv.Itoa(n) + "/" + strconv.Itoa(of) }

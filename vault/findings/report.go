package findings

import (
	"fmt"
	"strings"

	"github.com/cp-memory/cp/vault"
)

// The artefacts of a review are Markdown for people, made anew from the memories. None is a
// memory. Each begins with [Mark]: a file that does not was written by a person and is kept.
//
// In CODE_REVIEW.md each finding is a heading with a comment below it that names its memory,
// and its texts are quoted, so that nothing in them can pass for a heading or a comment:
//
//	### [HIGH] SQL injection in user_query()
//
//	<!-- finding pf-7k2m9qx4 -->
//	- Category: security
//	- Place: `src/user.py:42`
//	- Specialist: security-engineer
//
//	> The name goes into the query as it is.
//
//	Remediation:
//
//	> Bind it.

// Mark begins every artefact.
const Mark = "<!-- Made by cp memory findings; the next one replaces it. -->"

// Names of the artefacts.
const (
	ReviewName  = "CODE_REVIEW.md"
	SummaryName = "REVIEW_SUMMARY.md"
	TasksName   = "REMEDIATION_TASKS.md"
	ReportName  = "REMEDIATION_REPORT.md"
)

// Report is what the artefacts of a review are made of.
type Report struct {
	Date     string // the day, as 2026-11-23
	Commit   string // that the code is at; may be empty
	Findings []Known
	Patterns []Pattern
}

// page is an artefact as it is written.
type page struct{ strings.Builder }

func (p *page) writeLine(format string, args ...any) { fmt.Fprintf(p, format+"\n", args...) }

// newPage returns a page with its head.
func (r *Report) newPage(title string) *page {
	p := new(page)
	p.writeLine("%s\n\n# %s\n", Mark, title)
	at := ""
	if r.Commit != "" {
		at = ", at commit " + vault.Short(r.Commit)
	}
	p.writeLine("%s%s.\n", r.Date, at)
	return p
}

// listUnresolved returns the findings that are not resolved.
func (r *Report) listUnresolved() (all []Known) {
	for _, k := range r.Findings {
		if k.Open() {
			all = append(all, k)
		}
	}
	return all
}

// Review returns CODE_REVIEW.md: health and all open findings, by severity.
func (r *Report) Review() string {
	p, open := r.newPage("Code review"), r.listUnresolved()
	p.writeLine("%s.\n", countOpen(open))
	p.health(r.Findings)
	for _, s := range severities {
		p.writeSection(s, open)
	}
	if len(r.Patterns) > 0 {
		p.writeLine("\n## Patterns\n")
		p.patterns(r.Patterns)
	}
	return p.String()
}

// countOpen tells how many findings are open.
func countOpen(open []Known) string {
	if len(open) == 0 {
		return "No open findings"
	}
	all := make([]Finding, len(open))
	for i := range open {
		all[i] = open[i].Finding
	}
	return strings.Replace(batchTitle(all), "finding", "open finding", 1)
}

// health writes the table of the categories, and the formula.
func (p *page) health(all []Known) {
	each, whole := Score(all)
	p.writeLine("## Health: %d of 100\n", whole)
	p.writeLine("| category | health | critical | high | medium | low |\n|---|--:|--:|--:|--:|--:|")
	for _, h := range each {
		p.writeLine("| %s | %d | %d | %d | %d | %d |", h.Category, h.Score, h.Counts[0], h.Counts[1], h.Counts[2], h.Counts[3])
	}
	p.writeLine("\nA category has 100 points. Each open finding takes %d if it is critical, %d if it is high,", weights[0], weights[1])
	p.writeLine("%d if it is medium and %d if it is low; none has less than 0. The whole is the mean, rounded down.", weights[2], weights[3])
}

// writeSection writes the findings of a severity.
func (p *page) writeSection(severity string, open []Known) {
	first := true
	for i := range open {
		if open[i].Severity != severity {
			continue
		}
		if first {
			p.writeLine("\n## %s%s", strings.ToUpper(severity[:1]), severity[1:])
			first = false
		}
		p.finding(&open[i])
	}
}

// finding writes one finding whole.
func (p *page) finding(k *Known) {
	p.writeLine("\n### %s\n\n<!-- finding %s -->", inline(k.Title()), k.ID)
	p.writeLine("- Category: %s", k.Category)
	if k.File != "" {
		p.writeLine("- Place: %s", code(k.Where()))
	}
	p.writeLine("- Specialist: %s", k.Agent)
	if k.CountReviews() > 1 {
		p.writeLine("- Seen: %dx", k.CountReviews())
	}
	if len(k.Tags) > 0 {
		p.writeLine("- Tags: %s", inline(strings.Join(k.Tags, ", ")))
	}
	p.writeQuote(k.Details)
	if k.Remediation != "" {
		p.writeLine("\nRemediation:")
		p.writeQuote(k.Remediation)
	}
}

// writeQuote writes a text as a quotation.
func (p *page) writeQuote(text string) {
	if text == "" {
		return
	}
	p.writeLine("")
	for line := range strings.SplitSeq(text, "\n") {
		p.writeLine("%s", strings.TrimRight("> "+line, " \t"))
	}
}

// patterns writes what was seen more than once.
func (p *page) patterns(all []Pattern) {
	for _, one := range all {
		p.writeLine("- seen %dx: %s (%s, %s; %d open)", one.Seen, inline(one.Summary), one.Category, one.Severity, one.Open)
	}
}

// inline returns a line in which nothing is HTML or a link.
func inline(s string) string {
	return strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", "](", "]\\(").Replace(s)
}

// code returns a line as code.
func code(s string) string {
	fence := "`"
	for strings.Contains(s, fence) {
		fence += "`"
	}
	if len(fence) > 1 {
		s = " " + s + " "
	}
	return fence + s + fence
}

package journal

import (
	"cmp"
	"strings"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/header"
)

// Parts are the texts of which the body of a decision or a blocker is made. Each one that
// is set becomes a section with a heading of level two.
type Parts struct {
	Context      string   `json:"context,omitempty" flag:"context" help:"of a decision: the <text> of the section Context"`
	Decision     string   `json:"decision,omitempty" flag:"decision" help:"the <text> of the section Decision"`
	Rationale    string   `json:"rationale,omitempty" flag:"rationale" help:"the <text> of the section Rationale"`
	Alternatives []string `json:"alternatives,omitempty" flag:"alternative" help:"a <text> in the list Alternatives Considered; can be repeated"`
	Consequences string   `json:"consequences,omitempty" flag:"consequence" help:"the <text> of the section Consequences"`
	Problem      string   `json:"problem,omitempty" flag:"problem" help:"of a blocker: the <text> of the section Problem"`
}

// checkParts refuses the parts that an entry of a kind does not have.
func (p Parts) checkParts(k header.Kind) error {
	others := p
	switch others.Problem = ""; {
	case k == header.Decision && strings.TrimSpace(p.Problem) != "":
		return vault.Errorf(vault.CodeInvalid, "say it in the context", "the section Problem is for a blocker")
	case k == header.Blocker && !others.IsEmpty():
		return vault.Errorf(vault.CodeInvalid, "say it in the body", "a blocker has the section Problem alone; the others are a decision's")
	case k != header.Decision && k != header.Blocker && !p.IsEmpty():
		return vault.Errorf(vault.CodeInvalid, "say it in the body", "sections are for a decision or a blocker")
	}
	return nil
}

// Heading of the section that tells how an entry was resolved.
const Resolution = "Resolution"

// section is a heading with its text.
type section struct{ heading, text string }

// sections returns the parts in the order in which they are written.
func (p Parts) sections() []section {
	return []section{
		{"Problem", p.Problem}, {"Context", p.Context}, {"Decision", p.Decision}, {"Rationale", p.Rationale},
		{"Alternatives Considered", writeList(p.Alternatives)}, {"Consequences", p.Consequences},
	}
}

// IsEmpty reports whether no part is set.
func (p Parts) IsEmpty() bool {
	for _, s := range p.sections() {
		if strings.TrimSpace(s.text) != "" {
			return false
		}
	}
	return true
}

// writeList writes texts as a list of Markdown.
func writeList(items []string) string {
	var b strings.Builder
	for _, item := range items {
		if item = strings.TrimSpace(item); item != "" {
			b.WriteString("- " + strings.ReplaceAll(item, "\n", "\n  ") + "\n")
		}
	}
	return b.String()
}

// entryText returns the entry's text: the body as it is given, then the sections.
func (o *Capture) entryText(k header.Kind) string {
	if o.Parts.IsEmpty() {
		return o.Body
	}
	var b strings.Builder
	if text := strings.TrimSpace(o.Body); text != "" {
		b.WriteString(text + "\n")
	}
	for _, s := range o.Parts.sections() {
		if text := strings.TrimSpace(s.text); text != "" {
			b.WriteString(gap(&b) + "## " + s.heading + "\n\n" + LowerHeadings(text) + "\n")
		}
	}
	return b.String()
}

// gap is the empty line before a heading that is not the first.
func gap(b *strings.Builder) string {
	if b.Len() == 0 {
		return ""
	}
	return "\n"
}

// LowerHeadings returns a text in which no heading ends the section that the text becomes: headings
// of levels one and two get level three. What stands in a block of code stays.
func LowerHeadings(text string) string {
	lines, fence := strings.Split(text, "\n"), ""
	for i, line := range lines {
		open := FenceOf(line)
		switch {
		case fence == "" && open != "":
			fence = open
		case fence != "":
			if strings.HasPrefix(open, fence) {
				fence = ""
			}
		default:
			lines[i] = deeper(line)
		}
	}
	return strings.Join(lines, "\n")
}

// FenceOf returns the marks with which a line opens or closes a block of code; empty for
// none.
func FenceOf(line string) string {
	line = strings.TrimLeft(line, " ")
	for _, mark := range [...]string{"`", "~"} {
		if n := len(line) - len(strings.TrimLeft(line, mark)); n >= 3 {
			return strings.Repeat(mark, n)
		}
	}
	return ""
}

// deeper returns a heading of level one or two as one of level three.
func deeper(line string) string {
	rest := strings.TrimLeft(line, "#")
	level := len(line) - len(rest)
	if level == 0 || level > 2 || cmp.Or(rest, " ")[0] != ' ' && rest[0] != '\t' {
		return line
	}
	return "###" + rest
}

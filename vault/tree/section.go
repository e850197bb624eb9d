package tree

import (
	"errors"
	"fmt"
	"strings"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/prose"
)

// checkSection refuses what does not say which section gets which text.
func (o *Amend) checkSection() error {
	switch {
	case o.Section == "" && o.NewSection:
		return vault.Errorf(vault.CodeInvalid, "name it: --section HEADING", "a new section needs a heading")
	case o.Section == "":
		return nil
	case o.Body == nil && !o.clears(ClearBody):
		return vault.Errorf(vault.CodeInvalid, "add --body or --body-file", "a section says where the new text goes, and there is no text")
	case strings.Trim(o.Section, "# \t") == "":
		return noName
	}
	return vault.CheckLine("section", o.Section)
}

var noName = vault.Errorf(vault.CodeInvalid, "name it as it stands in the text", "a section needs the name of a heading")

// sectionSteps returns the step that gives a section its new text; none where it is not about a
// section.
func (o *Amend) sectionSteps(p *vault.Doc) ([]vault.Step, error) {
	if o.Section == "" {
		return nil, nil
	}
	doc, err := p.Text()
	if err != nil {
		return nil, err
	}
	heading, err := o.heading(p.Path, doc)
	if err != nil {
		return nil, err
	}
	return []vault.Step{{Op: vault.OpSetSection, Name: o.Section, Value: heading, Text: prose.WithoutHeading(*o.Body, heading)}}, nil
}

// heading returns the heading of the section, or the one that it gets.
func (o *Amend) heading(p vault.Path, doc []byte) (string, error) {
	at, text, err := vault.FindSection(doc, o.Section)
	var no *prose.NoSection
	switch {
	case err == nil && o.NewSection && prose.TrimNewlines(text) != prose.TrimNewlines(prose.WithoutHeading(*o.Body, at.Heading)):
		return "", vault.Errorf(vault.CodeInvalid, "without --new-section (in JSON \"new_section\", in a tool call \"new\") its text is replaced",
			"%s:%d has the section %q already", p, at.Line, at.Heading)
	case err == nil:
		return at.Heading, nil
	case o.NewSection && errors.As(err, &no) && len(no.Same) == 0:
		return o.newHeading(p, doc)
	}
	return "", noSection(p, err)
}

// newHeading returns the heading of a section that is added.
func (o *Amend) newHeading(p vault.Path, doc []byte) (string, error) {
	heading, above := prose.NewHeading(o.Section, 1)
	if strings.Trim(heading, "# ") == "" {
		return "", noName
	}
	if above == "" {
		return heading, nil
	}
	over, _, err := vault.FindSection(doc, above)
	if err != nil {
		return "", noSection(p, err)
	}
	heading, _ = prose.NewHeading(o.Section, strings.IndexByte(over.Heading, ' '))
	return heading, nil
}

// noSection says why a name is not that of one section, and which are near.
func noSection(p vault.Path, err error) error {
	var no *prose.NoSection
	if !errors.As(err, &no) {
		return err
	}
	switch name := vault.Clip(no.Name, 80); {
	case len(no.Same) > 0:
		return vault.Errorf(vault.CodeInvalid, "name the heading above it too, as in \"Above::"+name+"\", or give one of them another name",
			"%s has several sections %q: at %s", p, name, listSectionLines(no.Same))
	case len(no.Near) == 0:
		return vault.Errorf(vault.CodeInvalid, newSection, "%s has no headings, and so no section %q", p, name)
	default:
		return vault.Errorf(vault.CodeInvalid, "name one of these; "+newSection, "%s has no section %q; the nearest are %s", p, name, quoteNames(no.Near))
	}
}

func quoteNames(names []string) string {
	all := make([]string, len(names))
	for i, name := range names {
		all[i] = `"` + vault.Clip(name, 80) + `"`
	}
	return strings.Join(all, ", ")
}

// newSection says how a section is added.
const newSection = "--new-section (in JSON \"new_section\": true, in a tool call \"new\": true) adds the section"

// listSectionLines lists where sections begin.
func listSectionLines(all []prose.Found) string {
	var b strings.Builder
	for i, at := range all {
		switch {
		case i == 0:
			b.WriteString("the lines ")
		case i == len(all)-1:
			b.WriteString(" and ")
		default:
			b.WriteString(", ")
		}
		fmt.Fprint(&b, at.Line)
	}
	return b.String()
}

package prose

import (
	"cmp"
	"slices"
	"strings"
)

// Found is a section that a name means: what stands below a heading, up to the next heading of
// its level or above.
type Found struct {
	Heading    string // as one writes it in the place of the name: "## Setup"
	Line       int    // of the heading in the prose, from 1
	Start, End int    // of what stands below it
}

// NoSection says why a name means no section, or which ones it means.
type NoSection struct {
	Name string
	Same []Found  // those that it means
	Near []string // where it means none: the headings that are nearest, the best one first
}

// Error returns a sentence of its own; a face has a better one.
func (e *NoSection) Error() string {
	if len(e.Same) > 0 {
		return "several sections are named " + e.Name
	}
	return "no section is named " + e.Name
}

// FindSection returns the section that a person names: by its heading as it is written, with or
// without its hashes, without its markup, in other letters or without its last colon; see
// [forms]. "A::B" is B below A. The error is a *NoSection.
func FindSection(prose, name string) (Found, error) {
	all := headings(prose)
	meant := findHeadings(all, name)
	if len(meant) == 1 {
		return foundAt(prose, all, meant[0]), nil
	}
	no := &NoSection{Name: name}
	for _, i := range meant {
		no.Same = append(no.Same, foundAt(prose, all, i))
	}
	if len(meant) == 0 {
		no.Near = nearestHeadings(all, name)
	}
	return Found{}, no
}

// foundAt returns the section below a heading.
func foundAt(prose string, all []heading, i int) Found {
	return Found{Heading: all[i].headingLine(), Line: 1 + strings.Count(prose[:all[i].start], "\n"), Start: all[i].end, End: sectionEnd(prose, all, i)}
}

// sectionEnd returns where the section below a heading ends.
func sectionEnd(prose string, all []heading, i int) int {
	for _, next := range all[i+1:] {
		if next.level <= all[i].level {
			return next.start
		}
	}
	return len(prose)
}

// SetSection returns the prose with a new text below the heading that name means. The heading
// stays. If there is none, the section is added under the heading that is given, "## Setup":
// for "A::B" at the end of A, else at the end of the prose. The error is a *NoSection where the
// name means several sections, or there is no A.
func SetSection(prose, name, heading, text, eol string, follows bool) (string, error) {
	text = WithEnds(TrimNewlines(text), eol)
	at, err := FindSection(prose, name)
	if err == nil {
		return fillSection(prose, at, text, eol, follows), nil
	}
	if no := err.(*NoSection); len(no.Same) > 0 {
		return "", err
	}
	end := len(prose)
	if above, _, ok := splitName(name); ok {
		at, err := FindSection(prose, above)
		if err != nil {
			return "", err
		}
		end = at.End
	}
	return Append(prose[:end], cmp.Or(heading, "## "+collapseSpaces(name))+eol+eol+text, eol, follows || end < len(prose)) + prose[end:], nil
}

// fillSection returns the prose with a text in a section.
func fillSection(prose string, at Found, text, eol string, follows bool) string {
	if TrimNewlines(prose[at.Start:at.End]) == text {
		return prose
	}
	head, body := prose[:at.Start], withFinalNewline(text, eol, follows || at.End < len(prose))
	if !strings.HasSuffix(head, "\n") {
		head += eol
	}
	if body != "" || at.End < len(prose) || follows {
		head += eol
	}
	return head + body + prose[at.End:]
}

// AddToSection returns the prose with the text as the last paragraph of the first section of
// exactly that name. A missing section is made at the end. A text that the section holds
// already is not added again.
func AddToSection(prose, name, text, eol string, follows bool) string {
	start, end, ok := Section(prose, name)
	switch {
	case !ok:
		return Append(prose, "## "+name+eol+eol+TrimNewlines(text), eol, follows)
	case HasParagraph(prose[start:], text):
		return prose
	}
	return Append(prose[:end], text, eol, follows || end < len(prose)) + prose[end:]
}

// Section returns the range below the first heading that is exactly that name.
func Section(prose, name string) (start, end int, ok bool) {
	all := headings(prose)
	i := slices.IndexFunc(all, func(h heading) bool { return h.text == name })
	if i < 0 {
		return 0, 0, false
	}
	return all[i].end, sectionEnd(prose, all, i), true
}

// NewHeading returns the heading under which a section of that name is added, and the name of
// the section in which it is; empty for none. A name says its level by its hashes. Without them
// it is one below over, the level of that section.
func NewHeading(name string, over int) (heading, above string) {
	above, own, _ := splitName(name)
	level, text := hashes(own)
	if level == 0 {
		level = min(over+1, 6)
	}
	return strings.Repeat("#", level) + " " + text, above
}

// WithoutHeading returns a section's text without the section's own heading at its beginning,
// which those who copy a section copy along.
func WithoutHeading(text, heading string) string {
	first, rest, _ := strings.Cut(strings.TrimLeft(text, "\r\n"), "\n")
	level, name := hashes(strings.TrimSpace(first))
	if is, own := hashes(heading); level == is && level > 0 && foldName(name) == foldName(own) {
		return rest
	}
	return text
}

package prose

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

const sections = `intro

## Setup

old setup

## Usage:

old usage

## **Bold** name

old bold

## [Linked](x.md)

old linked

## [[notes/other|Elsewhere]] ##

## Don’t panic {#calm}

## std::vector

Part
====

## Deep

### Down

## ` + "`make` & run" + `

# Other

## Deep

` + "```\n## Code\n```\n\n> ## Quoted\n"

// A person names a heading by what can be seen of it.
func TestFindSection(t *testing.T) {
	for name, want := range map[string]string{
		"Setup": "## Setup", "## Setup": "## Setup", "##Setup": "## Setup", "setup": "## Setup", "  SETUP ": "## Setup", "Setup:": "## Setup", "## setup ##": "## Setup", "#setup": "## Setup",
		"Usage": "## Usage:", "Usage:": "## Usage:", "usage?": "## Usage:",
		"Bold name": "## **Bold** name", "**Bold** name": "## **Bold** name", "## **Bold** name": "## **Bold** name", "bold  NAME": "## **Bold** name", "_Bold_ name": "## **Bold** name", "#bold-name": "## **Bold** name", "bold-name": "## **Bold** name",
		"Linked": "## [Linked](x.md)", "[Linked](x.md)": "## [Linked](x.md)", "Elsewhere": "## [[notes/other|Elsewhere]]",
		"Don't panic": "## Don’t panic {#calm}", "don’t panic.": "## Don’t panic {#calm}",
		"std::vector": "## std::vector", "Part": "# Part", "# Part": "# Part",
		"Part::Deep": "## Deep", "Other::## Deep": "## Deep", "part :: deep :: down": "### Down", "Part::Down": "### Down", "# Part::Deep": "## Deep",
		"make & run": "## `make` & run", "`make` &amp; run": "## `make` & run",
	} {
		at, err := FindSection(sections, name)
		if err != nil || at.Heading != want {
			t.Errorf("%q: got %q, %v, want %q", name, at.Heading, err, want)
			continue
		}
		if line := strings.Split(sections, "\n")[at.Line-1]; !strings.Contains(line, strings.TrimLeft(want, "# ")) {
			t.Errorf("%q: line %d is %q", name, at.Line, line)
		}
	}
}

// What names no section, or several, is refused; the nearest come first.
func TestNoSection(t *testing.T) {
	for _, row := range []struct{ name, near, lines string }{
		{"Usge", "## Usage:", ""}, {"### Setup", "## Setup", ""}, {"# Setup", "## Setup", ""}, {"Setup guide", "## Setup", ""},
		{"Code", "#", ""}, {"Quoted", "#", ""}, {"Other::Setup", "## Setup", ""}, {"Nowhere::Deep", "## Deep", ""}, {"C++", "#", ""},
		{"Deep", "", "[28 36]"}, {"deep", "", "[28 36]"}, {"##", "#", ""}, {"::", "#", ""},
	} {
		_, err := FindSection(sections, row.name)
		var no *NoSection
		if !errors.As(err, &no) {
			t.Errorf("%q: %v", row.name, err)
			continue
		}
		var lines []int
		for _, at := range no.Same {
			lines = append(lines, at.Line)
		}
		if row.lines != "" && fmt.Sprint(lines) != row.lines || row.lines == "" && (len(lines) > 0 || len(no.Near) == 0 || !strings.HasPrefix(no.Near[0], row.near)) {
			t.Errorf("%q: at %v, near %q, want at %s, near %q", row.name, lines, no.Near, row.lines, row.near)
		}
	}
	if _, err := FindSection("no headings", "x"); err == nil {
		t.Error("found a section without a heading")
	}
}

// Of two spellings the one that is typed is meant.
func TestStrictestFormDecides(t *testing.T) {
	const prose = "## setup\n\n## Setup\n\n## **Setup**\n"
	for name, line := range map[string]int{"setup": 1, "Setup": 3, "**Setup**": 5} {
		if at, err := FindSection(prose, name); err != nil || at.Line != line {
			t.Errorf("%s: line %d, %v", name, at.Line, err)
		}
	}
	if _, err := FindSection(prose, "SETUP"); err == nil {
		t.Error("SETUP means three, and one was taken")
	}
}

// A section is filled in its place, and setting it again changes nothing. One that is missing is
// added, with "A::B" at the end of A.
func TestSetSection(t *testing.T) {
	const doc = "in\n\n# A\n\na\n\n## B\n\nb\n\n# C\n\nc\n"
	for _, row := range []struct{ name, name2, heading, text, want string }{
		{"filled", "b", "", "new", strings.Replace(doc, "b\n\n#", "new\n\n#", 1)},
		{"filled with what is below it", "# A", "", "new", "in\n\n# A\n\nnew\n\n# C\n\nc\n"},
		{"emptied", "C", "", "", "in\n\n# A\n\na\n\n## B\n\nb\n\n# C\n"},
		{"added", "D", "## D", "d", doc + "\n## D\n\nd\n"},
		{"added without a heading", "D", "", "d", doc + "\n## D\n\nd\n"},
		{"added below another", "A::D", "## D", "d", "in\n\n# A\n\na\n\n## B\n\nb\n\n## D\n\nd\n\n# C\n\nc\n"},
		{"added below the last", "C::D", "## D", "d", doc + "\n## D\n\nd\n"},
	} {
		for _, eol := range []string{"\n", "\r\n"} {
			t.Run(row.name, func(t *testing.T) {
				want := WithEnds(row.want, eol)
				got, err := SetSection(WithEnds(doc, eol), row.name2, row.heading, row.text, eol, false)
				if err != nil || got != want {
					t.Errorf("got %q, %v\nwant %q", got, err, want)
				}
				if again, err := SetSection(got, row.name2, row.heading, row.text, eol, false); err != nil || again != got {
					t.Errorf("again: got %q, %v", again, err)
				}
			})
		}
	}
	if got, err := SetSection(doc, "X::Y", "## Y", "y", "\n", false); err == nil {
		t.Errorf("below what is not there: %q", got)
	}
}

func TestHeadings(t *testing.T) {
	for _, row := range []struct {
		name    string
		over    int
		heading string
		above   string
	}{{"D", 1, "## D", ""}, {"### D", 1, "### D", ""}, {"A::D", 2, "### D", "A"}, {"A::# D", 2, "# D", "A"}, {"A::B::D", 6, "###### D", "A::B"}, {"D ##", 1, "## D ##", ""}} {
		if heading, above := NewHeading(row.name, row.over); heading != row.heading || above != row.above {
			t.Errorf("%s: got %q in %q", row.name, heading, above)
		}
	}
	for text, want := range map[string]string{"## Setup\n\nnew": "\nnew", "\n## setup\nnew": "new", "# Setup\nnew": "# Setup\nnew", "Setup\nnew": "Setup\nnew", "## Setup": ""} {
		if got := WithoutHeading(text, "## Setup"); got != want {
			t.Errorf("%q: got %q", text, got)
		}
	}
}

// FuzzSection: a name, however odd, means a section of the text or none, and setting twice is
// setting once.
func FuzzSection(f *testing.F) {
	f.Add(sections, "Setup", "x")
	f.Add("# A\n\n## B\n", "A::B", "")
	f.Fuzz(func(t *testing.T, prose, name, text string) {
		at, err := FindSection(prose, name)
		if err == nil && (at.Start > at.End || at.End > len(prose)) {
			t.Fatalf("%+v", at)
		}
		if err != nil || headings(text) != nil || strings.Contains(text, "\r") {
			return
		}
		once, err := SetSection(prose, name, at.Heading, text, "\n", false)
		if err != nil {
			t.Fatal(err)
		}
		if after, err := FindSection(once, name); err != nil || after.Line != at.Line {
			t.Errorf("%q of %q: line %d, then %d, %v", name, prose, at.Line, after.Line, err)
		}
	})
}

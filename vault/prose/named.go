package prose

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"
	"golang.org/x/text/unicode/norm"

	"github.com/cp-memory/cp/vault/filename"
	"github.com/cp-memory/cp/vault/header"
)

// A person names a heading by what can be seen of it. The forms of a name, from the strictest:
//
//	written   **Bold** name, [Linked](x.md)   as it stands there
//	seen      Bold name, Linked               without markup
//	folded    bold name, linked               in any letters, quotes and dashes, without what
//	                                          ends a line of speech: "Usage:" is "usage"
//	anchored  bold-name                       as links write it; where the name has a # or -
//
// The strictest form in which any heading has the name decides: of "Setup" and "setup" each can
// be named. In front of it stand the hashes of its level, "## Setup", or the names of headings
// above it, "Part::Setup".
var forms = [...]func(string) string{collapseSpaces, withoutMarkup, foldName}

// between parts the names of headings that stand above each other.
const between = "::"

// splitName returns the name of the headings above, and the last one's own.
func splitName(name string) (above, own string, ok bool) {
	i := strings.LastIndex(name, between)
	if i < 0 {
		return "", name, false
	}
	above, own = strings.TrimSpace(name[:i]), strings.TrimSpace(name[i+len(between):])
	if above == "" || own == "" {
		return "", name, false
	}
	return above, own, true
}

// hashes returns the level that a name gives its heading, 0 for any, and the rest of the name.
func hashes(name string) (level int, rest string) {
	rest = strings.TrimLeft(name, "#")
	if level = len(name) - len(rest); level > 6 || level == 1 && rest != "" && !isSpace(rest[0]) {
		level = 0 // "#setup" is a link's
	}
	rest = strings.TrimSpace(rest)
	if end := strings.TrimRight(rest, "#"); level > 0 && strings.HasSuffix(end, " ") { // "## Setup ##"
		rest = strings.TrimSpace(end)
	}
	return level, collapseSpaces(rest)
}

func isSpace(b byte) bool { return b == ' ' || b == '\t' }

// headingLine returns a heading as one writes it on a line.
func (h heading) headingLine() string {
	return strings.Repeat("#", h.level) + " " + collapseSpaces(h.text)
}

// findHeadings returns the headings that a name means.
func findHeadings(all []heading, name string) []int {
	name = collapseSpaces(name)
	if meant := findByName(all, 0, name); len(meant) > 0 { // "#1", "std::vector"
		return meant
	}
	level, own := hashes(name)
	if meant := findByName(all, level, own); len(meant) > 0 || own == "" {
		return meant
	}
	above, own, ok := splitName(name)
	if !ok {
		return findByFragment(all, name)
	}
	over := findHeadings(all, above)
	return slices.DeleteFunc(findHeadings(all, own), func(i int) bool {
		return !slices.ContainsFunc(over, func(j int) bool { return isBelow(all, i, j) })
	})
}

// findByName returns the headings that have a name in the strictest form in which one has it.
func findByName(all []heading, level int, name string) (meant []int) {
	for _, form := range forms {
		want := form(name)
		for i, h := range all {
			if want != "" && (level == 0 || level == h.level) && form(h.text) == want {
				meant = append(meant, i)
			}
		}
		if len(meant) > 0 {
			return meant
		}
	}
	return nil
}

// findByFragment returns the headings to which a link with that fragment leads.
func findByFragment(all []heading, name string) (meant []int) {
	want := strings.TrimPrefix(name, "#")
	if !strings.ContainsAny(name, "#-") || want == "" || want != fragment(want) {
		return nil
	}
	for i, h := range all {
		if fragment(h.text) == want {
			meant = append(meant, i)
		}
	}
	return meant
}

// isBelow reports whether heading i stands in the section of heading j.
func isBelow(all []heading, i, j int) bool {
	return i > j && !slices.ContainsFunc(all[j+1:i+1], func(h heading) bool { return h.level <= all[j].level })
}

func collapseSpaces(s string) string { return strings.Join(strings.Fields(s), " ") }

// withoutMarkup returns a heading as a reader sees it: without markup and the id in braces behind it.
func withoutMarkup(s string) string {
	if i := strings.LastIndex(s, "{"); i > 0 && strings.HasSuffix(s, "}") && strings.HasPrefix(s[i:], "{#") {
		s = s[:i]
	}
	if !strings.ContainsAny(s, "*_`[<\\&!~") {
		return collapseSpaces(s)
	}
	src := []byte("# " + collapseSpaces(s[:min(len(s), 4*header.MaxTitle)]))
	var out strings.Builder
	_ = ast.Walk(linkedText().Parse(text.NewReader(src)), func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		switch n := n.(type) {
		case *ast.Text:
			if entering {
				out.Write(unescapeText(n, src))
			}
		case *wikilink:
			if entering {
				out.WriteString(cmp.Or(n.label, n.target))
			}
			return ast.WalkSkipChildren, nil
		}
		return ast.WalkContinue, nil
	})
	return collapseSpaces(out.String())
}

// typographic are the marks that programs put in the place of those that are typed.
var typographic = strings.NewReplacer("’", "'", "‘", "'", "“", `"`, "”", `"`, "–", "-", "—", "-", "‑", "-", "…", "...", "\u00a0", " ")

// foldName returns what two spellings of a name have in common.
func foldName(s string) string {
	s = strings.ToLower(norm.NFC.String(typographic.Replace(withoutMarkup(s))))
	return collapseSpaces(norm.NFC.String(strings.TrimRight(s, ":.,;!? ")))
}

// fragment returns a heading as GitHub writes it behind the # of a link.
func fragment(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == ' ':
			return '-'
		case r == '-' || r == '_' || unicode.In(r, unicode.Letter, unicode.Mark, unicode.Digit):
			return unicode.ToLower(r)
		}
		return -1
	}, withoutMarkup(s))
}

// mostNear bounds the headings that are named in the place of one that is not there.
const mostNear = 5

// nearestHeadings returns the headings that a name may have meant, the best one first.
func nearestHeadings(all []heading, name string) (near []string) {
	if _, own, ok := splitName(name); ok {
		name = own
	}
	_, name = hashes(collapseSpaces(name))
	name = clip(foldName(name))
	order := make([]int, len(all))
	apart := make([]int, len(all))
	for i, h := range all {
		other := clip(foldName(h.text))
		if order[i] = i; other != "" && name != "" && !strings.Contains(other, name) && !strings.Contains(name, other) {
			apart[i] = filename.Edits(name, other)
		}
	}
	slices.SortStableFunc(order, func(i, j int) int { return apart[i] - apart[j] })
	for _, i := range order[:min(len(order), mostNear)] {
		near = append(near, all[i].headingLine())
	}
	return near
}

// clip bounds the time that comparing takes.
func clip(s string) string { return s[:min(len(s), 80)] }

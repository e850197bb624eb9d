package prose

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"

	"github.com/cp-memory/cp/pointer"
)

// Destination is where a link or an image leads, as it stands in a text, with what marks
// its form: a.md, <a b.md> or, of a wikilink, [[../a.
type Destination struct {
	Raw   string
	start int
}

// Destinations returns the destinations in a text, its pointer block aside, in their order:
// those of inline links and images, of reference definitions and of wikilinks; none in
// code or HTML. Of a text that is slow to parse it returns none.
func Destinations(body string) []Destination {
	if !mayLead(body) || pointer.TooDeep(body) || !cheap(body) {
		return nil
	}
	src, ok := blankBlock(body)
	if !ok {
		return nil
	}
	f := &finder{src: src}
	_ = ast.Walk(linking().Parse(text.NewReader([]byte(src))), func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if entering {
			f.visitNode(n)
		}
		return ast.WalkContinue, nil
	})
	slices.SortFunc(f.found, func(a, b Destination) int { return a.start - b.start })
	return slices.CompactFunc(f.found, func(a, b Destination) bool { return a.start == b.start })
}

// mayLead spares goldmark the texts that surely hold no link.
func mayLead(body string) bool {
	return strings.Contains(body, "](") || strings.Contains(body, "]:") || strings.Contains(body, "[[")
}

// blankBlock returns the text with blank lines in the place of its pointer block. ok is false
// for a damaged block, of which nobody knows where it ends.
func blankBlock(body string) (string, bool) {
	b, err := pointer.FindBlock(body)
	if err != nil || b == nil {
		return body, err == nil
	}
	blank := func(r byte) byte {
		if r == '\n' || r == '\r' {
			return r
		}
		return ' '
	}
	out := []byte(body)
	for i := b.Start; i < b.End; i++ {
		out[i] = blank(out[i])
	}
	return string(out), true
}

// finder finds the places of destinations.
type finder struct {
	src   string
	found []Destination
}

// visitNode looks at one node. goldmark tells where a link begins; its end is found from
// there, and what is found counts only if goldmark says the same.
func (f *finder) visitNode(n ast.Node) {
	switch n := n.(type) {
	case *ast.LinkReferenceDefinition:
		f.define(n)
	case *ast.Link:
		f.inline(n.Pos(), n.Destination, n.Reference != nil)
	case *ast.Image:
		f.inline(n.Pos(), n.Destination, n.Reference != nil)
	case *wikilink:
		f.wiki(n)
	}
}

// inline notes the destination of [text](destination), which begins at pos.
func (f *finder) inline(pos int, dest []byte, reference bool) {
	if reference || pos < 0 || len(dest) == 0 {
		return
	}
	if end := pos + closing(f.src[pos:]); strings.HasPrefix(f.src[end:], "](") {
		after := strings.TrimLeft(f.src[end+2:], " \t\r\n")
		f.noteDestination(len(f.src)-len(after), dest)
	}
}

// closing returns the place of the bracket that closes the first one of s, else 0. The
// brackets of a link's text are balanced, but for those that are escaped or in code.
func closing(s string) int {
	depth := 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '`':
			i += codeSpan(s[i:]) - 1
		case '[':
			depth++
		case ']':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return 0
}

// codeSpan returns the length of the code span that s begins with; of backquotes that
// nothing closes, theirs.
func codeSpan(s string) int {
	ticks := len(s) - len(strings.TrimLeft(s, "`"))
	for at := ticks; at < len(s); {
		i := strings.IndexByte(s[at:], '`')
		if i < 0 {
			break
		}
		at += i
		run := len(s[at:]) - len(strings.TrimLeft(s[at:], "`"))
		if at += run; run == ticks {
			return at
		}
	}
	return ticks
}

// noteDestination notes the destination at start, if it is there.
func (f *finder) noteDestination(start int, dest []byte) {
	for _, raw := range [...]string{"<" + string(dest) + ">", string(dest)} {
		if strings.HasPrefix(f.src[start:], raw) {
			f.found = append(f.found, Destination{raw, start})
			return
		}
	}
}

// wiki notes the target of a wikilink.
func (f *finder) wiki(n *wikilink) {
	inner := f.src[n.at+len("[["):]
	if rest := strings.TrimLeft(inner, " \t"); n.target != "" && strings.HasPrefix(rest, n.target) {
		f.found = append(f.found, Destination{f.src[n.at:len(f.src)-len(rest)] + n.target, n.at})
	}
}

// definition is [label]: destination.
var definition = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[ \t>]*\[(?:[^\[\]\\]|\\.)+\]:[ \t]*(?:\r?\n[ \t>]*)?(<[^<>\n]*>|[^\s<]\S*)`)
})

// define notes the destination of a reference definition.
func (f *finder) define(n *ast.LinkReferenceDefinition) {
	if n.Lines().Len() == 0 {
		return
	}
	start := n.Lines().At(0).Start
	if m := definition().FindStringSubmatchIndex(f.src[start:]); m != nil {
		f.noteDestination(start+m[2], n.Destination)
	}
}

// Replace returns the text with other destinations: each that next tells.
func Replace(body string, next func(raw string) (string, bool)) string {
	var out strings.Builder
	at := 0
	for _, d := range Destinations(body) {
		if raw, ok := next(d.Raw); ok {
			out.WriteString(body[at:d.start] + raw)
			at = d.start + len(d.Raw)
		}
	}
	return out.String() + body[at:]
}

package prose

import (
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"

	"github.com/cp-memory/cp/pointer"
	"github.com/cp-memory/cp/vault/header"
)

// Anchor is a link with its text: "restart loop" of [restart loop](nomad.md), "loop" of
// [[nomad|loop]], "" of [[nomad]]. The text is one line without marks of emphasis around it,
// of maxAnchor bytes at the most.
type Anchor struct {
	header.Reference
	Text string
}

// maxAnchor bounds the text of a link in bytes: it ends at a space.
const maxAnchor = 160

// Anchors returns the links that [Links] returns, each once with each of its texts.
func Anchors(prose string) []Anchor {
	if !mayLink(prose) || pointer.TooDeep(prose) {
		return nil
	}
	return anchorsIn(bracketParagraphs(prose))
}

// anchorsIn is Anchors by goldmark.
func anchorsIn(prose string) []Anchor {
	src := []byte(splitCostly(prose))
	var found []Anchor
	seen := map[Anchor]bool{}
	_ = ast.Walk(linking().Parse(text.NewReader(src)), func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		l, ok := linkOf(n)
		if !entering || !ok {
			return ast.WalkContinue, nil
		}
		if a := (Anchor{l, anchorText(n, src)}); !seen[a] {
			seen[a] = true
			found = append(found, a)
		}
		return ast.WalkContinue, nil
	})
	return found
}

// Targets returns where the anchors lead, each once, in their order.
func Targets(anchors []Anchor) (all []header.Reference) {
	seen := make(map[header.Reference]bool, len(anchors))
	for _, a := range anchors {
		if !seen[a.Reference] {
			seen[a.Reference] = true
			all = append(all, a.Reference)
		}
	}
	return all
}

// anchorText returns the text of a link's node.
func anchorText(n ast.Node, src []byte) string {
	var b strings.Builder
	spell(&b, n, src)
	line := strings.Trim(strings.Join(strings.Fields(strings.ToValidUTF8(b.String(), "\ufffd")), " "), "*_` ")
	if len(line) <= maxAnchor {
		return line
	}
	cut := strings.LastIndexByte(line[:maxAnchor+1], ' ')
	if cut < 0 {
		return "" // one word of that length is no name
	}
	return line[:cut]
}

// spell writes the text in a node, until it is enough for an anchor.
func spell(b *strings.Builder, n ast.Node, src []byte) {
	if w, ok := n.(*wikilink); ok {
		b.WriteString(w.label)
		return
	}
	for c := n.FirstChild(); c != nil && b.Len() <= 4*maxAnchor; c = c.NextSibling() {
		switch c := c.(type) {
		case *ast.Text:
			b.Write(c.Segment.Value(src))
			if c.SoftLineBreak() || c.HardLineBreak() {
				b.WriteByte(' ')
			}
		case *wikilink:
			if b.WriteString(c.label); c.label == "" {
				b.WriteString(c.target)
			}
		default:
			spell(b, c, src)
		}
	}
}

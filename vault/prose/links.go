package prose

import (
	"bytes"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"github.com/cp-memory/cp/vault/header"
)

// Kinds of links.
const (
	linkWiki = "wikilink"
	linkFile = "link"
)

// linking parses what can hold or hide a link; emphasis can do neither.
var linking = sync.OnceValue(func() parser.Parser {
	return parser.NewParser(
		parser.WithBlockParsers(parser.DefaultBlockParsers()...),
		parser.WithParagraphTransformers(parser.DefaultParagraphTransformers()...),
		parser.WithInlineParsers(
			util.Prioritized(parser.NewCodeSpanParser(), 100),
			util.Prioritized(wikilinks{}, 150),
			util.Prioritized(parser.NewLinkParser(), 200),
			util.Prioritized(parser.NewAutoLinkParser(), 300),
			util.Prioritized(parser.NewRawHTMLParser(), 400)))
})

// Links returns the outgoing links of the prose: wikilinks, embedded ones too,
// and links to Markdown files that are no URLs; none out of code.
func Links(prose string) []header.Reference { return Targets(Anchors(prose)) }

// mayLink spares goldmark the texts that surely hold no link of ours, more than half.
func mayLink(prose string) bool {
	if strings.Contains(prose, "[[") {
		return true
	}
	if !strings.Contains(prose, "](") && !strings.Contains(prose, "]:") {
		return false
	}
	for rest := prose; ; {
		i := strings.IndexByte(rest, '.')
		if i < 0 || len(rest) < i+3 {
			return false
		}
		if strings.EqualFold(rest[i:i+3], ".md") || strings.EqualFold(rest[i:i+3], ".ma") {
			return true
		}
		rest = rest[i+1:]
	}
}

// bracketParagraphs returns the paragraphs of the prose that hold a bracket, which is a third
// of the work for goldmark. Where something could reach from one paragraph into
// another (code, HTML, a definition, an indent), it returns the prose as it is.
func bracketParagraphs(prose string) string {
	for _, reach := range [...]string{"```", "~~~", "<", "]:", "    ", "\t", "\r", "\v", "\f"} {
		if strings.Contains(prose, reach) {
			return prose
		}
	}
	var out strings.Builder
	for par, rest, more := "", prose, true; more; {
		if par, rest, more = strings.Cut(rest, "\n\n"); strings.Contains(par, "[") {
			out.WriteString(par + "\n\n")
		}
	}
	return out.String()
}

// linkOf returns the link that a node holds.
func linkOf(n ast.Node) (header.Reference, bool) {
	switch n := n.(type) {
	case *wikilink:
		return header.Reference{Kind: linkWiki, Target: n.target}, n.target != ""
	case *ast.Link:
		target, ok := fileTarget(n.Destination)
		return header.Reference{Kind: linkFile, Target: target}, ok
	}
	return header.Reference{}, false
}

// fileTarget returns the path a link's destination names, unescaped and without
// fragment; ok is false for URLs and for what is no Markdown file.
func fileTarget(dest []byte) (string, bool) {
	dest = util.ResolveEntityNames(util.ResolveNumericReferences(util.UnescapePunctuations(dest)))
	target := string(dest)
	if i := strings.IndexAny(target, "#?"); i >= 0 {
		target = target[:i]
	}
	if scheme, _, ok := strings.Cut(target, ":"); ok && !strings.ContainsAny(scheme, "/.") || strings.HasPrefix(target, "//") {
		return "", false
	}
	target = unescape(target)
	return target, markdown(target) && !strings.ContainsFunc(target, unicode.IsControl)
}

// markdown reports whether a file is named like a Markdown file, of any kind.
func markdown(name string) bool {
	return header.IsReadOnlyName(name) || len(name) > 3 && strings.EqualFold(name[len(name)-3:], ".md")
}

// unescape decodes %XX; a text with a broken escape, or one that would not be UTF-8, stays as it is.
func unescape(s string) string {
	if !strings.Contains(s, "%") {
		return s
	}
	var out []byte
	for i := 0; i < len(s); i++ {
		if s[i] != '%' {
			out = append(out, s[i])
			continue
		}
		if i+2 >= len(s) || !util.IsHexDecimal(s[i+1]) || !util.IsHexDecimal(s[i+2]) {
			return s
		}
		out = append(out, unhex(s[i+1])<<4|unhex(s[i+2]))
		i += 2
	}
	if !utf8.Valid(out) {
		return s
	}
	return string(out)
}

func unhex(c byte) byte {
	if c <= '9' {
		return c - '0'
	}
	return c&^0x20 - 'A' + 10
}

// wikilink is [[target]] or ![[target]].
type wikilink struct {
	ast.BaseInline
	target string // without label and fragment
	label  string // behind the bar; "" without one
	at     int    // where its brackets begin in the source
}

var kindWikilink = ast.NewNodeKind("Wikilink")

func (*wikilink) Kind() ast.NodeKind { return kindWikilink }

func (n *wikilink) Dump(src []byte, level int) {
	ast.DumpHelper(n, src, level, map[string]string{"target": n.target}, nil)
}

// wikilinks parses wikilinks for goldmark.
type wikilinks struct{}

func (wikilinks) Trigger() []byte { return []byte{'[', '!'} }

// maxWikilink bounds how far a closing ]] is looked for, so that a text of
// brackets stays linear.
const maxWikilink = 1000

// Parse reads [[target#fragment|label]] on one line. [[text]](dest) is an
// ordinary link.
func (wikilinks) Parse(_ ast.Node, block text.Reader, _ parser.Context) ast.Node {
	line, segment := block.PeekLine()
	inner, ok := bytes.CutPrefix(bytes.TrimPrefix(line, []byte("!")), []byte("[["))
	if !ok {
		return nil
	}
	end := bytes.IndexAny(inner[:min(len(inner), maxWikilink)], "[]\n")
	if end <= 0 || !bytes.HasPrefix(inner[end:], []byte("]]")) || ordinary(inner[end+2:]) {
		return nil
	}
	block.Advance(len(line) - len(inner) + end + 2)
	_, label, _ := strings.Cut(string(inner[:end]), "|")
	return &wikilink{target: wikiTarget(string(inner[:end])), label: label, at: segment.Start + len(line) - len(inner) - 2}
}

// ordinary reports whether what follows ]] makes it the end of an ordinary link's text.
func ordinary(rest []byte) bool {
	if len(rest) == 0 || rest[0] != '(' {
		return false
	}
	end := bytes.IndexAny(rest[:min(len(rest), maxWikilink)], ") \n")
	return end > 1 && rest[end] == ')'
}

// wikiTarget returns the target without label and fragment. In a table the bar is written \|.
func wikiTarget(s string) string {
	s, _, _ = strings.Cut(s, "|")
	s, _, _ = strings.Cut(strings.TrimSuffix(s, `\`), "#")
	return strings.TrimSpace(s)
}

// maxBrackets bounds the closing brackets of one paragraph: for each of them
// goldmark may read the paragraph to its end, and 80 KB of "[a](" take it 3 s.
const maxBrackets = 200

// maxPiece bounds the pieces into which an endless line is cut.
const maxPiece = 1 << 10

// splitCostly returns the prose with paragraphs that would take goldmark too long
// parted into lines, and lines that still would into pieces.
func splitCostly(prose string) string {
	if cheap(prose) {
		return prose
	}
	var out strings.Builder
	for par := range paragraphs(prose) {
		if cheap(par) {
			out.WriteString(par)
			continue
		}
		for line := range strings.Lines(par) {
			for !cheap(line) {
				cut := piece(line)
				out.WriteString(line[:cut] + "\n\n")
				line = line[cut:]
			}
			out.WriteString(line + "\n")
		}
	}
	return out.String()
}

// piece returns where to cut a long line: at a space if it has one.
func piece(line string) int {
	end := min(len(line), maxPiece)
	if i := strings.LastIndexByte(line[:end], ' '); i > 0 {
		return i
	}
	return end
}

// cheap reports whether goldmark reads the links of s in a time that does not matter.
func cheap(s string) bool {
	n := strings.Count(s, "]")
	return n <= maxBrackets || n*len(s) <= 1e6
}

// paragraphs yields the prose in pieces that end with a blank line.
func paragraphs(prose string) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		start := 0
		for at := 0; at < len(prose); {
			end := lineEnd(prose, at)
			if strings.TrimSpace(prose[at:end]) == "" || end == len(prose) {
				if !yield(prose[start:end]) {
					return
				}
				start = end
			}
			at = end
		}
	}
}

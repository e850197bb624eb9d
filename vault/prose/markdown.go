package prose

import (
	"strings"
	"sync"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"github.com/cp-memory/cp/pointer"
	"github.com/cp-memory/cp/vault/header"
)

// blocks parses the block structure of Markdown alone; full also the text in it.
// They are made when they are first needed: most commands parse nothing.
var (
	blocks = sync.OnceValue(func() parser.Parser {
		return parser.NewParser(parser.WithBlockParsers(parser.DefaultBlockParsers()...))
	})
	full = sync.OnceValue(func() parser.Parser {
		return parser.NewParser(
			parser.WithBlockParsers(parser.DefaultBlockParsers()...),
			parser.WithInlineParsers(parser.DefaultInlineParsers()...))
	})
	linkedText = sync.OnceValue(func() parser.Parser { // and wikilinks
		return parser.NewParser(
			parser.WithBlockParsers(parser.DefaultBlockParsers()...),
			parser.WithInlineParsers(append(parser.DefaultInlineParsers(), util.Prioritized(wikilinks{}, 150))...))
	})
)

// heading is a top-level heading of a text.
type heading struct {
	level int
	text  string // as written, trimmed
	start int    // offset of its first line
	end   int    // past its last line, a setext underline included
}

// headings returns the top-level headings of the prose, in order: those in
// code, lists and quotations are not among them.
func headings(prose string) []heading {
	if pointer.TooDeep(prose) {
		return nil
	}
	var found []heading
	doc := blocks().Parse(text.NewReader([]byte(prose)))
	for n := doc.FirstChild(); n != nil; n = n.NextSibling() {
		if h, ok := n.(*ast.Heading); ok {
			found = append(found, newHeading(prose, h))
		}
	}
	return found
}

// newHeading returns the heading of a node with its place.
func newHeading(prose string, n *ast.Heading) heading {
	h := heading{level: n.Level, start: lineStart(prose, n.Pos())}
	h.end = lineEnd(prose, h.start)
	if rows := n.Lines(); rows.Len() > 0 {
		last := rows.At(rows.Len() - 1)
		h.text = strings.TrimSpace(prose[rows.At(0).Start:last.Stop])
		h.end = lineEnd(prose, last.Start)
	}
	if !atx(prose[h.start:]) {
		h.end = lineEnd(prose, h.end)
	}
	return h
}

// atx reports whether a heading's line is of the form "# text".
func atx(line string) bool {
	marks := strings.TrimLeft(line, " ")
	rest := strings.TrimLeft(marks, "#")
	return len(rest) < len(marks) && (rest == "" || strings.IndexByte(" \t\r\n", rest[0]) >= 0)
}

// Title returns the text of the prose's first heading of level 1, without markup; empty if it has none.
func Title(prose string) string {
	first := strings.TrimLeft(prose, "\r\n")
	if rest, ok := strings.CutPrefix(first, "# "); ok {
		row, _, _ := strings.Cut(rest, "\n")
		return plainText(strings.TrimRight(row, " \t\r"))
	}
	if !strings.Contains(prose, "# ") && !strings.Contains(prose, "\n=") && !strings.Contains(prose, "#\t") {
		return ""
	}
	for _, h := range headings(prose) {
		if h.level == 1 && h.text != "" {
			return plainText(h.text)
		}
	}
	return ""
}

// plainText returns the text of a heading without closing marks and inline markup.
func plainText(s string) string {
	if !strings.ContainsAny(s, "*_`[<\\&!#~") {
		return strings.TrimSpace(s)
	}
	src := []byte("# " + strings.ReplaceAll(s[:min(len(s), 4*header.MaxTitle)], "\n", " "))
	var out strings.Builder
	_ = ast.Walk(full().Parse(text.NewReader(src)), func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if t, ok := n.(*ast.Text); ok && entering {
			out.Write(unescapeText(t, src))
		}
		return ast.WalkContinue, nil
	})
	return strings.TrimSpace(out.String())
}

// unescapeText returns a text node's text with escapes and entities resolved, unless it is code.
func unescapeText(t *ast.Text, src []byte) []byte {
	if t.Parent().Kind() == ast.KindCodeSpan {
		return t.Value(src)
	}
	return util.ResolveEntityNames(util.ResolveNumericReferences(util.UnescapePunctuations(t.Value(src))))
}

// codeLines tells which 1-based lines of the prose stand in code blocks.
func codeLines(prose string) map[int]bool {
	code := map[int]bool{}
	if pointer.TooDeep(prose) {
		return code
	}
	line, at := 1, 0
	_ = ast.Walk(blocks().Parse(text.NewReader([]byte(prose))), func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if kind := n.Kind(); entering && (kind == ast.KindFencedCodeBlock || kind == ast.KindCodeBlock) {
			for _, row := range n.Lines().Sliced(0, n.Lines().Len()) {
				line += strings.Count(prose[at:row.Start], "\n")
				at = row.Start
				code[line] = true
			}
		}
		return ast.WalkContinue, nil
	})
	return code
}

// lineStart returns where the line that holds offset at begins.
func lineStart(s string, at int) int { return strings.LastIndexByte(s[:at], '\n') + 1 }

// lineEnd returns where the line that holds offset at ends, its line end included.
func lineEnd(s string, at int) int {
	if i := strings.IndexByte(s[at:], '\n'); i >= 0 {
		return at + i + 1
	}
	return len(s)
}

// Conflict returns the 1-based line of the first git conflict hunk in the prose outside of
// code, or 0.
func Conflict(prose string) int {
	if !strings.HasPrefix(prose, "<<<<<<< ") && !strings.Contains(prose, "\n<<<<<<< ") {
		return 0
	}
	code := codeLines(prose)
	at, hunk := 0, 0
	for row := range strings.Lines(prose) {
		at++
		switch {
		case code[at]:
		case strings.HasPrefix(row, "<<<<<<< "):
			hunk = at
		case strings.HasPrefix(row, ">>>>>>> ") && hunk > 0:
			return hunk
		}
	}
	return 0
}

// Unfence takes the fence of code off a text that is nothing else, as models answer.
func Unfence(text string) string {
	text = strings.TrimSpace(text)
	if rest, fenced := strings.CutPrefix(text, "```"); fenced {
		_, rest, _ = strings.Cut(rest, "\n")
		text = strings.TrimSuffix(strings.TrimSpace(rest), "```")
	}
	return text
}

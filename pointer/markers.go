package pointer

import (
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// marker is one marker line of the text.
type marker struct {
	span        // the whole line, with its line end
	open   bool // the first of a block, else the last
	hidden bool // of a hidden block
}

// kinds are the markers by their lines.
var kinds = map[string]marker{
	Start: {open: true}, End: {}, HiddenStart: {open: true, hidden: true}, HiddenEnd: {hidden: true},
}

// commentEnd ends an HTML comment.
const commentEnd = "-->"

// markers returns the marker lines that count, in order.
func markers(content string) []marker {
	if !strings.Contains(content, HiddenStart) && !strings.Contains(content, HiddenEnd) { // the others begin or end with these
		return nil
	}
	var found []marker
	for _, start := range topLevel(content) {
		end := lineEnd(content, start)
		if m, ok := kinds[strings.TrimSpace(content[start:end])]; ok {
			m.span = span{start, end}
			found = append(found, m)
			continue
		}
		found = append(found, inline(content, start, end)...)
	}
	return found
}

// inline returns the two markers of a block that stands on one line, as people may write
// an empty or a short one. A comment of one line is a block if it holds an array.
func inline(content string, start, end int) []marker {
	line := content[start:end]
	text := strings.TrimSpace(line)
	for _, hidden := range [...]bool{false, true} {
		open, shut := markersOf(hidden)
		if len(text) < len(open)+len(shut) || !strings.HasPrefix(text, open) || !strings.HasSuffix(text, shut) {
			continue
		}
		first, last := start+strings.Index(line, open)+len(open), start+strings.LastIndex(line, shut)
		if !hidden || strings.HasPrefix(strings.TrimSpace(content[first:last]), "[") {
			return []marker{{span{start, first}, true, hidden}, {span{last, end}, false, hidden}}
		}
	}
	return nil
}

// topLevel returns the starts of the lines that may hold a marker.
func topLevel(content string) []int {
	if starts, ok := findPlainMarkers(content); ok {
		return starts
	}
	if TooDeep(content) {
		return outsideFences(content)
	}
	return comments(content)
}

// findPlainMarkers returns the lines that may hold a marker, if only the markers can open a code or
// HTML block, at the left margin. A marker there is then a top-level block, and no parser
// is needed. A fuzz test compares this with goldmark's answer.
func findPlainMarkers(content string) (starts []int, ok bool) {
	if strings.Contains(content, "```") || strings.Contains(content, "~~~") {
		return nil, false
	}
	blocks := 0
	for at := 0; at < len(content); at = lineEnd(content, at) {
		switch text := content[at:]; {
		case strings.HasPrefix(text, Start), strings.HasPrefix(text, End):
			starts = append(starts, at)
		case strings.HasPrefix(text, HiddenEnd):
			return nil, false
		case strings.HasPrefix(text, HiddenStart):
			last := hiddenEnd(content, at)
			if last < 0 {
				return nil, false
			}
			starts = append(starts, at, last)
			at = last
		default:
			continue
		}
		blocks++
	}
	return starts, strings.Count(content, "<") == blocks
}

// hiddenEnd returns the start of the line that ends the hidden block which begins at the
// offset, or -1 if it is none.
func hiddenEnd(content string, at int) int {
	body := lineEnd(content, at)
	i := strings.Index(content[body:], commentEnd)
	if i < 0 || strings.TrimRight(content[at:body], " \t\r\n") != HiddenStart {
		return -1
	}
	last := lineStart(content, body+i)
	if strings.TrimSpace(content[last:lineEnd(content, last)]) != HiddenEnd {
		return -1
	}
	return last
}

// comments asks goldmark for the top-level comments. Of a hidden block it returns the last
// line, too. A last line whose comment is none, because its first line is gone or an entry
// has ended it, stands in a paragraph.
func comments(content string) []int {
	var starts []int
	ends := strings.HasPrefix(content, HiddenEnd) || strings.Contains(content, "\n"+HiddenEnd)
	for n := blocks(content).FirstChild(); n != nil; n = n.NextSibling() {
		h, ok := n.(*ast.HTMLBlock)
		switch {
		case ok && h.HTMLBlockType == ast.HTMLBlockType2:
			starts = append(starts, comment(content, h)...)
		case !ok && ends:
			starts = append(starts, strays(content, n)...)
		}
	}
	return starts
}

// comment returns the start of the comment's first line, and that of its last one in a
// hidden block.
func comment(content string, h *ast.HTMLBlock) []int {
	first := lineStart(content, h.Pos())
	if !h.HasClosure() || strings.TrimSpace(content[first:lineEnd(content, first)]) != HiddenStart {
		return []int{first}
	}
	return []int{first, lineStart(content, h.ClosureLine.Start)}
}

// strays returns the lines in the paragraphs of a block that look like the end of a hidden
// block, at the left margin.
func strays(content string, n ast.Node) []int {
	var starts []int
	switch n.(type) {
	case *ast.Paragraph, *ast.TextBlock, *ast.Heading:
		for i := range n.Lines().Len() {
			at := lineStart(content, n.Lines().At(i).Start)
			if strings.TrimRight(content[at:lineEnd(content, at)], " \t\r\n") == HiddenEnd {
				starts = append(starts, at)
			}
		}
		return starts
	}
	for child := n.FirstChild(); child != nil && child.Type() == ast.TypeBlock; child = child.NextSibling() {
		starts = append(starts, strays(content, child)...)
	}
	return starts
}

// blocks returns goldmark's tree of the blocks. Inline syntax cannot move a
// block, so none is parsed.
func blocks(content string) ast.Node {
	p := parser.NewParser(parser.WithBlockParsers(parser.DefaultBlockParsers()...))
	return p.Parse(text.NewReader([]byte(content)))
}

// lastBlock returns where the last top-level block of content begins.
func lastBlock(content string) int {
	if n := blocks(content).LastChild(); n != nil && n.Pos() >= 0 {
		return lineStart(content, n.Pos())
	}
	return 0
}

// maxNesting bounds goldmark's work on nested lists and quotations, which grows with the
// cube of their depth: a list of 500 levels (1.7e8 here) takes it 0.3 s, one of 2,000 in
// 4 MiB would take 20 s.
const maxNesting = 3e8

// TooDeep reports whether lists and quotations in content are nested so deeply that
// goldmark would take seconds for it. Such a text is not given to goldmark.
func TooDeep(content string) bool {
	work := 0
	for at := 0; at < len(content); {
		end := lineEnd(content, at)
		line := content[at:end]
		indent := len(line) - len(strings.TrimLeft(line, " \t>-+*0123456789.)"))
		work += indent * indent
		at = end
	}
	return work > maxNesting
}

// outsideFences returns the starts of the lines that no code fence at the left margin
// encloses. That is good enough for a text that no person wrote.
func outsideFences(content string) []int {
	var starts []int
	fence := ""
	for at := 0; at < len(content); {
		end := lineEnd(content, at)
		line := content[at:end]
		switch mark := fenceOf(line); {
		case fence == "" && mark == "":
			starts = append(starts, at)
		case fence == "":
			fence = mark
		case strings.HasPrefix(mark, fence):
			fence = ""
		}
		at = end
	}
	return starts
}

// fenceOf returns the run of ` or ~ that makes line a code fence, or "".
func fenceOf(line string) string {
	for _, mark := range [...]string{"`", "~"} {
		if n := len(line) - len(strings.TrimLeft(line, mark)); n >= 3 {
			return line[:n]
		}
	}
	return ""
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

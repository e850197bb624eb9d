package pointer

import (
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// marker is one marker line of the text.
type marker struct {
	span      // the whole line, with its line end
	open bool // Start, else End
}

// markers returns the marker lines that count, in order.
func markers(content string) []marker {
	if !strings.Contains(content, Start) && !strings.Contains(content, End) {
		return nil
	}
	var found []marker
	for _, start := range topLevel(content) {
		line := span{start, lineEnd(content, start)}
		switch strings.TrimSpace(content[line.start:line.end]) {
		case Start:
			found = append(found, marker{line, true})
		case End:
			found = append(found, marker{line, false})
		}
	}
	return found
}

// topLevel returns the starts of the lines that may hold a marker.
func topLevel(content string) []int {
	switch {
	case plain(content):
		return candidates(content)
	case TooDeep(content):
		return outsideFences(content)
	}
	return comments(content)
}

// plain reports whether only the markers can open a code or HTML block at the left
// margin. A marker there is then a top-level block, and no parser is needed. A fuzz test
// compares this with goldmark's answer.
func plain(content string) bool {
	if strings.Contains(content, "```") || strings.Contains(content, "~~~") {
		return false
	}
	marks := strings.Count(content, Start) + strings.Count(content, End)
	return strings.Count(content, "<") == marks && len(candidates(content)) == marks
}

// candidates returns the starts of the lines that begin with a marker at the left margin.
func candidates(content string) []int {
	var starts []int
	for at := 0; at < len(content); at = lineEnd(content, at) {
		if strings.HasPrefix(content[at:], Start) || strings.HasPrefix(content[at:], End) {
			starts = append(starts, at)
		}
	}
	return starts
}

// comments asks goldmark for the top-level comments.
func comments(content string) []int {
	var starts []int
	for n := blocks(content).FirstChild(); n != nil; n = n.NextSibling() {
		if h, ok := n.(*ast.HTMLBlock); ok && h.HTMLBlockType == ast.HTMLBlockType2 {
			starts = append(starts, lineStart(content, h.Pos()))
		}
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

package markdown

import (
	"bytes"

	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// struck parses ~~text~~.
type struck struct{}

// Trigger is how it begins.
func (struck) Trigger() []byte { return []byte{'~'} }

// Parse notes a run of tildes; goldmark pairs them.
func (s struck) Parse(_ ast.Node, block text.Reader, pc parser.Context) ast.Node {
	before := block.PrecendingCharacter()
	line, segment := block.PeekLine()
	node := parser.ScanDelimiter(line, before, 1, s)
	if node == nil || node.OriginalLength != 2 || before == '~' {
		return nil
	}
	node.Segment = segment.WithStop(segment.Start + node.OriginalLength)
	block.Advance(node.OriginalLength)
	pc.PushDelimiter(node)
	return node
}

// IsDelimiter reports whether a character is one of a run.
func (struck) IsDelimiter(b byte) bool { return b == '~' }

// CanOpenCloser reports whether two runs make a pair.
func (struck) CanOpenCloser(opener, closer *parser.Delimiter) bool { return opener.Char == closer.Char }

// OnMatch makes a node of a pair.
func (struck) OnMatch(int) ast.Node { return east.NewStrikethrough() }

// bare parses a web address that stands in the text as it is.
type bare struct{}

// Trigger is what may stand before one; a space is also the beginning of a line.
func (bare) Trigger() []byte { return []byte{' ', '('} }

// Parse parses one. A sign of punctuation at its end is the sentence's, and a bracket that was
// not opened in it is what closes around it.
func (bare) Parse(parent ast.Node, block text.Reader, _ parser.Context) ast.Node {
	line, segment := block.PeekLine()
	if len(line) > 0 && (line[0] == ' ' || line[0] == '(') {
		line, segment = line[1:], segment.WithStart(segment.Start+1)
	}
	if !bytes.HasPrefix(line, []byte("http://")) && !bytes.HasPrefix(line, []byte("https://")) {
		return nil
	}
	end := bytes.IndexAny(line, " \t\r\n<>\"`")
	if end < 0 {
		end = len(line)
	}
	address := line[:end]
	for len(address) > 0 {
		last := address[len(address)-1]
		if bytes.IndexByte([]byte("?!.,:;*_~'|"), last) >= 0 || last == ')' && bytes.Count(address, []byte(")")) > bytes.Count(address, []byte("(")) || last == ']' {
			address = address[:len(address)-1]
			continue
		}
		break
	}
	if len(address) <= len("https://") {
		return nil
	}
	if _, whole := block.PeekLine(); whole.Start < segment.Start {
		ast.MergeOrAppendTextSegment(parent, whole.WithStop(segment.Start))
		block.Advance(1)
	}
	block.Advance(len(address))
	return ast.NewAutoLink(ast.AutoLinkURL, ast.NewTextSegment(segment.WithStop(segment.Start+len(address))))
}

// tasks parses the box at the beginning of an item of a list.
type tasks struct{}

// Trigger is how one begins.
func (tasks) Trigger() []byte { return []byte{'['} }

// Parse parses one.
func (tasks) Parse(parent ast.Node, block text.Reader, _ parser.Context) ast.Node {
	if parent.Parent() == nil || parent.Parent().Kind() != ast.KindListItem || parent.HasChildren() || parent.PreviousSibling() != nil {
		return nil
	}
	line, _ := block.PeekLine()
	if len(line) < 4 || line[2] != ']' || line[3] != ' ' || line[1] != ' ' && line[1] != 'x' && line[1] != 'X' {
		return nil
	}
	block.Advance(4)
	return east.NewTaskCheckBox(line[1] != ' ')
}

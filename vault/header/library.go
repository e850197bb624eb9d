package header

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"
)

// library reads any header with the YAML library. On an error the fields are nil. It
// refuses tags, and aliases inside anchors, which grow without bound. A simple alias is
// read as its target (14 of 1,885 files of a real docs tree use one).
func library(text string) ([]field, *Error) {
	if at := oddBreak(text); at >= 0 {
		return nil, &Error{2 + strings.Count(text[:at], "\n"), "front matter holds a line break of another kind than the file"}
	}
	root, err := document(text)
	if err != nil || root == nil {
		return nil, err
	}
	switch {
	case root.Kind != yaml.MappingNode:
		return nil, &Error{root.Line + 1, noKeys}
	case root.Style&yaml.FlowStyle != 0:
		return nil, &Error{root.Line + 1, "front matter in braces cannot be edited by line"}
	}
	if err := checkNode(root, 0, false); err != nil {
		return nil, err
	}
	return fieldsOf(text, root)
}

// oddBreak returns the offset of the first character that YAML counts as a line or
// column and we do not: a carriage return alone, U+0085, U+2028, U+2029, a byte order
// mark. Without one it returns -1.
func oddBreak(text string) int {
	for i, r := range text {
		if r == '\r' && !strings.HasPrefix(text[i:], "\r\n") || strings.ContainsRune("\u0085\u2028\u2029\ufeff", r) {
			return i
		}
	}
	return -1
}

// document returns the root node of the only YAML document in text, or nil for an empty text.
func document(text string) (*yaml.Node, *Error) {
	dec := yaml.NewDecoder(strings.NewReader(text))
	var doc, more yaml.Node
	if err := dec.Decode(&doc); errors.Is(err, io.EOF) {
		return nil, nil
	} else if err != nil {
		return nil, syntax(err)
	}
	if err := dec.Decode(&more); err == nil {
		return nil, &Error{more.Line + 1, "front matter holds several YAML documents"}
	} else if !errors.Is(err, io.EOF) {
		return nil, syntax(err)
	}
	return doc.Content[0], nil
}

// syntax words a YAML error; its line counts from the header's first.
func syntax(err error) *Error {
	line, msg := 0, strings.TrimPrefix(err.Error(), "yaml: ")
	if n, scanErr := fmt.Sscanf(msg, "line %d:", &line); n == 1 && scanErr == nil {
		_, msg, _ = strings.Cut(msg, ": ")
	}
	return &Error{line + 1, "front matter is not valid YAML: " + msg}
}

// checkNode refuses what we do not read: nested aliases, tags, deep nesting.
func checkNode(n *yaml.Node, depth int, anchored bool) *Error {
	anchored = anchored || n.Anchor != ""
	switch {
	case n.Kind == yaml.AliasNode && anchored:
		return &Error{n.Line + 1, "front matter nests YAML aliases, which are not read"}
	case n.Style&yaml.TaggedStyle != 0:
		return &Error{n.Line + 1, "front matter uses YAML tags, which are not read"}
	case depth > maxDepth:
		return &Error{n.Line + 1, "front matter is nested more than 16 levels deep"}
	}
	for _, c := range n.Content {
		if err := checkNode(c, depth+1, anchored); err != nil {
			return err
		}
	}
	return nil
}

// fieldsOf returns the mapping's keys with the lines they own.
func fieldsOf(text string, root *yaml.Node) ([]field, *Error) {
	rows := rowStarts(text)
	fields := make([]field, 0, len(root.Content)/2)
	for i := 0; i < len(root.Content); i += 2 {
		key, value := root.Content[i], root.Content[i+1]
		if key.Kind != yaml.ScalarNode {
			return nil, &Error{key.Line + 1, "a key in the front matter is not a word"}
		}
		end := len(text)
		if i+2 < len(root.Content) {
			end = rows[root.Content[i+2].Line-1]
		}
		f := field{key: key.Value, line: key.Line}
		f.setFromNode(value)
		f.lines = span{rows[key.Line-1], rows[key.Line-1]}
		f.lines.end = contentEnd(text, rows, last(value), span{f.lines.start, end})
		f.setPlaces(text, value)
		fields = append(fields, f)
	}
	return fields, nil
}

// rowStarts returns the offset of each line, and the end of the text once more: the
// parser puts some nodes behind the last line.
func rowStarts(text string) []int {
	starts := []int{0}
	for i := range len(text) {
		if text[i] == '\n' {
			starts = append(starts, i+1)
		}
	}
	return append(starts, len(text))
}

// setFromNode takes kind, value and items from the node.
func (f *field) setFromNode(n *yaml.Node) {
	n = aliasTarget(n)
	switch {
	case n.Kind == yaml.ScalarNode && n.Tag == "!!null":
		f.kind = null
	case n.Kind == yaml.ScalarNode:
		f.kind, f.value = scalar, n.Value
	case n.Kind == yaml.SequenceNode:
		f.kind = list
		for _, c := range n.Content {
			if c = aliasTarget(c); c.Kind != yaml.ScalarNode {
				f.kind = other
			} else if c.Tag != "!!null" {
				f.items = append(f.items, c.Value)
			}
		}
	default:
		f.kind = other
	}
}

// aliasTarget returns the node that an alias points to, and any other node itself.
func aliasTarget(n *yaml.Node) *yaml.Node {
	if n.Kind == yaml.AliasNode {
		return n.Alias
	}
	return n
}

// setPlaces sets the places of the value and its items if the field's lines have the ordinary shape.
func (f *field) setPlaces(text string, n *yaml.Node) {
	at := f.lines.start
	own, ok := flat(text[at:f.lines.end])
	if ok && len(own) == 1 && own[0].same(*f) {
		f.simple, f.indent = own[0].simple, own[0].indent
		f.val = span{at + own[0].val.start, at + own[0].val.end}
		for _, row := range own[0].rows {
			f.rows = append(f.rows, span{at + row.start, at + row.end})
		}
	} else if n.Kind == yaml.ScalarNode && f.lines.end == lineEnd(text, at) {
		f.comment = n.LineComment
	}
	f.remarks = !f.simple && f.rows == nil && hasRemarks(n.Content)
}

// hasRemarks reports whether comments stand among the nodes.
func hasRemarks(nodes []*yaml.Node) bool {
	return slices.ContainsFunc(nodes, func(n *yaml.Node) bool {
		return n.HeadComment+n.LineComment+n.FootComment != "" || hasRemarks(n.Content)
	})
}

// same reports whether both read alike.
func (f field) same(o field) bool {
	return f.key == o.key && f.kind == o.kind && f.value == o.value && slices.Equal(f.items, o.items)
}

// last returns the node whose text ends last in n.
func last(n *yaml.Node) *yaml.Node {
	for len(n.Content) > 0 && n.Style&yaml.FlowStyle == 0 {
		n = n.Content[len(n.Content)-1]
	}
	return n
}

// contentEnd returns the end of a value's last line. Blank lines and comments after the
// value belong to no key.
func contentEnd(text string, rows []int, leaf *yaml.Node, key span) int {
	inner := 0 // comments indented less are comments, also after a block scalar
	if leaf.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0 {
		inner = blockIndent(text, rows, leaf)
	}
	if leaf.Style&(yaml.DoubleQuotedStyle|yaml.SingleQuotedStyle) != 0 {
		key.start = max(key.start, quoteEnd(text, rows, leaf))
	}
	end := key.end
	for end > key.start {
		prev := 1 + strings.LastIndexByte(text[:end-1], '\n')
		row := strings.TrimRight(text[prev:end], " \t\r\n")
		bare := strings.TrimLeft(row, " \t")
		comment := strings.HasPrefix(bare, "#") && (inner == 0 || len(row)-len(bare) < inner)
		if bare != "" && !comment || prev <= key.start {
			break
		}
		end = prev
	}
	return end
}

// blockIndent returns the indent of a block scalar's content, or 0 for an empty one.
func blockIndent(text string, rows []int, leaf *yaml.Node) int {
	for at := lineEnd(text, rows[leaf.Line-1]); at < len(text); at = lineEnd(text, at) {
		row := text[at:lineEnd(text, at)]
		if strings.TrimSpace(row) != "" {
			return len(row) - len(strings.TrimLeft(row, " "))
		}
	}
	return 0
}

// quoteEnd returns the start of the line on which a quoted scalar closes.
func quoteEnd(text string, rows []int, leaf *yaml.Node) int {
	at := rows[leaf.Line-1]
	for range leaf.Column - 1 {
		_, size := utf8.DecodeRuneInString(text[at:])
		at += size
	}
	quote := text[at]
	for at++; at < len(text); at++ {
		switch {
		case text[at] == '\\' && quote == '"':
			at++
		case text[at] == quote && quote == '\'' && strings.HasPrefix(text[at+1:], "'"):
			at++
		case text[at] == quote:
			return 1 + strings.LastIndexByte(text[:at], '\n')
		}
	}
	return rows[leaf.Line-1]
}

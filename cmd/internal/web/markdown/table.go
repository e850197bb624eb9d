package markdown

import (
	"bytes"

	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// goldmark has tables, struck text, tasks and bare links in its package extension. That one
// compiles regular expressions when the program starts, 0.37 ms of every command, so the four
// are parsed here. https://github.github.com/gfm says what they are.

// rows turns a paragraph with a line of dashes below a line of cells into a table.
type rows struct{}

// Transform looks for a table in a paragraph. What stands before it stays a paragraph.
func (rows) Transform(n *ast.Paragraph, reader text.Reader, _ parser.Context) {
	lines, source := n.Lines(), reader.Source()
	for i := 1; i < lines.Len(); i++ {
		aligned := dashes(source, lines.At(i))
		head := cells(source, lines.At(i-1))
		if aligned == nil || len(head) != len(aligned) {
			continue
		}
		table := east.NewTable()
		table.Alignments = aligned
		table.AppendChild(table, east.NewTableHeader(makeTableRow(head, aligned)))
		for j := i + 1; j < lines.Len(); j++ {
			table.AppendChild(table, makeTableRow(cells(source, lines.At(j)), aligned))
		}
		n.Parent().InsertAfter(n.Parent(), n, table)
		if before := lines.Sliced(0, i-1); len(before) == 0 {
			n.Parent().RemoveChild(n.Parent(), n)
		} else {
			kept := text.NewSegments()
			kept.AppendAll(before)
			n.SetLines(kept)
		}
		return
	}
}

// makeTableRow returns a row with as many cells as the table has.
func makeTableRow(all []text.Segment, aligned []east.Alignment) *east.TableRow {
	r := east.NewTableRow(aligned)
	for i, a := range aligned {
		c := east.NewTableCell()
		if c.Alignment = a; i < len(all) {
			c.Lines().Append(all[i])
		}
		r.AppendChild(r, c)
	}
	return r
}

// cells returns the cells of a line. A bar behind a backslash is no border.
func cells(source []byte, line text.Segment) (all []text.Segment) {
	line = trimSegment(line, source)
	from, stop := line.Start, line.Stop
	if from < stop && source[from] == '|' {
		from++
	}
	add := func(to int) {
		all = append(all, trimSegment(text.NewSegment(from, to), source))
		from = to + 1
	}
	for at := from; at < stop; at++ {
		switch source[at] {
		case '\\':
			at++
		case '|':
			add(at)
		}
	}
	if from < stop {
		add(stop)
	}
	return all
}

func trimSegment(s text.Segment, source []byte) text.Segment {
	s = s.TrimLeftSpace(source)
	return s.TrimRightSpace(source)
}

// dashes returns how the columns are aligned by a line of dashes; nil for any other line.
func dashes(source []byte, line text.Segment) (aligned []east.Alignment) {
	if !bytes.ContainsRune(line.Value(source), '|') {
		return nil
	}
	for _, c := range cells(source, line) {
		v := c.Value(source)
		left, right := bytes.HasPrefix(v, []byte(":")), bytes.HasSuffix(v, []byte(":"))
		if v = bytes.Trim(v, ":"); len(v) == 0 || len(bytes.Trim(v, "-")) > 0 {
			return nil
		}
		switch {
		case left && right:
			aligned = append(aligned, east.AlignCenter)
		case right:
			aligned = append(aligned, east.AlignRight)
		case left:
			aligned = append(aligned, east.AlignLeft)
		default:
			aligned = append(aligned, east.AlignNone)
		}
	}
	return aligned
}

// tables renders tables so that a wide one can be scrolled, also by the keyboard.
type tables struct{}

// RegisterFuncs names the nodes.
func (t tables) RegisterFuncs(reg renderer.NodeRendererFuncRegisterer) {
	reg.Register(east.KindTable, renderAround("<div class=\"wide\" tabindex=\"0\"><table>\n", "</tbody></table></div>\n"))
	reg.Register(east.KindTableHeader, renderAround("<thead><tr>", "</tr></thead><tbody>\n"))
	reg.Register(east.KindTableRow, renderAround("<tr>", "</tr>\n"))
	reg.Register(east.KindTableCell, t.cell)
	reg.Register(east.KindStrikethrough, renderAround("<del>", "</del>"))
}

// renderAround renders a node as what stands before and behind it.
func renderAround(before, behind string) renderer.NodeRendererFunc {
	return func(w util.BufWriter, _ []byte, _ ast.Node, entering bool) (ast.WalkStatus, error) {
		if entering {
			_, _ = w.WriteString(before)
		} else {
			_, _ = w.WriteString(behind)
		}
		return ast.WalkContinue, nil
	}
}

func (tables) cell(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	name := "td"
	if n.Parent().Kind() == east.KindTableHeader {
		name = "th"
	}
	if !entering {
		_, _ = w.WriteString("</" + name + ">")
		return ast.WalkContinue, nil
	}
	_, _ = w.WriteString("<" + name)
	if a := n.(*east.TableCell).Alignment; a != east.AlignNone {
		_, _ = w.WriteString(` align="` + a.String() + `"`)
	}
	_, _ = w.WriteString(">")
	return ast.WalkContinue, nil
}

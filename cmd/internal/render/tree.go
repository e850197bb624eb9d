package render

import (
	"fmt"
	"strings"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/tree"
)

// treeRow is one line of a tree, in parts, so that columns can be aligned and
// titles cut while the id stays readable.
type treeRow struct {
	strokes, title, tail string
	node                 *tree.OutlineNode // nil for a folder, and for a line about what was left out
}

// Tree writes memories with their descendants; stats adds how often each was
// read, with a star where it was read more often than its parent.
//
//	deployment (pf-aa1)                    14 reads  last: 2h ago
//	├── troubleshooting (pf-aa2)           28 reads  last: 1h ago  ★
//	└── rollback (pf-aa5)                   3 reads  last: 5d ago
//
//	3 memories, about 420 tokens to read
func Tree(s Screen, v tree.Outlined, stats bool) {
	var rows []treeRow
	top := v.Loose.Group(v.Roots)
	if top.Path != "" { // a folder was asked for
		top.Name = string(top.Path) + "/"
		top = &tree.Folder{Folders: []*tree.Folder{top}}
	}
	for _, root := range top.Nodes {
		rows = appendTree(rows, root, "", "")
	}
	for _, f := range top.Folders {
		rows = appendFolder(rows, f, "", "")
	}
	for i, r := range rows {
		if r.node != nil {
			r.tail = s.tail(r.node)
		}
		rows[i].tail = RenameCommands(s.Name, r.tail)
	}
	if !stats {
		for _, r := range rows {
			fmt.Fprintln(s, r.label(s.Width))
		}
		return
	}
	treeStats(s, rows)
	if n, tokens := weight(v.Roots); n > 0 {
		s.Printf("\n%s, about %s to read\n", vault.Plural(n, "memory", "memories"), vault.Plural(tokens, "token", "tokens"))
	}
}

// weight counts memories and the tokens of their texts.
func weight(nodes []*tree.OutlineNode) (n, tokens int) {
	for _, node := range nodes {
		below, more := weight(node.Children)
		n, tokens = n+1+below, tokens+node.Tokens+more
	}
	return n, tokens
}

// appendTree adds the node's row and those below it. first stands before the
// node, rest before what lies below.
func appendTree(rows []treeRow, n *tree.OutlineNode, first, rest string) []treeRow {
	rows = append(rows, treeRow{strokes: first, title: Line(n.Title), node: n})
	in := n.Loose.Group(n.Children)
	return appendBelow(rows, in, rest, max(leftOut(n)-countMissing(in), 0), Line(string(n.ID)))
}

// appendFolder adds the row of a transparent folder and those of what lies in it.
func appendFolder(rows []treeRow, f *tree.Folder, first, rest string) []treeRow {
	rows = append(rows, treeRow{strokes: first, title: Line(f.Name), tail: " (" + vault.Plural(f.Count, "memory", "memories") + ")"})
	return appendBelow(rows, f, rest, f.LeftOut, Line(f.Path.QuoteForShell())+"/")
}

// appendBelow adds the memories that lie in a folder, then the folders in it. more is how
// many there are besides, which a tree of ref shows.
func appendBelow(rows []treeRow, f *tree.Folder, rest string, more int, ref string) []treeRow {
	last := len(f.Nodes) + len(f.Folders) - 1
	strokes := func(i int) (first, below string) {
		if i == last && more == 0 {
			return rest + "└── ", rest + "    "
		}
		return rest + "├── ", rest + "│   "
	}
	for i, c := range f.Nodes {
		first, below := strokes(i)
		rows = appendTree(rows, c, first, below)
	}
	for i, sub := range f.Folders {
		first, below := strokes(len(f.Nodes) + i)
		rows = appendFolder(rows, sub, first, below)
	}
	if more > 0 {
		rows = append(rows, treeRow{strokes: rest + "└── ", tail: fmt.Sprintf("(+%d more; cp memory tree %s)", more, ref)})
	}
	return rows
}

// countMissing counts what the answer leaves out of the folders in f.
func countMissing(f *tree.Folder) (n int) {
	for _, sub := range f.Folders {
		n += sub.LeftOut + countMissing(sub)
	}
	return n
}

// leftOut tells how many of the node's open children the answer does not hold.
func leftOut(n *tree.OutlineNode) int {
	if n.Quiet && len(n.Children) == 0 {
		return 0 // they are counted in its own line
	}
	open := 0
	for _, c := range n.Children {
		if c.Status != vault.StatusClosed {
			open++
		}
	}
	return max(n.ChildCount-open, 0)
}

// tail returns the text behind a title: the id, and everything out of the ordinary.
func (s Screen) tail(n *tree.OutlineNode) string {
	t := " (" + Line(string(n.ID)) + ")"
	switch {
	case n.Status == vault.StatusDeferred && !n.Deferred.IsZero():
		t += s.describeDeferral(n.Deferred)
	case n.Status != "" && n.Status != vault.StatusOpen:
		t += " [" + Line(n.Status) + "]"
	}
	if n.Quiet {
		t += ": " + tellEntries(n.ChildCount, n.Waiting)
	}
	if n.Denied {
		t += " [denied]"
	}
	if n.Protected != "" {
		t += " [" + tree.DescribeProtection(n.Protected) + "]"
	}
	if n.Superseded != "" {
		t += supersededBy(n.Superseded)
	}
	if n.Provisional && !n.Left {
		t += " [new: run cp memory sync]"
	}
	t += describeMark(n.Mark)
	if n.Orphan {
		t += " ⚠ orphan: run cp memory sync"
	}
	return t
}

// tellEntries tells how many memories lie below one that keeps no pointers.
func tellEntries(n, waiting int) string {
	t := vault.Plural(n, "entry", "entries")
	if waiting > 0 {
		t += fmt.Sprintf(", %d to review", waiting)
	}
	return t
}

// label returns the row in at most n cells. The title is cut for it, but not below 8
// cells.
func (r treeRow) label(n int) string {
	if n > 0 && r.title != "" {
		r.title = fitCells(r.title, max(n-width(r.strokes)-width(r.tail), 8))
	}
	return r.strokes + r.title + r.tail
}

// treeStats writes the rows with columns for the counts and times.
func treeStats(s Screen, rows []treeRow) {
	reads, lasts := 0, 0
	for _, r := range rows {
		if r.node != nil {
			reads = max(reads, len(fmt.Sprint(r.node.AccessCount)))
			lasts = max(lasts, len(last(r.node.LastAccessed, s.Now)))
		}
	}
	limit := 0
	if s.Width > 0 {
		limit = max(s.Width-len("  ")-reads-len(" reads  ")-lasts-width("  ★"), 24)
	}
	labels, column := make([]string, len(rows)), 0
	for i, r := range rows {
		labels[i] = r.label(limit)
		if w := width(labels[i]); r.node != nil && (limit == 0 || w <= limit) { // a wider one, deep and marked, moves no other
			column = max(column, w)
		}
	}
	for i, r := range rows {
		if r.node == nil {
			fmt.Fprintln(s, labels[i])
			continue
		}
		line := fmt.Sprintf("%s  %*d reads  %s", pad(labels[i], column), reads, r.node.AccessCount, pad(last(r.node.LastAccessed, s.Now), lasts))
		if r.node.Hot {
			line += "  ★"
		}
		fmt.Fprintln(s, strings.TrimRight(line, " "))
	}
}

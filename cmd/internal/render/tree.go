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
	node                 *tree.OutlineNode // nil for a line about what was left out
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
	for _, root := range v.Roots {
		rows = appendTree(rows, root, "", "")
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
	rows = append(rows, treeRow{first, Line(n.Title), tail(n), n})
	more := leftOut(n)
	for i, c := range n.Children {
		if i == len(n.Children)-1 && more == 0 {
			rows = appendTree(rows, c, rest+"└── ", rest+"    ")
		} else {
			rows = appendTree(rows, c, rest+"├── ", rest+"│   ")
		}
	}
	if more > 0 {
		rows = append(rows, treeRow{strokes: rest + "└── ", tail: fmt.Sprintf("(+%d more; cp memory tree %s)", more, Line(string(n.ID)))})
	}
	return rows
}

// leftOut tells how many of the node's open children the answer does not hold.
func leftOut(n *tree.OutlineNode) int {
	open := 0
	for _, c := range n.Children {
		if c.Status != vault.StatusClosed {
			open++
		}
	}
	return max(n.ChildCount-open, 0)
}

// tail returns the text behind a title: the id, and everything out of the ordinary.
func tail(n *tree.OutlineNode) string {
	t := " (" + Line(string(n.ID)) + ")"
	if n.Status != "" && n.Status != vault.StatusOpen {
		t += " [" + Line(n.Status) + "]"
	}
	if n.Superseded != "" {
		t += supersededBy(n.Superseded)
	}
	if n.Provisional {
		t += " [new: run cp memory sync]"
	}
	t += pending(n.Pending)
	if n.Orphan {
		t += " ⚠ orphan: run cp memory sync"
	}
	return t
}

// label returns the row in at most n cells. The title is cut for it, but not below 8
// cells.
func (r treeRow) label(n int) string {
	if n > 0 && r.node != nil {
		r.title = fit(r.title, max(n-width(r.strokes)-width(r.tail), 8))
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
		if r.node != nil {
			column = max(column, width(labels[i]))
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

package render

import (
	"fmt"
	"strings"
	"time"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/tree"
)

// List writes a page of memories.
func List(s Screen, rows []tree.ListRow) {
	where := apartIn(rows)
	columns := []Column{{Title: "ID", Min: 9}, {Title: "CREATED"}}
	of, several := whose(s, rows, rowProject)
	if several {
		columns = append(columns, Column{Title: "PROJECT"})
	}
	table(s, append(columns, Column{Title: "CONTENT", Flex: true}), rows, func(r tree.ListRow) []string {
		cells := []string{string(r.ID), date(r.Created)}
		if several {
			cells = append(cells, of(r))
		}
		return append(cells, r.Title+where(r)+s.describeDeferral(r.Deferred)+successor(r)+describeReview(r.Standing)+describeMark(r.Mark))
	})
}

// rowProject tells the project of a row.
func rowProject(r tree.ListRow) (name, path string) { return r.Project, r.ProjectPath }

// Hits writes the results of a search: the table of [List], each row with its
// best passage below it.
func Hits(s Screen, rows []tree.ListRow) {
	where := apartIn(rows)
	id := len("ID       ")
	for _, r := range rows {
		id = max(id, width(Line(string(r.ID))))
	}
	head, project := "", 0
	label, several := whose(s, rows, rowProject)
	if several {
		project = len("PROJECT")
		for _, r := range rows {
			project = max(project, width(label(r)))
		}
		head = pad("PROJECT", project) + "  "
		project += 2
	}
	fmt.Fprintln(s, string(s.bold(pad("ID", id)+"  CREATED     "+head+"CONTENT")))
	indent := id + 2 + len("2006-01-02") + 2 + project
	for _, r := range rows {
		of := ""
		if project > 0 {
			of = pad(label(r), project)
		}
		fmt.Fprintln(s, pad(Line(string(r.ID)), id)+"  "+pad(date(r.Created), 10)+"  "+of+s.rest(r.Title+where(r), indent)+successor(r)+describeReview(r.Standing)+describeMark(r.Mark))
		if r.Snippet != "" {
			fmt.Fprintln(s, spaces(indent)+string(s.dim(s.rest(r.Snippet, indent))))
		}
	}
}

// describeDeferral tells until when a memory is out of the lists, while it is.
func (s Screen) describeDeferral(until time.Time) string {
	if !until.After(s.Now) {
		return ""
	}
	return " [deferred until " + date(until) + "]"
}

func successor(r tree.ListRow) string {
	if r.Superseded == "" {
		return ""
	}
	return supersededBy(r.Superseded)
}

// rest makes text safe and cuts it to what is left of the line after indent cells.
func (s Screen) rest(text string, indent int) string {
	if s.Width == 0 {
		return Line(text)
	}
	return fitCells(Line(text), max(s.Width-indent, minFlex))
}

// Files writes a page of files of any type.
func Files(s Screen, rows []tree.ListRow) {
	where := apartIn(rows)
	of := bracketProjects(s, rows, rowProject)
	table(s, []Column{{Title: "ID", Min: 9}, {Title: "TYPE"}, {Title: "STATUS"}, {Title: "CREATED"}, {Title: "TITLE", Flex: true}}, rows, func(r tree.ListRow) []string {
		return []string{string(r.ID), r.Type, r.Status, date(r.Created), r.Title + where(r) + of(r)}
	})
}

const hotTitle = "PROMOTION CANDIDATES (children accessed more than parent)"

// Hot writes the promotion candidates and a suggestion for the first.
func Hot(s Screen, rows []tree.HotRow) {
	if len(rows) == 0 {
		s.Println("No promotion candidates found.")
		return
	}
	where := newTitleSuffix(rows, func(r tree.HotRow) entry { return entry{r.Title, r.ProjectPath, r.Path, r.Folder} })
	of := bracketProjects(s, rows, func(r tree.HotRow) (name, path string) { return r.Project, r.ProjectPath })
	fmt.Fprintf(s, "%s\n%s\n", s.bold(hotTitle), strings.Repeat("─", width(hotTitle)))
	table(s, []Column{
		{Title: "ID", Min: 9}, {Title: "DEPTH"}, {Title: "READS"}, {Title: "PARENT READS"},
		{Title: "TITLE", Min: 23, Flex: true}, {Title: "PARENT", Flex: true},
	}, rows, func(r tree.HotRow) []string {
		return []string{string(r.ID), fmt.Sprint(r.Depth), fmt.Sprint(r.AccessCount), fmt.Sprint(r.ParentAccessCount), r.Title + where(r) + of(r) + describeMark(r.Mark), r.ParentTitle}
	})
	s.Printf("\nSuggestion: %s\n", suggestion(rows[0]))
}

// suggestion names how much more often the memory is read, unless its parent
// never was, and where it would go.
func suggestion(r tree.HotRow) string {
	where := "root"
	if r.Depth > 1 {
		where = fmt.Sprintf("depth %d", r.Depth-1)
	}
	reads := fmt.Sprintf("%s was read %s, its parent never", r.ID, vault.Plural(r.AccessCount, "time", "times"))
	if r.ParentAccessCount > 0 {
		reads = fmt.Sprintf("%s has %s parent reads", r.ID, times(r.AccessCount, r.ParentAccessCount))
	}
	return fmt.Sprintf("%s — consider promoting to %s.", reads, where)
}

// times is a ratio with at most one decimal: "2x", "1.4x".
func times(n, of int) string {
	return strings.TrimSuffix(fmt.Sprintf("%.1f", float64(n)/float64(of)), ".0") + "x"
}

// EdgeRow is one edge, in the form for programs.
type EdgeRow struct {
	Direction string   `json:"direction"` // "outgoing" or "incoming"
	EdgeType  string   `json:"edge_type"`
	ID        vault.ID `json:"id"` // the far end; empty when it does not resolve
	Type      string   `json:"type"`
	Status    string   `json:"status"`
	Title     string   `json:"title"`
	Summary   string   `json:"summary,omitempty"`
	Target    string   `json:"target,omitempty"`      // as written, where it does not resolve
	New       bool     `json:"provisional,omitempty"` // the far end has no id of its own yet
}

// EdgeRows turns edges into rows.
func EdgeRows(edges []vault.Edge) []EdgeRow {
	rows := make([]EdgeRow, len(edges))
	for i, e := range edges {
		rows[i] = EdgeRow{
			Direction: "incoming", EdgeType: e.Kind, ID: e.Other.ID, Type: e.Other.Type, Status: e.Other.Status,
			Title: e.Other.Title, Summary: e.Summary, Target: e.Target, New: e.Other.ID.Provisional(),
		}
		if e.Outgoing {
			rows[i].Direction = "outgoing"
		}
	}
	return rows
}

// Edges writes a table of edges.
func Edges(s Screen, rows []EdgeRow) {
	if len(rows) == 0 {
		s.Println("No edges found.")
		return
	}
	table(s, []Column{{Title: "DIRECTION"}, {Title: "EDGE TYPE"}, {Title: "SHARD"}, {Title: "TYPE"}, {Title: "STATUS"}, {Title: "TITLE", Flex: true}}, rows, func(r EdgeRow) []string {
		id, title := string(r.ID), r.Title
		if id == "" {
			id, title = "-", r.Target+" (not found)"
		}
		return []string{r.Direction, r.EdgeType, id, r.Type, r.Status, title}
	})
}

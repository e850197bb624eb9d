package index

import (
	"context"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/cp-memory/cp/index/query"
	"github.com/cp-memory/cp/index/sqlite"
)

// wholeVault are the statements that ask about every file, and so may read
// every row. All others find theirs by an index.
var wholeVault = []string{
	"SELECT path, mark, hash FROM files WHERE disk",     // knownFiles
	"SELECT path FROM files WHERE head <> x''",          // forgetHeads
	"SELECT count(*), coalesce(sum(status",              // Counts
	"SELECT count(*) FROM files WHERE hash <> head",     // Counts
	"SELECT path, kind, line, msg FROM (",               // problems
	"SELECT count(*) FROM (SELECT 1 FROM files",         // outnumbered; no more than it asks about
	"SELECT type, count(*) FROM memories WHERE type <>", // Tally, in an index of what is no memory of the tree
	"SELECT (SELECT count(*) FROM graph_node_rows)",     // graph.Counts
	"SELECT m.project, m.code",                          // Parts, in an index of the parts alone
	"DELETE FROM reads",
	"SELECT id, coalesce(created, ?), held",                 // all facts files are filled in
	"UPDATE files SET place = NULL WHERE place IS NOT NULL", // the history is asked anew
}

// TestStatementsUseIndexes explains every statement in the package's source. A
// scan in a statement that runs for each file or link makes the time quadratic.
func TestStatementsUseIndexes(t *testing.T) {
	f := newFolder(t, false)
	crowd(f, 300)
	d := f.caughtUp()
	big := regexp.MustCompile(`^SCAN (files|memories|names|links|labels|pointers|memory_nodes|memory_edges|graph_node_rows|graph_edge_rows|m|f|l|k|q|p|c|s|g|e)\b`)
	explained := 0
	err := d.view(context.Background(), func(x *tx) error {
		for _, query := range statements(t) {
			if slices.ContainsFunc(wholeVault, func(s string) bool { return strings.HasPrefix(query, s) }) {
				continue
			}
			plan, err := sqlite.All(x.Tx, "EXPLAIN QUERY PLAN "+query, make([]any, parameters(query)), func(r *sqlite.Row) string {
				r.Scan(new(int), new(int), new(int))
				return r.Text()
			})
			if err != nil {
				t.Errorf("%s: %v", query, err)
				continue
			}
			explained++
			for _, detail := range plan {
				if big.MatchString(detail) && !strings.HasSuffix(detail, " files_drift") { // which holds what differs alone
					t.Errorf("%s\nreads every row: %s", query, detail)
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if explained < 40 {
		t.Errorf("only %d statements were found in the source", explained)
	}
}

// statements returns the complete SQL statements among the string literals of the package, and of
// the rooms that read the same tables.
func statements(t *testing.T) []string {
	t.Helper()
	var names []string
	for _, room := range []string{"*.go", "query/around.go", "query/links.go", "query/move.go", "query/n*.go", "query/siblings.go", "internal/graph/*.go"} {
		more, err := filepath.Glob(room)
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, more...)
	}
	var all []string
	begins := regexp.MustCompile(`^(SELECT|INSERT|UPDATE|DELETE|WITH) `)
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if sum, ok := n.(*ast.BinaryExpr); ok && sum.Op == token.ADD {
				if text, ok := join(sum); ok && begins.MatchString(text) {
					all = append(all, text)
				}
				return false // a part is no statement
			}
			if n, ok := n.(*ast.GenDecl); ok && n.Tok == token.CONST {
				return false // the parts of what is listed below
			}
			if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
				if text, err := strconv.Unquote(lit.Value); err == nil && begins.MatchString(text) {
					all = append(all, text)
				}
			}
			return true
		})
	}
	// What is put together from parts at run time, as it comes out.
	return append(all,
		nodeColumns+`WHERE m.n IN (SELECT n FROM memories WHERE id = ? UNION ALL SELECT n FROM files WHERE path IN (?, ? || '.md')) ORDER BY m.id = ? DESC, f.path LIMIT 1`,
		nodeColumns+`WHERE m.id >= ? AND m.id < ? ORDER BY m.id LIMIT ?`,
		nodeColumns+`WHERE m.held = 2 AND m.parent = (SELECT n FROM memories WHERE id = ?)`+displayOrder,
		nodeColumns+`WHERE m.held = 2 AND m.n IN (`+query.Subtree+`)`,
		nodeColumns+`WHERE m.n IN (SELECT value FROM json_each(?))`,
		entryColumns+`WHERE f.path = ?`,
		entryColumns+`WHERE f.path IN (SELECT value FROM json_each(?))`,
		entryColumns+`WHERE f.n IN (SELECT value FROM json_each(?))`,
		`SELECT m.n, f.path FROM files f CROSS JOIN memories m ON m.n = f.n WHERE f.n = ?`,
		`SELECT m.n, f.path FROM files f CROSS JOIN memories m ON m.n = f.n WHERE f.path > ? AND f.path < ?`,
	)
}

// join concatenates a sum of literals and of what a link means.
func join(e ast.Expr) (string, bool) {
	switch e := e.(type) {
	case *ast.BasicLit:
		text, err := strconv.Unquote(e.Value)
		return text, err == nil
	case *ast.Ident:
		return query.MeantTarget, e.Name == "meant"
	case *ast.BinaryExpr:
		left, ok := join(e.X)
		right, also := join(e.Y)
		return left + right, ok && also
	}
	return "", false
}

// parameters counts the parameters of a statement.
func parameters(query string) int {
	n, plain := 0, 0
	for _, m := range regexp.MustCompile(`\?(\d*)`).FindAllStringSubmatch(query, -1) {
		if m[1] == "" {
			plain++
		} else if k, _ := strconv.Atoi(m[1]); k > n {
			n = k
		}
	}
	return n + plain
}

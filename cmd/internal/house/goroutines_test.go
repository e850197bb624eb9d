package house

import (
	"bytes"
	"go/ast"
	"go/printer"
	"strings"
	"testing"
)

// unguarded are the goroutines without a guard, by file, with how many there are and why a panic
// in them cannot end the program, or is nobody's to meet.
var unguarded = map[string]struct {
	count int
	why   string
}{
	"cmd/internal/tui/lines.go":              {1, "reads a line"},
	"cmd/internal/render/screen.go":          {1, "draws progress"},
	"cmd/internal/cli/agents/hook.go":        {1, "reads the input of a hook"},
	"cmd/internal/cli/browse/browse.go":      {3, "net/http guards each request, run guards itself, and more reads a line"},
	"cmd/internal/cli/browse/keep.go":        {2, "both guard themselves at each turn"},
	"cmd/internal/web/titles.go":             {1, "behind guards itself"},
	"cmd/internal/wire/main.go":              {1, "waits for a signal"},
	"cmd/internal/console/stdin.go":          {1, "reads the input"},
	"cmd/internal/console/ask.go":            {1, "reads a line"},
	"cmd/internal/knowledge/watch.go":        {1, "the loop guards each turn"},
	"index/internal/graph/factfiles_fill.go": {1, "each reading is guarded"},
	"vault/graph/run.go":                     {1, "each question is guarded"},
}

// A panic in a goroutine ends the whole program with a stack, whatever guards the command. So
// each is guarded where it begins, or listed.
func TestEachGoroutineIsGuarded(t *testing.T) {
	found := make(map[string]int)
	for _, s := range sources(t) {
		if strings.HasPrefix(s.name, "testdata/") {
			continue
		}
		ast.Inspect(s.file, func(n ast.Node) bool {
			if work := begun(n); work != nil {
				var text bytes.Buffer
				if err := printer.Fprint(&text, s.fset, work); err != nil {
					t.Fatal(err)
				}
				if !strings.Contains(text.String(), "Guard(") && !strings.Contains(text.String(), "recover()") {
					found[s.name]++
				}
			}
			return true
		})
	}
	for name, n := range found {
		if unguarded[name].count != n {
			t.Errorf("%s begins %d goroutines without vault.Guard; %d are known (%s)", name, n, unguarded[name].count, unguarded[name].why)
		}
	}
	for name := range unguarded {
		if found[name] == 0 {
			t.Errorf("%s has none any more: take it out of the list", name)
		}
	}
}

// begun returns what a statement lets run beside the program: that of go, or of a WaitGroup.
func begun(n ast.Node) ast.Node {
	switch n := n.(type) {
	case *ast.GoStmt:
		return n.Call
	case *ast.CallExpr:
		if f, ok := n.Fun.(*ast.SelectorExpr); ok && f.Sel.Name == "Go" && len(n.Args) == 1 {
			return n.Args[0]
		}
	}
	return nil
}

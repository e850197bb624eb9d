package main

import (
	"context"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/about"
)

// commits is a small history: of each commit, what is done to the files. A function of ten lines is
// written @NAME, so that a text is short.
var commits = []map[string]string{
	{"a.go": "@a @b @c @d", "b.py": "@e @f @g", "c.js": "@h @i", "licence/d.go": "@l @m", "gone.go": "@l @n", "crlf.txt": "@o @p"},
	{"a.go": "@new @a @b @c @d"},                         // above
	{"a.go": "@new @a @c @b @d"},                         // two are swapped
	{"b.py": "", "lib/b.py": "@e @f @g"},                 // a file is renamed
	{"lib/b.py": "@e @f2 @g @x"},                         // and edited
	{"lib/b.py": "@e @y @z @u @v @w @x"},                 // and mostly rewritten
	{"lib/b.py": "", "src/b.py": "@e @y @z @u @v @w @x"}, // and renamed again
	{"c.js": "@h @h2 @i"},                                // a copy that begins alike
	{"gone.go": ""},                                      // one goes
	{"licence/e.go": "@l @q"},                            // another comes that begins with the same licence
	{"a.go": "@new @a @c @b2 @d"},                        // one is changed
	{"a.go": "@a @c @b2"},                                // some are gone
	{"c.js": "@h2 @i @h"},                                // one moves
	{"crlf.txt": "@p @o"},
}

// textOf writes the functions of a row out.
func textOf(row string) string {
	var b strings.Builder
	for name := range strings.FieldsSeq(row) {
		name = "task_" + name[1:]
		same := strings.TrimRight(name, "0123456789") // "b2" is "b" with one line changed
		fmt.Fprintf(&b, "/**\n * %s\n */\nfunc %s() {\n", same, same)
		for i := range 8 {
			if i == 4 {
				same = name
			}
			fmt.Fprintf(&b, "\t%s line %d\n\tif err {\n\t}\n", same, i)
		}
		b.WriteString("}\n\n")
	}
	return b.String()
}

// makeHistory returns the git directory of the small history.
func makeHistory(t *testing.T) string {
	t.Helper()
	h := history{top: t.TempDir()}
	run := func(args ...string) {
		t.Helper()
		if _, err := h.git(t.Context(), args...); err != nil {
			t.Fatal(err)
		}
	}
	run("init", "-q", "-b", "main")
	run("config", "user.name", "A")
	run("config", "user.email", "a@example.com")
	for i, commit := range commits {
		for file, row := range commit {
			at := filepath.Join(h.top, file)
			if row == "" {
				if err := os.Remove(at); err != nil {
					t.Fatal(err)
				}
				continue
			}
			if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(at, []byte(textOf(row)), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		run("add", "-A")
		run("commit", "-q", "--date", time.Unix(int64(1_700_000_000+i), 0).Format(time.RFC3339), "-m", fmt.Sprint("commit ", i))
	}
	return filepath.Join(h.top, ".git")
}

// C12: over the small history no binding is loud whose lines live on by git blame, and none is quiet whose lines are nowhere.
func TestReplayOfASmallHistory(t *testing.T) {
	r, err := replayHistory(context.Background(), makeHistory(t), replayOptions{seed: 1, back: 100, stops: 6, files: 10, windows: 8, verbose: true})
	if err != nil {
		t.Fatal(err)
	}
	if w := r.windows; w.falseLoud > 0 || w.missed > 0 || w.unknown > 0 || w.loud < 100 || w.states["moved"] < 100 || w.states["gone"] == 0 {
		t.Errorf("got %s", r)
	}
	if s := r.symbols; s.falseLoud > 0 || s.missed > 0 || s.loud == 0 || s.states["current"] == 0 {
		t.Errorf("got %s", r)
	}
}

// A wrong verdict is counted as what it is.
func TestTally(t *testing.T) {
	top := t.TempDir()
	if err := os.WriteFile(filepath.Join(top, "a.go"), []byte("x\na\nb\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	b := bound{Bound: about.Bound{Text: "a.go#L1-L2"}, file: "a.go", from: 1, to: 2, lines: []string{"a", "b"}}
	for _, row := range []struct {
		state, now string
		alive      bool
		want       string
	}{
		{"changed", "", true, "false loud"}, {"gone", "", true, "false loud"}, {"changed", "", false, ""}, {"current", "", true, ""}, {"moved", "a.go#L2-L3", false, "there all the same"},
		{"moved", "a.go#L1-L2", false, "missed"}, {"current", "", false, "missed"}, {"unknown", "", false, ""}, {"moved", "none.go#L1-L2", false, "missed"},
	} {
		var sum tally
		s := vault.BindingState{At: b.Text, State: row.state, Now: row.now}
		if got := sum.add(b, s, life{row.alive, top}); got != row.want {
			t.Errorf("%+v: got %q", row, got)
		}
	}
}

// The symbols of this program's own source stand where go/ast says.
func TestSymbolsOfOurOwnSource(t *testing.T) {
	var sum counted
	err := filepath.WalkDir("../../vault", func(file string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(file, ".go") {
			return err
		}
		source, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		for _, l := range labelsOf(t, file, source) {
			sum.all++
			if wrong := l.locate(source); wrong != "" {
				t.Log(wrong)
				continue
			}
			sum.right++
		}
		return nil
	})
	if err != nil || sum.all < 1000 || sum.right < sum.all*98/100 {
		t.Errorf("located: %s, %v", sum, err)
	}
}

// labelsOf returns the functions, methods and types of a Go file.
func labelsOf(t *testing.T, file string, source []byte) (all []label) {
	t.Helper()
	set := token.NewFileSet()
	f, err := parser.ParseFile(set, file, source, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	add := func(name string, n ast.Node) {
		at := set.Position(n.Pos()).Line
		all = append(all, label{"go", file, name, at, at, set.Position(n.End()).Line})
	}
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Name.Name != "_" && d.Name.Name != "init" {
				add(receiverOf(d)+d.Name.Name, d)
			}
		case *ast.GenDecl:
			if spec, ok := d.Specs[0].(*ast.TypeSpec); ok && len(d.Specs) == 1 && !d.Lparen.IsValid() {
				add(spec.Name.Name, d)
			}
		}
	}
	return all
}

// receiverOf returns "Pool." for a method of Pool.
func receiverOf(d *ast.FuncDecl) string {
	if d.Recv == nil {
		return ""
	}
	of := d.Recv.List[0].Type
	for {
		switch x := of.(type) {
		case *ast.StarExpr:
			of = x.X
		case *ast.IndexExpr:
			of = x.X
		case *ast.IndexListExpr:
			of = x.X
		case *ast.Ident:
			return x.Name + "."
		}
	}
}

package house

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"path/filepath"
	"strings"
	"testing"
)

// Every package says in its doc.go what it is about, and nowhere else. One that
// others build on (the stone, the hall, the rooms, the adapters) also shows its way
// in: a code block that uses it.
func TestEveryPackageIsDocumented(t *testing.T) {
	documented := make(map[string]bool)
	for _, s := range sources(t) {
		if s.file.Name.Name == "main" {
			continue
		}
		if _, seen := documented[s.pkg]; !seen {
			documented[s.pkg] = false
		}
		comment := packageComment(t, s)
		switch {
		case comment == "":
		case path.Base(s.name) != "doc.go":
			t.Errorf("%s: the package comment belongs into doc.go", s.name)
		default:
			documented[s.pkg] = true
			for _, missing := range lacks(s, comment) {
				t.Errorf("%s: %s", s.name, missing)
			}
		}
	}
	for pkg, ok := range documented {
		if !ok {
			t.Errorf("%s has no doc.go with a package comment", pkg)
		}
	}
}

// packageComment returns the comment above a file's package clause.
func packageComment(t *testing.T, s source) string {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(top, s.name), nil, parser.PackageClauseOnly|parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	return file.Doc.Text()
}

// lacks tells what is missing in a package comment.
func lacks(s source, text string) (missing []string) {
	if !strings.HasPrefix(text, "Package "+s.file.Name.Name+" ") {
		missing = append(missing, "it does not begin with the package's subject")
	}
	if !within(s.pkg, "cmd") && !showsWayIn(text, s.file.Name.Name) {
		missing = append(missing, "no code block uses the package")
	}
	return missing
}

// showsWayIn reports whether a code block of the text is Go and uses the package. A "…"
// in it stands for anything.
func showsWayIn(text, pkg string) bool {
	text = strings.NewReplacer(", …", "", "…", "").Replace(text)
	for block := range strings.SplitSeq(text, "\n\n") {
		if !strings.HasPrefix(block, "\t") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), "", "package p\nfunc _() {\n"+block+"\n}\n", parser.SkipObjectResolution)
		if err != nil {
			continue
		}
		uses := false
		ast.Inspect(file, func(n ast.Node) bool {
			x, ok := n.(*ast.SelectorExpr)
			if ok {
				id, named := x.X.(*ast.Ident)
				uses = uses || named && id.Name == pkg
			}
			return !uses
		})
		if uses {
			return true
		}
	}
	return false
}

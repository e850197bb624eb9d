package house

import (
	"bytes"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The limits of a package: its code that is no test, under whatever build tags.
// Constants and methods are no names.
const (
	maxLines   = 5700
	maxFiles   = 50
	maxNames   = 150
	maxMethods = 6
)

// size is how large a package is.
type size struct{ lines, files, names int }

// oversized are the packages that are beyond a limit, with the most they may have: none
// grows further, and one that keeps to the limit again is taken out.
var oversized = map[string]size{}

// No package is larger than a person can hold in mind.
func TestPackagesAreSmall(t *testing.T) {
	sizes := map[string]size{}
	names := map[string]map[string]bool{}
	for _, s := range sources(t) {
		text, err := os.ReadFile(filepath.Join(top, s.name))
		if err != nil {
			t.Fatal(err)
		}
		if names[s.pkg] == nil {
			names[s.pkg] = map[string]bool{}
		}
		s.exports(names[s.pkg])
		z := sizes[s.pkg]
		sizes[s.pkg] = size{z.lines + bytes.Count(text, []byte("\n")), z.files + 1, len(names[s.pkg])}
	}
	for pkg, z := range sizes {
		for _, fault := range z.beyond(oversized[pkg]) {
			t.Errorf("%s %s", pkg, fault)
		}
	}
}

// beyond tells which limits z does not keep to, or keeps to where known says that it does not.
func (z size) beyond(known size) (faults []string) {
	for _, row := range []struct {
		what              string
		has, limit, known int
	}{{"lines", z.lines, maxLines, known.lines}, {"files", z.files, maxFiles, known.files}, {"exported names", z.names, maxNames, known.names}} {
		switch most := max(row.limit, row.known); {
		case row.has > most:
			faults = append(faults, fmt.Sprintf("has %d %s; at most %d", row.has, row.what, most))
		case row.known > 0 && row.has <= row.limit:
			faults = append(faults, fmt.Sprintf("has %d %s, which is within the limit: take it out of the list", row.has, row.what))
		}
	}
	return faults
}

// exports adds the exported types, functions and variables that the file declares.
func (s source) exports(names map[string]bool) {
	add := func(id *ast.Ident) {
		if id.IsExported() {
			names[id.Name] = true
		}
	}
	for _, d := range s.file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Recv == nil {
				add(d.Name)
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				switch spec := spec.(type) {
				case *ast.TypeSpec:
					add(spec.Name)
				case *ast.ValueSpec:
					for _, id := range spec.Names {
						if d.Tok == token.VAR {
							add(id)
						}
					}
				}
			}
		}
	}
}

// wide are the interfaces with more methods than a port may have, and how many. None
// may grow, and one that is small again is taken out.
var wide = map[string]int{}

// Ports are small, and nobody asks one what it really is.
func TestPortsAreSmallAndNobodyAsksThem(t *testing.T) {
	if testing.Short() {
		t.Skip("not in make quick: it compiles the whole module")
	}
	for _, p := range typeChecked(t) {
		for _, fault := range p.interfaces() {
			t.Error(fault)
		}
		for _, fault := range p.assertions() {
			t.Error(fault)
		}
	}
}

// checked is a package with its types.
type checked struct {
	fset  *token.FileSet
	files []*ast.File
	info  *types.Info
}

// typeChecked type-checks the packages of the module, by the export data of what they import.
func typeChecked(t *testing.T) []checked {
	t.Helper()
	type listed struct {
		ImportPath, Dir, Export string
		GoFiles, CgoFiles       []string
	}
	exports := map[string]string{}
	var ours []listed
	d := json.NewDecoder(strings.NewReader(golist(t, "-export", "-deps", "-json=ImportPath,Dir,Export,GoFiles,CgoFiles", "./...")))
	for {
		var p listed
		if err := d.Decode(&p); err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		exports[p.ImportPath] = p.Export
		if within(p.ImportPath, module) {
			ours = append(ours, p)
		}
	}
	fset := token.NewFileSet()
	from := importer.ForCompiler(fset, "gc", func(path string) (io.ReadCloser, error) { return os.Open(exports[path]) })
	var all []checked
	for _, p := range ours {
		all = append(all, check(t, fset, from, p.ImportPath, sourcesIn(t, fset, p.Dir, append(p.GoFiles, p.CgoFiles...))))
	}
	return all
}

func sourcesIn(t *testing.T, fset *token.FileSet, dir string, names []string) (files []*ast.File) {
	t.Helper()
	for _, name := range names {
		f, err := parser.ParseFile(fset, filepath.Join(dir, name), nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, f)
	}
	return files
}

func check(t *testing.T, fset *token.FileSet, from types.Importer, path string, files []*ast.File) checked {
	t.Helper()
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{}}
	conf := types.Config{Importer: from, FakeImportC: true}
	if _, err := conf.Check(path, fset, files, info); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return checked{fset, files, info}
}

// interfaces tells of the interfaces that have too many methods, embedded ones included.
func (p checked) interfaces() (faults []string) {
	p.inspect(func(n ast.Node, where string) {
		expr, ok := n.(*ast.InterfaceType)
		if !ok {
			return
		}
		i, ok := p.info.Types[expr].Type.(*types.Interface)
		switch known := wide[where]; {
		case !ok:
		case i.NumMethods() > max(maxMethods, known):
			faults = append(faults, fmt.Sprintf("%s: an interface of %d methods; at most %d", where, i.NumMethods(), maxMethods))
		case known > 0 && i.NumMethods() <= maxMethods:
			faults = append(faults, where+" is small: take it out of the list")
		}
	})
	return faults
}

// assertions tells where an interface of ours is asked which type stands behind it.
func (p checked) assertions() (faults []string) {
	p.inspect(func(n ast.Node, where string) {
		a, ok := n.(*ast.TypeAssertExpr)
		if !ok {
			return
		}
		if port := p.port(a.X); port != "" {
			faults = append(faults, fmt.Sprintf("%s: asks a %s what it really is", where, port))
		}
	})
	return faults
}

// port returns the name of the type of x where it is an interface of ours; a
// conversion to another interface hides nothing.
func (p checked) port(x ast.Expr) string {
	x = ast.Unparen(x)
	if call, ok := x.(*ast.CallExpr); ok && len(call.Args) == 1 && p.info.Types[call.Fun].IsType() {
		if inner := p.port(call.Args[0]); inner != "" {
			return inner
		}
	}
	named, ok := types.Unalias(p.info.TypeOf(x)).(*types.Named)
	if !ok || named.Obj().Pkg() == nil || !within(named.Obj().Pkg().Path(), module) || !types.IsInterface(named) {
		return ""
	}
	return named.Obj().Pkg().Name() + "." + named.Obj().Name()
}

// inspect calls fn for each node, with its file and the declaration it stands in:
// "vault/ports.go Writer".
func (p checked) inspect(fn func(n ast.Node, where string)) {
	dir, _ := filepath.Abs(top)
	for _, f := range p.files {
		file, _ := filepath.Rel(dir, p.fset.Position(f.Pos()).Filename)
		for _, d := range f.Decls {
			in := ""
			if d, ok := d.(*ast.FuncDecl); ok {
				in = " " + d.Name.Name
			}
			ast.Inspect(d, func(n ast.Node) bool {
				if spec, ok := n.(*ast.TypeSpec); ok {
					in = " " + spec.Name.Name
				}
				if n != nil {
					fn(n, filepath.ToSlash(file)+in)
				}
				return true
			})
		}
	}
}

// The limits see what they are there to see.
func TestTheLimitsSee(t *testing.T) {
	if got := (size{maxLines + 1, maxFiles + 1, maxNames + 1}).beyond(size{}); len(got) != 3 {
		t.Errorf("too large: got %q", got)
	}
	if got := (size{lines: maxLines}).beyond(size{lines: maxLines + 200}); len(got) != 1 {
		t.Errorf("within the limit again: got %q", got)
	}
	if got := (size{lines: maxLines + 100}).beyond(size{lines: maxLines + 200}); len(got) != 0 {
		t.Errorf("in the list: got %q", got)
	}
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "p.go", `package p
		type small interface{ A(); B() }
		type Large interface{ small; C(); D(); E(); F(); G() }
		type generic[T any] interface{ Get() T }
		const Free = 1
		var Counted, hidden = 1, 2
		func Counts() {}
		func (x t) Not() {}
		type t struct{}
		func ask(s small, e error, x any, g generic[int]) {
			_, _ = s.(t)
			_, _ = any(s).(t)
			switch (s).(type) {}
			_, _ = g.(interface{ Set(int) })
			_, _ = e.(interface{ Temporary() bool })
			_, _ = x.(t)
		}
		func (t) A() {}
		func (t) B() {}`, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]bool{}
	source{file: file}.exports(names)
	if len(names) != 3 {
		t.Errorf("exported names: got %v, want Large, Counted and Counts", names)
	}
	p := check(t, fset, importer.Default(), module+"/p", []*ast.File{file})
	if got := p.interfaces(); len(got) != 1 || !strings.Contains(got[0], "Large: an interface of 7 methods") {
		t.Errorf("wide interfaces: got %q", got)
	}
	if got := p.assertions(); len(got) != 4 {
		t.Errorf("assertions: got %q, want the four on small and generic", got)
	}
}

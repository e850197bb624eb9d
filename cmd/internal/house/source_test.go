package house

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// top is the top of the module as seen from this package.
const top = "../../.."

// source is one Go file that is not a test, under whatever build tags: a list
// made by the go command would leave out those of other systems.
type source struct {
	pkg     string // its folder, relative to the top: "cmd/cp"
	name    string // the file, relative to the top
	imports []string
	file    *ast.File
	fset    *token.FileSet
}

// sources returns the module, parsed once for all tests. Nobody changes it.
func sources(t *testing.T) []source {
	t.Helper()
	all, err := parseModule()
	if err != nil {
		t.Fatal(err)
	}
	return all
}

var parseModule = sync.OnceValues(func() (all []source, err error) {
	err = filepath.WalkDir(top, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && path != top && (d.Name() == "testdata" || path == filepath.Join(top, "demo") || strings.HasPrefix(d.Name(), ".")):
			return filepath.SkipDir
		case d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go"):
			return nil
		}
		name, err := filepath.Rel(top, path)
		if err != nil {
			return err
		}
		s, err := parse(filepath.ToSlash(name), path, nil)
		all = append(all, s)
		return err
	})
	return all, err
})

// parse reads one file: from text, or from path when text is nil.
func parse(name, path string, text any) (source, error) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, path, text, parser.SkipObjectResolution)
	if err != nil {
		return source{}, err
	}
	s := source{pkg: filepath.ToSlash(filepath.Dir(name)), name: name, file: file, fset: fset}
	for _, spec := range file.Imports {
		p, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			return source{}, err
		}
		s.imports = append(s.imports, p)
	}
	return s, nil
}

// packageOf returns the import path that the identifier x stands for; empty
// when it is no package's name.
func (s source) packageOf(x ast.Expr) string {
	id, ok := x.(*ast.Ident)
	if !ok {
		return ""
	}
	for i, spec := range s.file.Imports {
		if spec.Name != nil && spec.Name.Name == id.Name || spec.Name == nil && baseName(s.imports[i]) == id.Name {
			return s.imports[i]
		}
	}
	return ""
}

// baseName returns the last element of an import path that is not a version.
func baseName(path string) string {
	parts := strings.Split(path, "/")
	last := parts[len(parts)-1]
	if len(parts) > 1 && len(last) > 1 && last[0] == 'v' && strings.Trim(last[1:], "0123456789") == "" {
		return parts[len(parts)-2]
	}
	return last
}

// find returns one line for each node for which what is not empty.
func (s source) find(what func(ast.Node) string) []string {
	var found []string
	ast.Inspect(s.file, func(n ast.Node) bool {
		if n == nil {
			return false
		}
		if w := what(n); w != "" {
			found = append(found, fmt.Sprintf("%s:%d: %s", s.name, s.fset.Position(n.Pos()).Line, w))
		}
		return true
	})
	return found
}

// selected returns the package and the name of a selector like os.Rename.
func (s source) selected(n ast.Node) (pkg, name string) {
	if sel, ok := n.(*ast.SelectorExpr); ok {
		return s.packageOf(sel.X), sel.Sel.Name
	}
	return "", ""
}

var clocks = strings.Fields("Now Since Until Sleep After AfterFunc Tick NewTicker NewTimer Local")

// clock finds where the file asks the clock.
func (s source) clock() []string {
	return s.find(func(n ast.Node) string {
		if pkg, name := s.selected(n); pkg == "time" && slices.Contains(clocks, name) {
			return "asks the clock: time." + name
		}
		return ""
	})
}

// prints finds where the file writes to the process's streams.
func (s source) prints() []string {
	return s.find(func(n ast.Node) string {
		pkg, name := s.selected(n)
		call, isCall := n.(*ast.CallExpr)
		switch {
		case pkg == "fmt" && strings.HasPrefix(name, "Print"):
			return "prints: fmt." + name
		case pkg == "os" && (name == "Stdin" || name == "Stdout" || name == "Stderr"):
			return "uses os." + name
		case isCall && builtinPrint(call.Fun):
			return "prints: print"
		}
		return ""
	})
}

func builtinPrint(f ast.Expr) bool {
	id, ok := f.(*ast.Ident)
	return ok && (id.Name == "print" || id.Name == "println")
}

// changing are the functions of os, syscall and x/sys that change the file system.
var changing = strings.Fields(`WriteFile Create CreateTemp MkdirTemp Mkdir MkdirAll Rename Remove RemoveAll Link Symlink Chmod Chown
	Lchown Chtimes Truncate CopyFS Renameat Renameat2 Unlink Unlinkat Mkdirat Linkat Symlinkat Rmdir Fchmod Fchmodat Utimes
	UtimesNano UtimesNanoAt Fallocate Ftruncate RenameatxNp Mknod Mkfifo`)

// changes finds where the file changes the file system.
func (s source) changes() []string {
	return s.find(func(n ast.Node) string {
		pkg, name := s.selected(n)
		if (pkg == "os" || pkg == "syscall" || within(pkg, "golang.org/x/sys")) && slices.Contains(changing, name) {
			return "changes the file system: " + baseName(pkg) + "." + name
		}
		if call, ok := n.(*ast.CallExpr); ok {
			return s.opensForWriting(call)
		}
		return ""
	})
}

// reading are the flags of an open that changes nothing.
var reading = strings.Fields("O_RDONLY O_NONBLOCK O_NOFOLLOW O_DIRECTORY O_CLOEXEC O_NOATIME O_PATH")

// opensForWriting tells of a call that opens a file in any other way than with
// the flags of reading, written out in the call.
func (s source) opensForWriting(call *ast.CallExpr) string {
	sel, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || !strings.HasPrefix(sel.Sel.Name, "Open") || len(call.Args) < 3 {
		return ""
	}
	if pkg, _ := s.selected(sel); within(pkg, module) { // opens a store or an index
		return ""
	}
	var flags []string
	for _, arg := range call.Args {
		ast.Inspect(arg, func(n ast.Node) bool {
			if _, name := s.selected(n); strings.HasPrefix(name, "O_") {
				flags = append(flags, name)
			}
			return true
		})
	}
	foreign := slices.ContainsFunc(flags, func(f string) bool { return !slices.Contains(reading, f) })
	if len(flags) > 0 && !foreign {
		return ""
	}
	return "opens a file for writing: " + sel.Sel.Name
}

// The scan sees what it is there to see; else the policy would hold by blindness.
func TestTheScanSees(t *testing.T) {
	clock, prints, changes := source.clock, source.prints, source.changes
	for _, row := range []struct {
		name, imports, body string
		scan                func(source) []string
		want                int
	}{
		{"the clock", `"time"`, `_ = time.Now()`, clock, 1},
		{"the clock as a value", `"time"`, `now := time.Now; _ = now`, clock, 1},
		{"a duration is no clock", `"time"`, `_ = 3 * time.Second`, clock, 0},
		{"the clock under another name", `t "time"`, `_ = t.Since(t.Time{})`, clock, 1},
		{"printing", `"fmt"`, `fmt.Println("x")`, prints, 1},
		{"formatting is not printing", `"fmt"`, `_ = fmt.Sprint("x")`, prints, 0},
		{"a stream", `"os"`, `_ = os.Stderr`, prints, 1},
		{"the builtin", ``, `println("x")`, prints, 1},
		{"a rename", `"os"`, `_ = os.Rename("a", "b")`, changes, 1},
		{"a system call", `"golang.org/x/sys/unix"`, `_ = unix.Renameat2(0, "a", 0, "b", 0)`, changes, 1},
		{"reading", `"os"`, `_, _ = os.ReadFile("a")`, changes, 0},
		{"opening to read", `"os"`, `_, _ = os.OpenFile("a", os.O_RDONLY, 0)`, changes, 0},
		{"opening to read, never waiting", `"os"; "syscall"`, `_, _ = os.OpenFile("a", os.O_RDONLY|syscall.O_NONBLOCK, 0)`, changes, 0},
		{"opening to write", `"os"`, `_, _ = os.OpenFile("a", os.O_RDWR|os.O_CREATE, 0o600)`, changes, 1},
		{"opening with flags from elsewhere", `"os"`, `f := 0; _, _ = os.OpenFile("a", f, 0)`, changes, 1},
		{"opening beneath a root", ``, `var root R; root.OpenFile("a", 1, 0)`, changes, 1},
	} {
		t.Run(row.name, func(t *testing.T) {
			text := "package p\nimport (" + row.imports + ")\nfunc f() {\n" + row.body + "\n}\n"
			s, err := parse("p/p.go", "p.go", text)
			if err != nil {
				t.Fatal(err)
			}
			if got := row.scan(s); len(got) != row.want {
				t.Errorf("found %q, want %d", got, row.want)
			}
		})
	}
}

// golist returns what go list prints of the module.
func golist(t *testing.T, args ...string) string {
	t.Helper()
	list := exec.Command("go", append([]string{"list", "-tags", "sqlite_fts5"}, args...)...)
	list.Dir = top
	var stderr strings.Builder
	list.Stderr = &stderr
	out, err := list.Output()
	if err != nil {
		t.Fatalf("go list %s: %v\n%s", strings.Join(args, " "), err, stderr.String())
	}
	return string(out)
}

// eager tells where an argument of cmp.Or behind the first does something: it is evaluated
// whatever the first one is.
func (s source) eager() []string {
	return s.find(func(n ast.Node) string {
		call, ok := n.(*ast.CallExpr)
		if !ok || len(call.Args) < 2 {
			return ""
		}
		if pkg, name := s.selected(call.Fun); pkg != "cmp" || name != "Or" {
			return ""
		}
		does := ""
		for _, arg := range call.Args[1:] {
			ast.Inspect(arg, func(n ast.Node) bool {
				if inner, ok := n.(*ast.CallExpr); ok && s.isDeed(inner) {
					does = "cmp.Or has an argument that is called in any case"
				}
				return true
			})
		}
		return does
	})
}

// isDeed reports whether a call is a method of a transaction, or takes a context to work in.
func (s source) isDeed(call *ast.CallExpr) bool {
	if pkg, name := s.selected(call.Fun); pkg == "context" && name == "Cause" {
		return false
	}
	if f, ok := call.Fun.(*ast.SelectorExpr); ok && isNamed(f.X, "tx") {
		return true
	}
	return slices.ContainsFunc(call.Args, func(arg ast.Expr) bool { return isNamed(arg, "ctx") || isNamed(arg, "tx") })
}

func isNamed(x ast.Expr, name string) bool {
	id, ok := x.(*ast.Ident)
	return ok && id.Name == name
}

// cmp.Or takes values, and checks that change nothing.
func TestOrChangesNothing(t *testing.T) {
	for _, s := range sources(t) {
		for _, f := range s.eager() {
			t.Error(f)
		}
	}
	s, err := parse("x.go", "p", `package p
		import ("cmp"; "context")
		func f(ctx context.Context, tx t, a, b error) error {
			_ = cmp.Or(a, b, context.Cause(ctx), g(a))
			_ = cmp.Or(tx.Edit(), a)
			_ = cmp.Or(a, tx.Edit())
			return cmp.Or(a, g(ctx))
		}`)
	if got := s.eager(); err != nil || len(got) != 2 {
		t.Errorf("got %q, %v; want the last two", got, err)
	}
}

// secretive tells where an outcome has warnings that no face would find.
func (s source) secretive() []string {
	return s.find(func(n ast.Node) string {
		spec, ok := n.(*ast.TypeSpec)
		if !ok || spec.Name.Name == "Warned" {
			return ""
		}
		if of, ok := spec.Type.(*ast.StructType); ok && slices.ContainsFunc(of.Fields.List, isUnsaid) {
			return spec.Name.Name + " has a field Warnings that is not in its JSON: embed vault.Warned, by which faces find it"
		}
		return ""
	})
}

func isUnsaid(f *ast.Field) bool {
	return len(f.Names) == 1 && f.Names[0].Name == "Warnings" && f.Tag != nil && f.Tag.Value == "`json:\"-\"`"
}

// What an outcome warns of is told by every face.
func TestWarningsAreFound(t *testing.T) {
	for _, s := range sources(t) {
		for _, f := range s.secretive() {
			t.Error(f)
		}
	}
	s, err := parse("x.go", "p", "package p\ntype a struct {\n\tWarnings []string `json:\"-\"`\n}\ntype b struct {\n\tWarnings []string `json:\"warnings\"`\n}\n")
	if got := s.secretive(); err != nil || len(got) != 1 {
		t.Errorf("got %q, %v; want the first one", got, err)
	}
}

package house

import (
	"go/ast"
	"slices"
	"strings"
	"testing"
)

// idioms are the names that Go's library gave a meaning, and the verbs of all rooms: they may
// stand in any number of packages.
var idioms = []string{
	"Add", "Close", "Do", "Error", "Get", "Len", "List", "Name", "New", "Open", "Parse", "Plan", "Read", "Run", "Set", "String",
	"UnmarshalJSON", "Write", "init", "main",
}

// mostPackages is in how many packages one name of a function may stand.
const mostPackages = 4

// A name can be found: a function says what it does to what, so one name means one thing.
func TestNamesCanBeFound(t *testing.T) {
	for name, where := range shared(sources(t)) {
		t.Errorf("%s is the name of a function in %d packages, most is %d: %s. Say what it does to what (CONTRIBUTING.md)",
			name, len(where), mostPackages, strings.Join(where, ", "))
	}
}

// shared returns the names of functions that stand in too many packages, with these.
func shared(all []source) map[string][]string {
	where := map[string][]string{}
	for _, s := range all {
		for _, d := range s.file.Decls {
			f, ok := d.(*ast.FuncDecl)
			if ok && !slices.Contains(idioms, f.Name.Name) && !slices.Contains(where[f.Name.Name], s.pkg) {
				where[f.Name.Name] = append(where[f.Name.Name], s.pkg)
			}
		}
	}
	for name, packages := range where {
		if len(packages) <= mostPackages {
			delete(where, name)
		}
	}
	return where
}

// participles are the irregular ones among the names that TestFunctionsAreVerbs refuses.
var participles = strings.Fields("begun bound built chosen drawn found given gone held hidden kept known lost made meant said seen sent shown spoken taken told written")

// nouns end like a participle, and are none.
var nouns = []string{"embed", "red", "succeed"}

// A function is not named by what has been done: that is the name of a value.
func TestFunctionsAreVerbs(t *testing.T) {
	for _, s := range sources(t) {
		for _, d := range s.file.Decls {
			f, ok := d.(*ast.FuncDecl)
			if ok && isParticiple(f.Name.Name) {
				t.Errorf("%s: %s is what has been done: say what the function does, or ask with is, has or can", s.name, f.Name.Name)
			}
		}
	}
}

// isParticiple reports whether a name is one word that tells of the past.
func isParticiple(name string) bool {
	word := strings.ToLower(name)
	if strings.ToLower(name[1:]) != name[1:] || slices.Contains(nouns, word) {
		return false
	}
	return strings.HasSuffix(word, "ed") || slices.Contains(participles, word)
}

// The rule sees a method beside functions, counts a package once, and leaves idioms alone.
func TestTheRuleOfNamesSees(t *testing.T) {
	var all []source
	for _, pkg := range []string{"a", "b", "c", "d", "e"} {
		for file, text := range map[string]string{"x.go": "package x\nfunc (t T) look() {}\nfunc String() {}", "y.go": "package x\nfunc look() {}"} {
			s, err := parse(pkg+"/"+file, "", text)
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, s)
		}
	}
	if got := shared(all); len(got) != 1 || len(got["look"]) != 5 {
		t.Errorf("the rule sees %v, want look in five packages", got)
	}
	for name, want := range map[string]bool{"told": true, "Asked": true, "listChanged": false, "Embed": false, "ed": true, "isMoved": false, "read": false} {
		if isParticiple(name) != want {
			t.Errorf("%s: got %t", name, !want)
		}
	}
	if got := shared(all[:8]); len(got) != 0 {
		t.Errorf("in four packages the rule sees %v", got)
	}
}

package about_test

import (
	"strings"
	"testing"

	"github.com/cp-memory/cp/vault/about"
)

func TestCovers(t *testing.T) {
	for _, row := range []struct {
		binding string
		covers  string // paths
		not     string
	}{
		{"src/a.py", "src/a.py", "src/a.pyc src/a.py/x a.py"},
		{"src/a.py#L3", "src/a.py", "src/b.py"},
		{"src/", "src/a.py src/b/c.py", "src srcs/a.py a/src/b"},
		{"src/**", "src/a.py src/b/c.py", "src srcs/a.py"},
		{"**/*.go", "a.go b/a.go b/c/a.go", "a.gox b/a.py"},
		{"src/**/a.go", "src/a.go src/b/a.go src/b/c/a.go", "src/ba.go src/b/a.go/x"},
		{"*.go", "a.go .go", "b/a.go"},
		{"src/*/x.go", "src/a/x.go", "src/x.go src/a/b/x.go"},
		{"a?.go", "ab.go aé.go", "a.go a/.go abc.go"},
		{"[a-c]x", "ax cx", "dx x /x"},
		{"[!a-c]x", "dx éx", "ax /x x"},
		{"[]a]x", "]x ax", "bx"},
		{"[a-]x", "-x ax", "bx"},
		{"a[+-9]b", "a+b a0b a9b", "a/b"},
		{"*.{ts,tsx}", "a.ts a.tsx", "a.js a.t"},
		{"{src,lib}/**/{a,b{1,2}}.go", "src/a.go lib/x/b2.go", "src/b.go lib/b3.go"},
		{"x{**,b}.go", "xa.go xb.go", "xa/b.go"},
		{"{**/a,b}.go", "a.go c/d/a.go b.go", "c/b.go"},
		{"%2Ax*", "*xy", "axy"},
		{"a%2Cb{c%2C,d}*", "a,bc, a,bdx", "a,bx"},
		{"größe/*.py", "größe/x.py gro\u0308ße/x.py", "grosse/x.py"},
		{"a**b", "ab axxb", "ax/b"},
	} {
		b, err := about.Parse(row.binding)
		if err != nil {
			t.Errorf("%s: %v", row.binding, err)
			continue
		}
		for _, file := range strings.Fields(row.covers) {
			if !b.Covers(file) {
				t.Errorf("%s does not cover %s", b, file)
			}
		}
		for _, file := range strings.Fields(row.not) {
			if b.Covers(file) {
				t.Errorf("%s covers %s", b, file)
			}
		}
	}
}

func TestLiteral(t *testing.T) {
	for text, want := range map[string]string{
		"src/a/**/*.go": "src/a", "src/a*/b.go": "src", "**/*.go": "", "a.py": "", "src/a.py#f": "src", "src/b/": "src/b", "{a,b}/c": "",
		"app/%5Bid%5D/*": "app/[id]", "api:x/*.py": "x",
	} {
		if b, err := about.Parse(text); err != nil || b.Literal() != want {
			t.Errorf("%s: got %q, %v, want %q", text, b.Literal(), err, want)
		}
	}
}

func TestCheck(t *testing.T) {
	for text, bad := range map[string]bool{
		"**": true, "*": true, "**/*": true, "*/**": true, "{**,a}": true, "**/[!~]*": true, "?": true, "api:**": true,
		"**/*.go": false, "src/**": false, "src/": false, "*.md": false, "a.py": false,
	} {
		b, err := about.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		if err := b.Check(); (err != nil) != bad {
			t.Errorf("%s: got %v", text, err)
		}
	}
}

// Patterns that take other matchers a time of two to the power of their length.
func TestHostilePatternsEnd(t *testing.T) {
	for _, pattern := range []string{
		strings.Repeat("{a,a}", 190) + "b", strings.Repeat("**/", 300) + "b", strings.Repeat("*a", 499), strings.Repeat("{", 400) + "*" + strings.Repeat("}", 400),
	} {
		b, err := about.Parse(pattern)
		if err != nil {
			continue
		}
		if b.Covers(strings.Repeat("a", 1000)+"/c") || b.Covers(strings.Repeat("a/", 500)+"c") {
			t.Errorf("%.20s… covers", pattern)
		}
	}
}

package about_test

import (
	"strings"
	"testing"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/about"
)

// A binding in a file has one spelling, and each reads back as what it was.
func TestParse(t *testing.T) {
	for _, row := range []struct {
		text string
		want about.Binding
	}{
		{"src/auth.py", about.Binding{Path: "src/auth.py"}},
		{"src/auth.py#L10-L24", about.Binding{Path: "src/auth.py", From: 10, To: 24}},
		{"a.py#L7", about.Binding{Path: "a.py", From: 7, To: 7}},
		{"src/db.py#Pool.acquire", about.Binding{Path: "src/db.py", Symbol: "Pool.acquire"}},
		{"README.md#Getting started", about.Binding{Path: "README.md", Symbol: "Getting started"}},
		{"a.c#%4C10", about.Binding{Path: "a.c", Symbol: "L10"}},
		{"a.c#100%25", about.Binding{Path: "a.c", Symbol: "100%"}},
		{"src/", about.Binding{Path: "src/"}},
		{"src/**/*.py", about.Binding{Path: "src/**/*.py", Glob: true}},
		{"app/%5Bid%5D/page.tsx", about.Binding{}}, // "]" needs none
		{"app/%5Bid]/page.tsx", about.Binding{Path: "app/[id]/page.tsx"}},
		{"app/%5Bid%5D/*.tsx", about.Binding{Path: "app/%5Bid%5D/*.tsx", Glob: true}},
		{"a%23b%25.py", about.Binding{Path: "a#b%.py"}},
		{"a%3Ab.py", about.Binding{Path: "a:b.py"}},
		{"api:src/a.py", about.Binding{Project: "api", Path: "src/a.py"}},
		{"api:**/*.go", about.Binding{Project: "api", Path: "**/*.go", Glob: true}},
		{"with space.py", about.Binding{Path: "with space.py"}},
		{"a%0Ab.py", about.Binding{Path: "a\nb.py"}},
		{"a%FF.py", about.Binding{Path: "a\xff.py"}},
		{"a%FF*.py", about.Binding{Path: "a%FF*.py", Glob: true}},
		{"größe/ä.py", about.Binding{Path: "größe/ä.py"}},
		{"gro\u0308ße.py", about.Binding{}}, // not NFC
		{"", about.Binding{}},
		{"/", about.Binding{}},
		{"/etc/passwd", about.Binding{}},
		{"../x.py", about.Binding{}},
		{"a/../x.py", about.Binding{}},
		{"./x.py", about.Binding{}},
		{"a//b.py", about.Binding{}},
		{"a.py#", about.Binding{}},
		{"a.py#L0", about.Binding{}},
		{"a.py#L24-L10", about.Binding{}},
		{"a.py#L10-L10", about.Binding{}},
		{"a.py#L10-24", about.Binding{}},
		{"a.py#L99999999999999999999", about.Binding{}},
		{"src/#L1", about.Binding{}},
		{"*.py#f", about.Binding{}},
		{"a%61.py", about.Binding{}}, // an escape that is not needed
		{"a%2a.py", about.Binding{}}, // a small digit
		{"a%.py", about.Binding{}},
		{"a%00.py", about.Binding{}},
		{"a[b.py", about.Binding{}},
		{"a{b.py", about.Binding{}},
		{"[z-a].py", about.Binding{}},
		{"**/", about.Binding{}},
		{strings.Repeat("*a", 600), about.Binding{}},
		{strings.Repeat("a", 5000), about.Binding{}},
	} {
		got, err := about.Parse(row.text)
		if got != row.want || (err != nil) != (row.want == about.Binding{}) {
			t.Errorf("%s: got %+v, %v, want %+v", row.text, got, err, row.want)
		}
		if err == nil && got.String() != row.text {
			t.Errorf("%s: is written %s", row.text, got)
		}
		if err != nil && vault.CodeOf(err) != vault.CodeInvalid {
			t.Errorf("%s: got code %s", row.text, vault.CodeOf(err))
		}
	}
}

// On the command line a path counts from the working directory, and lines are written as other programs write them.
func TestParseTyped(t *testing.T) {
	for _, row := range []struct{ text, dir, want string }{
		{"a.py:10", "", "a.py#L10"},
		{"a.py:10-24", "", "a.py#L10-L24"},
		{"a.py:10:5", "", "a.py#L10"},
		{"a.py#L10-L24", "", "a.py#L10-L24"},
		{"a.py#L10-24", "", "a.py#L10-L24"},
		{"./a.py", "", "a.py"},
		{"../x.py", "src/lib", "src/x.py"},
		{"../../x.py:3", "src/lib", "x.py#L3"},
		{"a.py#Pool.acquire", "src", "src/a.py#Pool.acquire"},
		{"src/", "", "src/"},
		{".", "src", "src/"},
		{"..", "src/lib", "src/"},
		{"*.py", "src", "src/*.py"},
		{"src/*/", "", "src/*/**"},
		{"./src/**", "", "src/**"},
		{"api:a.py:7", "src", "api:a.py#L7"},
		{"100%.py", "", "100%25.py"},
		{"a%23b.py", "", "a%23b.py"},
		{"a b.py", "", "a b.py"},
		{"x.py", "app/[id]", "app/%5Bid]/x.py"},
		{"gro\u0308ße.py", "", "größe.py"},
		{"../x.py", "", "error: '../x.py' lies outside the code repository"},
		{"/etc/passwd", "", "error: '/etc/passwd' lies outside the code repository"},
		{"api:../x.py", "src", "error: '../x.py' lies outside the code repository"},
		{"**", "", "error: '**' would bind every file"},
		{"*", "", "error: '*' would bind every file"},
		{"./**", "", "error: '**' would bind every file"},
		{"api:**", "", "error: 'api:**' would bind every file"},
		{"{a,**}", "", "error: '{a,**}' would bind every file"},
		{"**/*", "", "error: '**/*' would bind every file"},
		{".", "", "error: '.' would bind every file"},
		{"", "src", "error: the binding names no path"},
		{"api:", "src", "error: the binding names no path"},
		{"#f", "src", "error: the binding names no path"},
		{"a.py#", "", "error: 'a.py#' names no symbol behind '#'"},
		{"a.py:24-10", "", "error: 'a.py#L24-L10' names no lines"},
	} {
		b, err := about.ParseTyped(row.text, row.dir)
		got := b.String()
		if err != nil {
			got = "error: " + err.Error()
		}
		if got != row.want {
			t.Errorf("%s in %q: got %s, want %s", row.text, row.dir, got, row.want)
		}
	}
}

// The kinds of bindings tell themselves apart.
func TestKinds(t *testing.T) {
	for text, want := range map[string][3]bool{ // folder, whole, range
		"a.py": {false, true, false}, "a.py#L1": {false, false, true}, "a.py#f": {}, "a/": {true, false, false}, "*.py": {},
	} {
		b, err := about.Parse(text)
		if got := [3]bool{b.IsFolder(), b.IsWhole(), b.HasRange()}; err != nil || got != want {
			t.Errorf("%s: got %v, %v, want %v", text, got, err, want)
		}
	}
}

// C2: what Parse takes String writes, and what String writes Parse takes.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{"src/a.py#L10-L24", "api:a%23/%5Bx]#Pool.acquire", "a/**/{b,c%2C}[!a-z]?.go", "größe/", "a%FF", "x#%4C1", "a b:c"} {
		f.Add(seed, "src")
	}
	f.Fuzz(func(t *testing.T, text, dir string) {
		if b, err := about.Parse(text); err == nil && b.String() != text {
			t.Fatalf("%q is written %q", text, b)
		}
		b, err := about.ParseTyped(text, dir)
		if err != nil {
			return
		}
		if again, err := about.Parse(b.String()); err != nil || again != b {
			t.Fatalf("%q, typed in %q, is %+v, written %q, read %+v, %v", text, dir, b, b, again, err)
		}
		b.Covers(text)
	})
}

package branch

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A place is written relative where the vault moves with the repository, and read back as
// it was.
func TestPlace(t *testing.T) {
	for _, row := range []struct{ common, main, root, want string }{
		{"/p/code/.git", "/p/code", "/p/code/memory", "../memory"},
		{"/p/code/.git", "/p/code", "/p/code/docs/my memory", "../docs/my memory"},
		{"/p/code/.git", "/p/code", "/p/mem", "/p/mem"},
		{"/p/.bare", "", "/p/memory", "../memory"},
		{"/p/super/.git/modules/sub", "/p/super/sub", "/p/super/sub/memory", "../../../sub/memory"},
	} {
		l := &Link{Name: "memory", Root: row.root, common: row.common}
		text := l.formatPlace(row.main)
		if text != row.want+"\n" || l.from(strings.TrimSuffix(text, "\n")) != row.root {
			t.Errorf("%s in %s: got %q, read back as %s", row.root, row.common, text, l.from(strings.TrimSuffix(text, "\n")))
		}
	}
}

// Every name of a branch is one of a folder, and comes back.
func TestEscape(t *testing.T) {
	for _, name := range []string{"memory", "team/memory", "100%", "a%2Fb", "ü"} {
		if e := escape(name); strings.Contains(e, "/") || unescape(e) != name {
			t.Errorf("%q: got %q, and back %q", name, e, unescape(e))
		}
	}
}

// What means something in git's ignore files is written so that it does not.
func TestPattern(t *testing.T) {
	for rel, want := range map[string]string{"memory": "/memory/", "docs/m*m": `/docs/m\*m/`, "[a]?": `/\[a]\?/`, `b\c`: `/b\\c/`} {
		if got := pattern(rel); got != want {
			t.Errorf("%s: got %s, want %s", rel, got, want)
		}
	}
}

// The line is added once, behind what a person wrote.
func TestExclude(t *testing.T) {
	common := t.TempDir()
	name := filepath.Join(common, "info", "exclude")
	read := func() string {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	for range 2 {
		if err := exclude(common, "/memory/"); err != nil || read() != "/memory/\n" {
			t.Fatalf("got %v, %q", err, read())
		}
	}
	if err := os.WriteFile(name, []byte("# mine\r\n*.log"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := exclude(common, "/memory/"); err != nil || read() != "# mine\r\n*.log\n/memory/\n" {
		t.Errorf("got %v, %q", err, read())
	}
}

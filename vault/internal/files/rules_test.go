package files_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/cp-memory/cp/vault/internal/files"
)

// TestRules reads ignore files by hand.
func TestRules(t *testing.T) {
	for _, row := range []struct {
		name, top, below string // the texts of .gitignore and a/.gitignore
		out              string // of the files below
	}{
		{"nothing", "", "", ""},
		{"a name", "x.md", "", "x.md a/x.md a/b/x.md"},
		{"a name at the top", "/x.md", "", "x.md"},
		{"a folder", "b/", "", "a/b/x.md a/b/y.md"},
		{"a path", "a/x.md", "", "a/x.md"},
		{"an ending", "*.md", "", "x.md y.md a/x.md a/y.md a/b/x.md a/b/y.md"},
		{"all but one", "*.md\n!y.md", "", "x.md a/x.md a/b/x.md"},
		{"nothing comes back below a folder", "a/\n!y.md", "!y.md", "a/x.md a/y.md a/b/x.md a/b/y.md"},
		{"it does below its contents", "a/*\n!a/y.md", "", "a/x.md a/b/x.md a/b/y.md"},
		{"the file below decides", "*.md", "!x.md", "x.md y.md a/y.md a/b/y.md"},
		{"folders between", "a/**/x.md", "", "a/x.md a/b/x.md"},
		{"a comment, spaces and the line ends of Windows", "# x.md\r\ny.md  \r\n\r\n", "", "y.md a/y.md a/b/y.md"},
		{"a byte order mark", "\xef\xbb\xbfx.md", "", "x.md a/x.md a/b/x.md"},
	} {
		t.Run(row.name, func(t *testing.T) {
			var out []string
			for _, file := range []string{"x.md", "y.md", "a/x.md", "a/y.md", "a/b/x.md", "a/b/y.md"} {
				if ignored(file, false, map[string]string{"": row.top, "a": row.below}) {
					out = append(out, file)
				}
			}
			if got := strings.Join(out, " "); got != row.out {
				t.Errorf("got %s, want %s", got, row.out)
			}
		})
	}
}

// TestDigest tells apart what does.
func TestDigest(t *testing.T) {
	none := files.NewIgnoreRules(false)
	a := none.Below("", []byte("a.md"))
	if a.Digest() == none.Digest() || a.Digest() == none.Below("", []byte("b.md")).Digest() {
		t.Error("two texts have one digest")
	}
	if a.Digest() != a.Below("notes", nil).Digest() {
		t.Error("a folder without a file of its own has a digest of its own")
	}
	if a.Digest() == a.Below("notes", []byte{}).Digest() {
		t.Error("a file that says nothing is not seen")
	}
	if none.Below("x", []byte("a.md")).Digest() == none.Below("y", []byte("a.md")).Digest() {
		t.Error("two folders have one digest")
	}
	if files.NewIgnoreRules(true).Digest() == none.Digest() {
		t.Error("case does not count")
	}
}

// ignored asks the rules of the texts by folder.
func ignored(file string, folder bool, texts map[string]string) bool {
	rules := files.NewIgnoreRules(false).Below("", []byte(texts[""]))
	for at, rest := "", path.Dir(file); rest != "." && rest != ""; {
		name, more, _ := strings.Cut(rest, "/")
		at, rest = path.Join(at, name), more
		rules = rules.Below(name, []byte(texts[at]))
	}
	return rules.Out(path.Base(file), folder)
}

// TestAsGit writes ignore files of random lines and compares what git ignores.
func TestAsGit(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("there is no git on the PATH")
	}
	rounds := 60
	if os.Getenv("LONG") != "" {
		rounds = 5000
	}
	dir := t.TempDir()
	git := func(stdin string, args ...string) string {
		cmd := exec.Command("git", append([]string{"-C", dir, "-c", "core.excludesFile=", "-c", "core.ignoreCase=false"}, args...)...)
		cmd.Stdin = strings.NewReader(stdin)
		out, err := cmd.Output()
		if err != nil && cmd.ProcessState.ExitCode() != 1 { // 1 is none
			t.Fatal(err)
		}
		return string(out)
	}
	git("", "init", "-q")
	var names []string
	for _, name := range []string{"x.md", "a.md", "ab.md", "B.md", "a b.md", "a/x.md", "a/a.md", "a/b/x.md", "a/b/ab.md", "a/b/c/x.md", "b/a/x.md", "b/x.md", "ab/c/b.md", "-].md", "x y ", "[a].md", "a*.md", "é.md"} {
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, nil, 0o666); err != nil {
			t.Fatal(err)
		}
		names = append(names, name)
		for up := path.Dir(name); up != "."; up = path.Dir(up) {
			if !slices.Contains(names, up) {
				names = append(names, up)
			}
		}
	}
	seed := rand.Uint64()
	random := rand.New(rand.NewPCG(seed, 1))
	for range rounds {
		texts := map[string]string{"": ruleLines(random), "a": ruleLines(random), "a/b": ruleLines(random)}
		for at, text := range texts {
			if err := os.WriteFile(filepath.Join(dir, at, ".gitignore"), []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		out := "\x00" + git(strings.Join(names, "\x00")+"\x00", "check-ignore", "--no-index", "-z", "--stdin")
		for _, name := range names {
			info, err := os.Stat(filepath.Join(dir, name))
			if err != nil {
				t.Fatal(err)
			}
			want := strings.Contains(out, "\x00"+name+"\x00")
			if got := ignored(name, info.IsDir(), texts); got != want {
				t.Fatalf("seed %d: %q with %s: got %v, want %v", seed, name, fmt.Sprintf("%q", texts), got, want)
			}
		}
	}
}

// ruleLines returns a few random patterns.
func ruleLines(random *rand.Rand) string {
	parts := []string{"a", "b", "x", "c", "*", "**", "?", "/", "/", ".md", "[ab]", "[!a]", "[a-c]", "[[:alpha:]]", "[]-]", "[", "\\", " ", "!", "#", "]", "-", "é", "**/", "/**"}
	var b bytes.Buffer
	for range random.IntN(4) {
		if random.IntN(4) == 0 {
			b.WriteByte('!')
		}
		for range 1 + random.IntN(5) {
			b.WriteString(parts[random.IntN(len(parts))])
		}
		b.WriteString([]string{"", "/", "\r"}[random.IntN(3)] + "\n")
	}
	return b.String()
}

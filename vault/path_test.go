package vault

import "testing"

func TestParsePath(t *testing.T) {
	for in, want := range map[string]Path{"": "", ".": "", "a.md": "a.md", "a/b c/ü.md": "a/b c/ü.md", "a/": "a"} {
		if got, err := ParsePath(in); err != nil || got != want {
			t.Errorf("%q: got %q, %v", in, got, err)
		}
	}
	for _, bad := range []string{"/etc/passwd", "../x", "a/../../x", "a//b", "./a", "a/.git/config", ".cp/vault.yaml", ".GIT/x", "a\nb", "a\x00", "\xff"} {
		if p, err := ParsePath(bad); err == nil {
			t.Errorf("%q is taken for %q", bad, p)
		}
	}
}

func TestPathParts(t *testing.T) {
	p := Path("a/b/c.MD")
	if p.Dir() != "a/b" || p.Base() != "c.MD" || p.Stem() != "a/b/c" || !p.IsMarkdown() {
		t.Errorf("dir %q, base %q, stem %q", p.Dir(), p.Base(), p.Stem())
	}
	if !p.Within("a") || !p.Within("") || !p.Within(p) || Path("ab/c").Within("a") {
		t.Error("Within is about whole elements")
	}
	for path, want := range map[Path]int{"x/index.md": 1, "x/_Index.md": 2, "x/README.md": 3, "README.md": 0, "x/read.md": 0} {
		if got := path.FolderRank(); got != want {
			t.Errorf("%s: rank %d, want %d", path, got, want)
		}
	}
}

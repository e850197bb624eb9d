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

func TestFactsFilesByTheirNames(t *testing.T) {
	for p, want := range map[Path]bool{
		".cp/facts/3f/3f2a91c04b7e3f2a91c04b7e3f2a91c0.json": true,
		".cp/facts/x.json":                true,
		".cp/facts/a/b/x.json":            true,
		".cp/facts/untracked/old.jsonl":   true,
		".cp/facts/untracked/a/old.jsonl": false,
		".cp/facts/3f/old.jsonl":          false,
		".cp/facts/3f/x.JSON":             false,
		".cp/facts/3f/x.md":               false,
		".cp/facts/3f/.x.json":            false,
		".cp/facts/.tmp/x.json":           false,
		".cp/facts.json":                  false,
		".cp/facts":                       false,
		".cp/vault.yaml":                  false,
		"notes/.cp/facts/3f/x.json":       false,
		".CP/facts/3f/x.json":             false,
		"":                                false,
	} {
		if got := p.IsFacts(); got != want {
			t.Errorf("%q: got %v", p, got)
		}
	}
}

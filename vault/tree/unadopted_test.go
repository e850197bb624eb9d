package tree_test

import (
	"strings"
	"testing"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/tree"
)

type texts map[vault.Path]string

func (t texts) Read(p vault.Path) ([]byte, error) {
	text, ok := t[p]
	if !ok {
		return nil, vault.Errorf(vault.CodeNotFound, "", "%s is gone", p)
	}
	return []byte(text), nil
}

func TestOf(t *testing.T) {
	in := texts{"new.md": "text\n", "key.md": "one\ntoken: ghp_" + strings.Repeat("a1B2c3D4", 5)[:36] + "\n"}
	fresh := func(p vault.Path) vault.Drift { return vault.Drift{Path: p, Hash: "b"} }
	drafts := func(p vault.Path) bool { return p == "new.md" }
	for name, row := range map[string]struct {
		rules  tree.Unadopted
		d      vault.Drift
		barred bool
		line   int
	}{
		"a new file":               {d: fresh("new.md")},
		"that is gone":             {d: fresh("other.md")},
		"not to be adopted":        {rules: tree.Unadopted{None: true}, d: fresh("new.md"), barred: true},
		"of such a name":           {rules: tree.Unadopted{Unwanted: drafts}, d: fresh("new.md"), barred: true},
		"of another name":          {rules: tree.Unadopted{Unwanted: drafts}, d: fresh("other.md")},
		"with a secret":            {d: fresh("key.md"), line: 2},
		"that may be committed":    {rules: tree.Unadopted{AllowSecret: true}, d: fresh("key.md")},
		"with both":                {rules: tree.Unadopted{None: true}, d: fresh("key.md"), barred: true, line: 2},
		"committed already":        {rules: tree.Unadopted{None: true}, d: vault.Drift{Path: "key.md", Head: "a", Hash: "b"}},
		"in no commit, taken away": {rules: tree.Unadopted{None: true}, d: vault.Drift{Path: "key.md"}},
	} {
		got := row.rules.JudgeFile(in, row.d)
		if got.Barred != row.barred || got.Line != row.line || (got.Secret != "") != (row.line > 0) {
			t.Errorf("%s: got %+v, want %v, line %d", name, got, row.barred, row.line)
		}
	}
}

func TestNameless(t *testing.T) {
	got := tree.NamelessFiles([]vault.Problem{{Path: "a.md", Kind: vault.ProblemEmpty}, {Path: "b.md", Kind: vault.ProblemSecret}})
	if len(got) != 1 || !got["a.md"] {
		t.Errorf("got %v, want a.md alone", got)
	}
}

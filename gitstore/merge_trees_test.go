package gitstore

import (
	"context"
	"strings"
	"testing"

	"github.com/cp-memory/cp/vault"
)

// The stages of every conflict come with git's word for it.
func TestMergeTrees(t *testing.T) {
	w := newWorld(t).init("")
	w.write("a.md", "one\ntwo\nthree\n")
	w.write("gone.md", "x\n")
	w.write("both.md", "1\n\n2\n\n3\n")
	w.sh("git add -A && git commit -qm base && git branch side")
	w.write("a.md", "one\nours\nthree\n")
	w.write("both.md", "ours\n\n2\n\n3\n")
	w.sh("git rm -q gone.md && git add -A && git commit -qm ours && git checkout -q side")
	w.write("a.md", "one\ntheirs\nthree\n")
	w.write("gone.md", "x\ny\n")
	w.write("both.md", "1\n\n2\n\ntheirs\n")
	w.sh("git add -A && git commit -qm theirs && git checkout -q main")
	r, err := FindRepo(w.dir)
	if err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	m, err := r.MergeTrees(ctx, "main", "side")
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]vault.Clash{}
	for _, c := range m.Clashes {
		got[c.Path] = c
	}
	if c := got["a.md"]; c.Kind != "contents" || c.Base == "" || c.Ours == "" || c.Theirs == "" {
		t.Errorf("a.md: %+v", c)
	}
	if c := got["gone.md"]; c.Kind != "modify/delete" || c.Ours != "" || c.Theirs == "" {
		t.Errorf("gone.md: %+v", c)
	}
	if len(got) != 2 {
		t.Errorf("got %+v", got)
	}
	tree, err := r.Rewrite(ctx, m.Tree, map[string][]byte{"a.md": []byte("settled\n"), "d/new.md": []byte("new\n"), "gone.md": nil})
	if err != nil {
		t.Fatal(err)
	}
	if text := w.sh("git show " + tree + ":a.md " + tree + ":d/new.md " + tree + ":both.md"); text != "settled\nnew\nours\n\n2\n\ntheirs\n" {
		t.Errorf("got %q", text)
	}
	all, err := r.Differences(ctx, "main", tree)
	var names []string
	for _, d := range all {
		names = append(names, d.Path)
	}
	if err != nil || strings.Join(names, " ") != "a.md both.md d/new.md" {
		t.Errorf("got %v, %v", names, err)
	}
	if w.sh("git status --porcelain") != "" {
		t.Error("the work tree or the index was touched")
	}
}

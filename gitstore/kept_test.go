package gitstore

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cp-memory/cp/vault"
)

// What a person set on entries beside ours, and what git keeps at the end of
// the index, is there after a splice.
func TestSpliceKeeps(t *testing.T) {
	w := newWorld(t).init("")
	for i := range 24 {
		w.write(fmt.Sprintf("d%d/f.md", i%6)+fmt.Sprint(i), "x\n")
	}
	w.sh("git add . && git commit -qm 1 && git update-index --assume-unchanged d1/f.md1 d2/f.md2 && git update-index --skip-worktree d3/f.md3 && touch n && git add -N n")
	flags := "git ls-files -v -t --debug | grep -v '^  '; git ls-files -v"
	before := w.sh(flags)
	r, state := w.open(false)
	w.append("d1/f.md1", "\nmore\n")
	w.publish(r, state, newCommit("op-1", create("d0/new.md", "new\n"), vault.Edit{Path: "d1/f.md1", Steps: appendStep("more\n")}, vault.Edit{Path: "d4/f.md4", Steps: appendStep("more\n")}))
	after := strings.ReplaceAll(w.sh(flags), "H d0/new.md\n", "")
	if diff := cmp.Diff(before, after); diff != "" {
		t.Errorf("flags (-before +after):\n%s", diff)
	}
	_, tree, ok := strings.Cut(w.read(".git/index"), "TREE")
	if !ok || !strings.Contains(tree, "d0\x00-1 0\n") || !strings.Contains(tree, "d5\x004 0\n") {
		t.Errorf("the cached trees: %q", tree)
	}
	w.sh("git fsck --strict")
}

// A file that changed in the second in which the index was written, to a text of
// the same length, is not taken for unchanged after we wrote a newer index.
func TestRacyEntriesStayVisible(t *testing.T) {
	bothEngines(t, func(t *testing.T, plumbing bool) {
		w := newWorld(t).init("")
		w.write("a.md", "one\n")
		w.write("b.md", "one\n")
		w.sh("git add . && git commit -qm 1")
		w.write("a.md", "two\n")
		w.sh("touch -d '2026-01-01 00:00:00' a.md b.md && git update-index -q --refresh; git add b.md; touch -d '2026-01-01 00:00:00.5' a.md")
		// The entry's stat is that of the new text, as after a race; only its time tells.
		w.sh("git checkout -q -- a.md; touch -d '2026-01-01 00:00:00' a.md; git update-index -q --refresh; printf 'two\\n' > a.md; touch -d '2026-01-01 00:00:00' a.md .git/index")
		r, state := w.open(plumbing)
		w.publish(r, state, newCommit("op-1", create("c.md", "c\n")))
		if got := strings.Join(w.status(), "|"); !strings.Contains(got, " M a.md") {
			t.Errorf("status %q: the change of a.md is hidden", got)
		}
	})
}

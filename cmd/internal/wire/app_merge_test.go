package wire

import (
	"errors"
	"strings"
	"testing"

	"github.com/cp-memory/cp/cmd/internal/app"
)

// The merge driver takes each file for what its path says: a memory by its keys, facts by their
// lines, all else by its lines, with marks where both sides changed one.
func TestMergeFiles(t *testing.T) {
	m := newMachine(t)
	m.write("top/memory/.cp/vault.yaml", "format: 1\nprefix: pf\n")
	memory := func(title, phrase, text string) string {
		return "---\nid: pf-1\ntitle: " + title + "\nsummary: " + phrase + "\n---\n" + text + "\n"
	}
	marks := func(text string) bool { return strings.Contains(text, "<<<<<<<") }
	base, ours, theirs := memory("Old", "When", "One."), memory("Mine", "When", "One."), memory("Old", "When theirs", "One.\n\nTwo.")
	for _, row := range []struct {
		name, path         string
		base, ours, theirs string
		want               string
		conflict           bool
	}{
		{"a memory by its keys", "memory/a.md", base, ours, theirs, memory("Mine", "When theirs", "One.\n\nTwo."), false},
		{"the same lines outside of a vault are text", "docs/a.md", base, ours, theirs, "", true},
		{"in a hidden folder, too", "memory/.trash/a.md", base, ours, theirs, "", true},
		{"what is no note is text", "memory/a.txt", "a\n\n\nb\n", "c\n\n\nb\n", "a\n\n\nd\n", "c\n\n\nd\n", false},
		{"a conflict in prose is marked", "memory/a.md", memory("T", "W", "One."), memory("T", "W", "Mine."), memory("T", "W", "Theirs."), "", true},
		{"of facts both sides are kept", "memory/.cp/facts/untracked/pf-1.jsonl", "", "a\n", "b\n", "a\nb\n", false},
	} {
		t.Run(row.name, func(t *testing.T) {
			m := m.within(t)
			m.write("base", row.base)
			m.write("ours", row.ours)
			m.write("theirs", row.theirs)
			a := m.program("top")
			r, err := a.MergeFiles(m.at("base"), m.at("ours"), m.at("theirs"), row.path)
			if err != nil {
				t.Fatal(err)
			}
			is := m.read("ours")
			if is != string(r.Text) || marks(is) != row.conflict || row.want != "" && is != row.want {
				t.Errorf("got %q, want %q, conflict %t", is, row.want, row.conflict)
			}
		})
	}
	_, err := m.program("top").MergeFiles(m.at("base"), m.at("nosuch"), m.at("theirs"), "memory/a.md")
	if !errors.Is(err, app.ErrNoMerge) {
		t.Errorf("got %v", err)
	}
	wantError(t, err, "cannot merge "+m.at("nosuch"))
	wantError(t, err, "hint: git merge --abort puts everything back")
}

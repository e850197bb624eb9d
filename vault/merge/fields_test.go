package merge_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/cp-memory/cp/vault/header"
	"github.com/cp-memory/cp/vault/merge"
)

// Every field merges by the rule that the table gives it, whichever side is ours.
func TestEveryFieldMergesByItsRule(t *testing.T) {
	for _, f := range header.Fields {
		if f.Kind == header.IDValue || f.Kind == header.TextsValue || f.Kind == header.MappingValue {
			continue // another id is another memory; for the others see TestRecords
		}
		values := [3]string{"a", "b", "c"} // base, and what each side makes of it
		want := "c"
		switch {
		case f.Merge == header.United:
			values, want = [3]string{"[a, x]", "[a, b]", "[a, x, c]"}, "[a, b, c]"
		case f.Merge == header.Earlier:
			values, want = [3]string{"2026-01-03", "2026-01-02", "2026-01-04"}, "2026-01-02"
		}
		var docs [3]string
		for i, v := range values {
			with := ""
			if f.With != "" && !f.Joint { // the greater of these stays, and what tells about it
				with, want = f.With+": "+[]string{"A", "C", "B"}[i]+"\n", "b"
			}
			docs[i] = memory("id: pf-a\n"+with+f.Key+": "+v+"\n", "p\n")
		}
		for _, side := range [][2]int{{1, 2}, {2, 1}} {
			r := merge.Merge([]byte(docs[0]), []byte(docs[side[0]]), []byte(docs[side[1]]), merge.Options{})
			if r.Plain != "" || !strings.Contains(string(r.Text), f.Key+": "+want+"\n") {
				t.Errorf("%s: want %s, got %s %s", f.Key, want, r.Plain, r.Text)
			}
		}
	}
}

// A promotion to core is one value: when it was and for which files stay or go together.
func TestCoreMergesAsOne(t *testing.T) {
	const at, later = "core_at: 2026-01-01T00:00:00Z\n", "core_at: 2026-02-01T00:00:00Z\n"
	claude, both := "core_targets: [claude_md]\n", "core_targets: [claude_md, agents_md]\n"
	for name, row := range map[string]struct{ base, ours, theirs, want string }{
		"demoted, and untouched":                     {at + claude, "", at + claude, ""},
		"demoted, and promoted to another file":      {at + claude, "", later + both, later + both},
		"demoted, and another file failed":           {at + claude, "", at + both, ""},
		"promoted by both to files of their own":     {"", at + claude, later + "core_targets: [agents_md]\n", later + "core_targets: [agents_md, claude_md]\n"},
		"one moves it to another file, one adds one": {at + claude, later + "core_targets: [gemini_md]\n", at + both, later + "core_targets: [agents_md, gemini_md]\n"},
		"a file that failed, on one side":            {"", claude, "", claude},
		"files that failed, on both":                 {"", claude, "core_targets: [agents_md]\n", "core_targets: [agents_md, claude_md]\n"},
	} {
		t.Run(name, func(t *testing.T) {
			for _, flip := range []bool{false, true} {
				base, a, b := memory("id: pf-a\n"+row.base, "p\n"), memory("id: pf-a\n"+row.ours, "p\n"), memory("id: pf-a\n"+row.theirs, "p\n")
				if flip {
					a, b = b, a
				}
				r := merge.Merge([]byte(base), []byte(a), []byte(b), merge.Options{})
				if want := "---\nid: pf-a\n"; !strings.HasPrefix(string(r.Text), want) || sorted(string(r.Text)) != sorted(memory("id: pf-a\n"+row.want, "p\n")) {
					t.Errorf("got %s, want %s", r.Text, row.want)
				}
			}
		})
	}
}

// sorted returns a header's lines in order.
func sorted(text string) string {
	lines := strings.Split(text, "\n")
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

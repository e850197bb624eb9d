package merge_test

import (
	"strings"
	"testing"

	"github.com/cp-memory/cp/vault/field"
	"github.com/cp-memory/cp/vault/merge"
)

// Every field merges by the rule that the table gives it, whichever side is ours.
func TestEveryFieldMergesByItsRule(t *testing.T) {
	for _, f := range field.All {
		if f.Kind == field.ID || f.Kind == field.Texts || f.Kind == field.Mapping {
			continue // another id is another memory; for the others see TestRecords
		}
		values := [3]string{"a", "b", "c"} // base, and what each side makes of it
		want := "c"
		switch {
		case f.Merge == field.United:
			values, want = [3]string{"[a, x]", "[a, b]", "[a, x, c]"}, "[a, b, c]"
		case f.Merge == field.Earlier:
			values, want = [3]string{"2026-01-03", "2026-01-02", "2026-01-04"}, "2026-01-02"
		}
		var docs [3]string
		for i, v := range values {
			with := ""
			if f.With != "" { // the greater of these stays, and what tells about it
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

package merge_test

import (
	"testing"

	"github.com/cp-memory/cp/vault/merge"
)

// Two people add to a record, change and drop parts of it: each part is merged by itself,
// whichever side is ours.
func TestRecords(t *testing.T) {
	for name, row := range map[string]struct{ base, ours, theirs, want string }{
		"both add a decision": {"decisions:\n  - a, b\n", "decisions:\n  - a, b\n  - c\n", "decisions:\n  - a, b\n  - \"d\\ne\"\n",
			"decisions:\n  - a, b\n  - c\n  - \"d\\ne\"\n"},
		"the first of each":         {"", "decisions:\n  - a\n", "decisions:\n  - b\n", "decisions:\n  - a\n  - b\n"},
		"one drops, one adds":       {"decisions:\n  - a\n  - b # why\n", "decisions:\n  - b # why\n", "decisions:\n  - a\n  - b # why\n  - c\n", "decisions:\n  - b # why\n  - c\n"},
		"of a scalar":               {"decisions: a, b\n", "decisions: a, b\n", "decisions:\n  - a, b\n  - c\n", "decisions:\n  - a, b\n  - c\n"},
		"other keys":                {"metadata:\n  a: 1\n", "metadata:\n  a: 1\n  b: 2\n", "metadata:\n  a: 1\n  c: [3]\n", "metadata:\n  a: 1\n  c: [3]\n  b: 2\n"},
		"one changes, one adds":     {"metadata:\n  a: 1\n", "metadata:\n  a: 2\n", "metadata:\n  a: 1\n  b: 2\n", "metadata:\n  a: 2\n  b: 2\n"},
		"one drops, one adds a key": {"metadata:\n  a: 1\n  b: 2\n", "metadata:\n  b: 2\n", "metadata:\n  a: 1\n  b: 2\n  c: 3\n", "metadata:\n  b: 2\n  c: 3\n"},
		"both change one":           {"metadata:\n  a: 1\n  z: 0\n", "metadata:\n  a: 2\n  z: 0\n", "metadata:\n  a: 3\n  z: 0\n", "metadata:\n  a: 3\n  z: 0\n"},
		"one in braces":             {"metadata: {a: 1}\n", "metadata: {a: 1, b: 2}\n", "metadata: {a: 1, c: 3}\n", "metadata:\n  a: 1\n  c: 3\n  b: 2\n"},
	} {
		base, ours, theirs := memory("id: pf-a\n"+row.base, "p\n"), memory("id: pf-a\n"+row.ours, "p\n"), memory("id: pf-a\n"+row.theirs, "p\n")
		want := memory("id: pf-a\n"+row.want, "p\n")
		for _, sides := range [][2]string{{ours, theirs}, {theirs, ours}} {
			r := merge.Merge([]byte(base), []byte(sides[0]), []byte(sides[1]), merge.Options{})
			if string(r.Text) != want || r.Plain != "" {
				t.Errorf("%s: %s\n%s\nwant\n%s", name, r.Plain, r.Text, want)
			}
		}
	}
}

package vault_test

import (
	"testing"

	"github.com/cp-memory/cp/vault"
)

// A file in which two versions stand says so, with the line.
func TestParseTellsOfConflicts(t *testing.T) {
	for _, c := range []struct {
		name, doc string
		line      int
		msg       string
	}{
		{"two memories in one header", "---\n<<<<<<< a\nid: pf-a\n=======\nid: pf-b\n>>>>>>> b\n---\nx\n", 2, "git conflict markers in the front matter, of two memories: pf-a and pf-b"},
		{"a header", "---\nid: pf-a\n<<<<<<< a\ntitle: A\n=======\ntitle: B\n>>>>>>> b\n---\nx\n", 3, "git conflict markers in the front matter"},
		{"a passage", "x\n<<<<<<< a\n1\n=======\n2\n>>>>>>> b\n", 2, "git conflict markers in the text"},
		{"a pull's passage", "x\n\n<!-- cp-conflict: two versions met here; keep what holds and delete these comments -->\n1\n<!-- cp-conflict: or -->\n2\n<!-- /cp-conflict -->\n", 3,
			"two versions of a passage, between <!-- cp-conflict --> marks"},
		{"in code it is an example", "```\n<!-- cp-conflict: two versions met here; keep what holds and delete these comments -->\n```\n", 0, ""},
	} {
		m := vault.Parse("a.md", []byte(c.doc))
		if c.msg == "" && len(m.Problems) == 0 {
			continue
		}
		if len(m.Problems) != 1 || m.Problems[0].Kind != vault.ProblemMarkers || m.Problems[0].Line != c.line || m.Problems[0].Msg != c.msg {
			t.Errorf("%s: got %+v", c.name, m.Problems)
		}
	}
}

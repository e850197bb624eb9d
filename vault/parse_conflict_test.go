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
	} {
		m := vault.Parse("a.md", []byte(c.doc))
		if len(m.Problems) != 1 || m.Problems[0].Kind != vault.ProblemMarkers || m.Problems[0].Line != c.line || m.Problems[0].Msg != c.msg {
			t.Errorf("%s: got %+v", c.name, m.Problems)
		}
	}
}

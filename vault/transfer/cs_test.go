package transfer_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/cp-memory/cp/testdata/vaultmap"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/transfer"
)

// Each row is a vault, and the document that is made of it without its date.
func TestCS(t *testing.T) {
	kept := vaultmap.Family().With(files{
		"journal/2025/12/decision-use-it.md": "---\nid: pf-d1\ntitle: Use it\ntype: decision\nstatus: closed\nlabels: [jwt, \"a \\\" b\"]\n" +
			"created: 2025-12-14T11:30:00+01:00\nspec: user-auth\ncommit: abc\n---\n## Context\n\n<b>Keys</b> rotate.\n",
		"journal/2025/11/finding-a.md":   "---\nid: pf-f1\ntitle: A\ntype: finding\ncreated: 2025-11-01T00:00:00Z\n---\n",
		"journal/2025/11/learning-b.md":  "---\nid: pf-l1\ntitle: B\ntype: learning\ncreated: 2025-11-01T00:00:00Z\n---\n",
		"deploy/observation-it-hangs.md": "---\nid: pf-o1\ntitle: It hangs\ntype: observation\nlong_term_at: 2026-01-01T00:00:00Z\ndenied_at: 2026-01-02T00:00:00Z\n---\n",
		"task.md":                        "---\nid: pf-t1\ntype: task\n---\nDo it.\n",
	})
	const decision = `{"id":"pf-d1","namespace":"decisions","spec":"user-auth","summary":"Use it","content":"## Context\n\n\u003cb\u003eKeys\u003c/b\u003e rotate.\n",` +
		`"timestamp":"2025-12-14T10:30:00Z","commit_sha":"abc","tags":["jwt","a \" b"]}`
	for _, row := range []struct {
		name  string
		start files
		given func(*vaultmap.World)
		spec  string
		want  string
		err   string
	}{
		{name: "no entry", start: vaultmap.Family(), want: `"filter":{},"memories":[]}`},
		{name: "all of them, the oldest first, closed and denied ones too", start: kept, want: `"filter":{},"memories":[` +
			`{"id":"pf-o1","namespace":"observations","spec":null,"summary":"It hangs","content":"","timestamp":null,"commit_sha":null,"tags":[]},` +
			`{"id":"pf-f1","namespace":"reviews","spec":null,"summary":"A","content":"","timestamp":"2025-11-01T00:00:00Z","commit_sha":null,"tags":[]},` +
			`{"id":"pf-l1","namespace":"learnings","spec":null,"summary":"B","content":"","timestamp":"2025-11-01T00:00:00Z","commit_sha":null,"tags":[]},` +
			decision + `]}`},
		{name: "those of a spec", start: kept, spec: "user-auth", want: `"filter":{"spec":"user-auth"},"memories":[` + decision + `]}`},
		{name: "nobody's spec", start: kept, spec: "x", want: `"filter":{"spec":"x"},"memories":[]}`},
		{name: "a file that cannot be read", start: kept, given: vaultmap.Broken("journal/2025/11/learning-b.md"), err: "1 file could not be read: journal/2025/11/learning-b.md: cannot be read"},
	} {
		w := vaultmap.New(row.start)
		if row.given != nil {
			row.given(w)
		}
		doc, err := transfer.CS{Spec: row.spec}.Read(t.Context(), w.Vault)
		if row.err != "" {
			if err == nil || err.Error() != row.err || vault.CodeOf(err) != vault.CodeIO {
				t.Errorf("%s: got %v, want %s", row.name, err, row.err)
			}
			continue
		}
		got, _ := json.Marshal(doc)
		want := `{"exported_at":"` + vaultmap.Now.Format(time.RFC3339) + `",` + row.want
		if diff := cmp.Diff(want, string(got)); err != nil || diff != "" {
			t.Errorf("%s: %v, -want +got:\n%s", row.name, err, diff)
		}
	}
}

package phrase

import (
	"context"
	"fmt"
	"testing"

	"github.com/cp-memory/cp/testdata/vaultmap"
	"github.com/cp-memory/cp/vault"
)

func TestPlanSummarize(t *testing.T) {
	type files = vaultmap.Files
	family, file := vaultmap.Family, vaultmap.File
	// writes says of each phrase what became of it.
	writes := func(all ...entry) func(context.Context, *vaultmap.World) ([]string, error) {
		return func(ctx context.Context, w *vaultmap.World) (said []string, err error) {
			rows, _, err := vault.Do(ctx, w.Vault, write{all}, vault.Options{})
			for _, r := range rows {
				said = append(said, fmt.Sprintf("%s %s %v %v", r.id, r.title, r.same, r.err))
			}
			return said, err
		}
	}
	content := func(files files, p vault.Path) string { return vault.Parse(p, []byte(files[p])).ContentHash() }
	const child = vault.Path("deploy/rollback.md")
	vaultmap.Run(t, []vaultmap.Row[[]string]{
		{Name: "a person's phrase, in both places", Do: writes(entry{ID: "pf-aa2", Summary: "after a bad release"}),
			Want: `
				deploy.md
				-  {"id": "pf-aa2", "title": "Rollback", "summary": "when to go back"},
				+  {"id": "pf-aa2", "title": "Rollback", "summary": "after a bad release"},
				deploy/rollback.md
				-summary: when to go back
				+summary: after a bad release`,
			Says: `["pf-aa2 Rollback false \u003cnil\u003e"]`},
		{Name: "a model's says what it was written for", Do: writes(entry{ID: "pf-aa2", Summary: "after a bad release", Content: content(family(), child)}),
			Want: `
				deploy.md
				-  {"id": "pf-aa2", "title": "Rollback", "summary": "when to go back"},
				+  {"id": "pf-aa2", "title": "Rollback", "summary": "after a bad release"},
				deploy/rollback.md
				-summary: when to go back
				+summary: after a bad release
				+summary_of: cc47504e2f01`,
			Says: `["pf-aa2 Rollback false \u003cnil\u003e"]`},
		{Name: "a person's takes that away", Start: family().With(files{child: "---\nid: pf-aa2\ntitle: Rollback\nsummary: old\nsummary_of: 0123456789ab\n---\n"}), Do: writes(entry{ID: "pf-aa2", Summary: "new"}),
			Want: `
				deploy.md
				-  {"id": "pf-aa2", "title": "Rollback", "summary": "when to go back"},
				+  {"id": "pf-aa2", "title": "Rollback", "summary": "new"},
				deploy/rollback.md
				-summary: old
				-summary_of: 0123456789ab
				+summary: new`,
			Says: `["pf-aa2 Rollback false \u003cnil\u003e"]`},
		{Name: "several in one commit", Do: writes(entry{ID: "pf-aa2", Summary: "one"}, entry{ID: "pf-aa3", Summary: "two"}, entry{ID: "pf-aa1", Summary: "three"}),
			Want: `
				deploy.md
				+summary: three
				-  {"id": "pf-aa2", "title": "Rollback", "summary": "when to go back"},
				-  {"id": "pf-aa3", "title": "Secrets", "summary": "when a key leaks"}
				+  {"id": "pf-aa2", "title": "Rollback", "summary": "one"},
				+  {"id": "pf-aa3", "title": "Secrets", "summary": "two"}
				deploy/rollback.md
				-summary: when to go back
				+summary: one
				deploy/secrets.md
				-summary: when a key leaks
				+summary: two`,
			Says: `["pf-aa2 Rollback false \u003cnil\u003e","pf-aa3 Secrets false \u003cnil\u003e","pf-aa1 Deployment false \u003cnil\u003e"]`},
		{Name: "a hand-made file", Given: vaultmap.Seen(vaultmap.Set(files{"deploy/new.md": "# New\n"})), Do: writes(entry{Path: "deploy/new.md", Summary: "when new"}),
			Want: `
				deploy.md
				-  {"id": "pf-aa3", "title": "Secrets", "summary": "when a key leaks"}
				+  {"id": "pf-aa3", "title": "Secrets", "summary": "when a key leaks"},
				+  {"id": "pf-00000001", "title": "New", "summary": "when new"}
				new deploy/new.md
				+---
				+id: pf-00000001
				+summary: when new
				+---
				+# New`,
			Says: `["pf-00000001 New false \u003cnil\u003e"]`},
		{Name: "what the files say already", Do: writes(entry{ID: "pf-aa2", Summary: "when to go back"}),
			Says: `["pf-aa2 Rollback true \u003cnil\u003e"]`},
		{Name: "a text that has changed since", Given: vaultmap.Type(child, "Roll back.", "Typed."), Do: writes(entry{ID: "pf-aa2", Summary: "new", Content: content(family(), child)}, entry{ID: "pf-aa3", Summary: "two"}),
			Want: `
				deploy.md
				-  {"id": "pf-aa3", "title": "Secrets", "summary": "when a key leaks"}
				+  {"id": "pf-aa3", "title": "Secrets", "summary": "two"}
				deploy/secrets.md
				-summary: when a key leaks
				+summary: two`,
			Left: `
				deploy/rollback.md
				-Roll back.
				+Typed.`,
			Says: `["pf-aa2 Rollback false pf-aa2 has changed while its phrase was being written","pf-aa3 Secrets false \u003cnil\u003e"]`},
		{Name: "a damaged file", Start: vaultmap.Damaged(), Do: writes(entry{ID: "pf-aa1", Summary: "new"}),
			Says: `["pf-aa1 Deployment false deploy.md:10: invalid sub-memories JSON: expected comma after array element"]`},
		{Name: "nobody", Do: writes(entry{ID: "pf-none", Summary: "new"}),
			Says: `["pf-none  false Shard pf-none not found"]`},
		{Name: "a task", Start: files{"t.md": "---\nid: pf-tt1\ntype: task\n---\n"}, Do: writes(entry{ID: "pf-tt1", Summary: "new"}),
			Says: `["pf-tt1  false Shard pf-tt1 is type 'task', expected 'memory'"]`},
		{Name: "a phrase on two lines", Start: files{"x.md": file("pf-xx1", "X", "", "")}, Do: writes(entry{ID: "pf-xx1", Summary: "a\nb"}),
			Err: "the trigger phrase holds a control character | put it on one line, without tabs or escapes"},
	})
}

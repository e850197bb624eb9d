package tree_test

import (
	"context"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/cp-memory/cp/testdata/vaultmap"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/tree"
)

// queue puts a write into the outbox.
func queue(t *testing.T, w *world, verb, options string) {
	t.Helper()
	if err := w.Store.Queue(t.Context(), vault.Queued{Verb: verb, Options: []byte(options)}); err != nil {
		t.Fatal(err)
	}
}

// What waits is made by the options that were queued, whichever cp queued them.
func TestPlanDeliverMakesWhatWasQueued(t *testing.T) {
	w := vaultmap.New(nil)
	queue(t, w, "add", `{"Text":"How we deploy.","Title":"Deployment","ID":"pf-00000001","Created":"2026-02-07T15:30:00Z"}`)
	queue(t, w, "add-sub", `{"Parent":"pf-00000001","Title":"Rollback","Body":"Go back.","Summary":"If it fails","ID":"pf-00000002"}`)
	queue(t, w, "add-sub", `{"Parent":"pf-gone","Title":"Alone","Body":"Text.","ID":"pf-00000003"}`)
	got, err := w.Deliver(t.Context())
	if err != nil || len(got) != 3 || got[0].ID != "pf-00000001" || got[1].ParentID != "pf-00000001" || got[1].Path != "deployment/rollback.md" {
		t.Fatalf("delivered %+v, %v", got, err)
	}
	if warned := strings.Join(got[2].Warnings, "\n"); got[2].ParentID != "" || !strings.HasPrefix(warned, "pf-00000003 became a root memory: ") {
		t.Errorf("a memory whose parent is gone: %+v", got[2])
	}
	if text := w.Head()["deployment.md"]; !strings.Contains(text, "created: 2026-02-07T15:30:00Z") || !strings.Contains(text, `"summary": "If it fails"`) {
		t.Errorf("the parent says\n%s", text)
	}
	if verbs := w.Verbs(); !slices.Equal(verbs, []string{"add", "add-sub", "add"}) {
		t.Errorf("the commits bear %v", verbs)
	}
	vaultmap.Equal(t, "what is in no commit", vaultmap.Diff(w.Head(), w.Disk), "")
}

// A verb that this cp does not know, and options that it cannot read, go on waiting.
func TestPlanDeliverKeepsWhatItDoesNotKnow(t *testing.T) {
	for verb, options := range map[string]string{"record": `{}`, "add": `{"Text":1}`} {
		w := vaultmap.New(nil)
		queue(t, w, verb, options)
		if got, err := w.Deliver(t.Context()); vault.CodeOf(err) != vault.CodeDamaged || len(got) > 0 {
			t.Errorf("%s: delivered %+v, %v", verb, got, err)
		}
		if waiting, err := w.Store.Waiting(t.Context()); err != nil || len(waiting) != 1 {
			t.Errorf("%s: %d wait, %v", verb, len(waiting), err)
		}
		vaultmap.Equal(t, verb, vaultmap.Diff(w.Head(), w.Disk), "")
	}
}

// What waits is shown as it will be: at its place, below its parent, which points to it. The
// disk does not change, and what cannot be planned keeps back no other one.
func TestPlanAheadShowsWhatWaits(t *testing.T) {
	w := vaultmap.New(vaultmap.Files{"deploy.md": "---\nid: pf-aa1\ntitle: Deploy\n---\nText.\n", "hand.md": "# Hand\n"})
	w.Aside, w.Usage = func(context.Context) error { return nil }, nil
	hand := vault.ProvisionalID("hand.md", func(vault.ID) bool { return false })
	queue(t, w, "add", `{"Text":"Rays.","Title":"Rays","ID":"pf-00000001"}`)
	queue(t, w, "record", `{}`)
	queue(t, w, "add-sub", `{"Parent":"pf-aa1","Title":"Rollback","Body":"Go back.","Summary":"If it fails","ID":"pf-00000002"}`)
	queue(t, w, "add-sub", `{"Parent":"pf-00000002","Title":"Deeper","Body":"Text.","Summary":"When deeper","ID":"pf-00000003"}`)
	queue(t, w, "add-sub", `{"Parent":"`+string(hand)+`","Title":"Below","Body":"Text.","Summary":"When below","ID":"pf-00000004"}`)
	queue(t, w, "add", `{"Text":"No id.","Title":"No id"}`)
	queue(t, w, "add", `{"Text":"Made already.","Title":"Made","ID":"pf-aa1"}`)
	queue(t, w, "add-sub", `{"Parent":"pf-gone","Title":"Alone","Body":"Text.","Summary":"When alone","ID":"pf-00000005"}`)
	before := maps.Clone(w.Disk)
	if err := w.ShowOutbox(t.Context()); vault.CodeOf(err) != vault.CodeDamaged || !strings.Contains(err.Error(), "record") {
		t.Errorf("the first that cannot be planned: %v", err)
	}
	marks, err := w.Marks(t.Context(), w.Mirror.Tree)
	if err != nil || len(marks) != 5 {
		t.Errorf("marked are %v, %v", marks, err)
	}
	for id, want := range map[vault.ID]struct {
		path   vault.Path
		parent vault.ID
	}{"pf-00000001": {"rays.md", ""}, "pf-00000002": {"deploy/rollback.md", "pf-aa1"}, "pf-00000003": {"deploy/rollback/deeper.md", "pf-00000002"},
		"pf-00000004": {"hand/below.md", hand}, "pf-00000005": {"alone.md", ""}} {
		shown, err := tree.Show{Ref: string(id)}.Read(t.Context(), w.Vault)
		if err != nil || shown.Path != want.path || !shown.Waiting || shown.ParentID == nil != (want.parent == "") || shown.ParentID != nil && *shown.ParentID != want.parent {
			t.Errorf("%s: %+v, %v", id, shown, err)
		}
	}
	shown, err := tree.Show{Ref: "pf-aa1"}.Read(t.Context(), w.Vault)
	if err != nil || shown.Waiting || len(shown.Warnings) > 0 || len(shown.Children) != 1 || !shown.Children[0].Waiting || shown.Children[0].Summary != "If it fails" {
		t.Errorf("the parent: %+v, %v", shown, err)
	}
	if !maps.Equal(before, w.Disk) {
		t.Errorf("the disk has changed: %v", w.Disk)
	}
}

package tree_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/cp-memory/cp/testdata/vaultmap"
	"github.com/cp-memory/cp/vault"
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

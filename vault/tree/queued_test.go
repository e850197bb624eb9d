package tree_test

import (
	"strings"
	"testing"

	"github.com/cp-memory/cp/testdata/vaulttest"
	"github.com/cp-memory/cp/vault"
)

// What waits is made by the options that were queued, whichever cp queued them.
func TestDeliverMakesWhatWasQueued(t *testing.T) {
	w := vaulttest.New(t)
	queue := func(verb, options string) {
		w.Check(w.Store.Queue(w.Ctx, vault.Queued{Verb: verb, Options: []byte(options)}))
	}
	queue("add", `{"Text":"How we deploy.","Title":"Deployment","ID":"pf-00000001","Created":"2026-02-07T15:30:00Z"}`)
	queue("add-sub", `{"Parent":"pf-00000001","Title":"Rollback","Body":"Go back.","Summary":"If it fails","ID":"pf-00000002"}`)
	queue("add-sub", `{"Parent":"pf-gone","Title":"Alone","Body":"Text.","ID":"pf-00000003"}`)
	got, err := w.Deliver(w.Ctx)
	w.Check(err)
	if len(got) != 3 || got[0].ID != "pf-00000001" || got[1].ParentID != "pf-00000001" || got[1].Path != "deployment/rollback.md" {
		t.Fatalf("delivered %+v", got)
	}
	if warned := strings.Join(got[2].Warnings, "\n"); got[2].ParentID != "" || !strings.HasPrefix(warned, "pf-00000003 became a root memory: ") {
		t.Errorf("a memory whose parent is gone: %+v", got[2])
	}
	w.Contains("the parent", w.Head("deployment.md"), "created: 2026-02-07T15:30:00Z", `"summary": "If it fails"`)
	if verbs := strings.Fields(w.Git("log", "-3", "--format=%(trailers:key=Cp-Verb,valueonly)")); strings.Join(verbs, " ") != "add add-sub add" {
		t.Errorf("the commits bear %v", verbs)
	}
	w.Clean()
}

// A verb that this cp does not know, and options that it cannot read, go on waiting.
func TestDeliverKeepsWhatItDoesNotKnow(t *testing.T) {
	for verb, options := range map[string]string{"record": `{}`, "add": `{"Text":1}`} {
		w := vaulttest.New(t)
		w.Check(w.Store.Queue(w.Ctx, vault.Queued{Verb: verb, Options: []byte(options)}))
		if got, err := w.Deliver(w.Ctx); vault.CodeOf(err) != vault.CodeDamaged || len(got) > 0 {
			t.Errorf("%s: delivered %+v, %v", verb, got, err)
		}
		if waiting, err := w.Store.Waiting(w.Ctx); err != nil || len(waiting) != 1 {
			t.Errorf("%s: %d wait, %v", verb, len(waiting), err)
		}
		w.Clean()
	}
}

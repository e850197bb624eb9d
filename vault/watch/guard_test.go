package watch

import (
	"strings"
	"testing"
	"time"

	"github.com/cp-memory/cp/vault"
)

// A panic beside the watcher's loop comes back to it: a batch that cannot be committed is told
// of once and left alone until a file changes, and a look that fails ends the watcher.
func TestAPanicBesideTheLoop(t *testing.T) {
	now := time.Now()
	x := newEdits(Options{}) // without a vault everything panics
	x.files["a.md"] = &edit{Drift: vault.Drift{Path: "a.md", Hash: "h", Head: "g"}, since: now.Add(-time.Hour)}
	x.startCommit(t.Context(), now)
	for range 2 {
		b := <-x.finished
		p := x.takeOutcome(b, now)
		if e := x.files["a.md"]; !e.tried || len(p.Left) > 1 || len(p.Warnings) != 1 || !strings.Contains(p.Warnings[0], "by a mistake in the program") {
			t.Fatalf("got %+v, %+v", e, p)
		}
		x.finished <- b
	}

	w := &Watcher{passes: make(chan outcome, 1)}
	w.running = new(running)
	if err := w.takePass(outcome{fault: &vault.Error{Code: vault.CodeInternal, Msg: "a mistake"}}); vault.CodeOf(err) != vault.CodeInternal {
		t.Errorf("the watcher goes on: %v", err)
	}
}

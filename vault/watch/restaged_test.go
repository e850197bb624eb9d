package watch

import (
	"testing"
	"time"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/tree"
)

// What is taken out of the index while a batch looks at it is looked at once more.
func TestRestagedDuringABatch(t *testing.T) {
	then := time.Date(2026, 2, 7, 15, 30, 0, 0, time.UTC)
	x := newEdits(Options{Watch: tree.Watch{Quiet: time.Second}})
	x.see([]vault.Drift{{Path: "a.md", Hash: "1", Head: "0"}}, false, then)
	running := batch{edits: []edit{*x.files["a.md"]}, left: map[vault.Path]string{"a.md": vault.WhyStaged}}
	x.running = true
	x.retryStaged(then.Add(2 * time.Second))
	x.takeOutcome(running, then.Add(3*time.Second))
	if next, ok := x.due(); !ok || next.After(then.Add(4*time.Second)) {
		t.Errorf("it is looked at %v, %v", next, ok)
	}
	again := batch{edits: []edit{*x.files["a.md"]}, left: map[vault.Path]string{"a.md": vault.WhyStaged}}
	x.running = true
	if p := x.takeOutcome(again, then.Add(5*time.Second)); len(p.Left) != 1 {
		t.Errorf("told %+v", p.Left)
	}
	if _, ok := x.due(); ok {
		t.Error("what is staged is tried again and again")
	}
}

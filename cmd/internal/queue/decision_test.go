package queue

import (
	"testing"

	"github.com/cp-memory/cp/cmd/internal/app"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/journal"
)

// A decision that leaves a reference open is refused, whatever is near: what is suggested has
// to be chosen. A face that has shown it says so.
func TestDecisionsLeaveNoReferenceOpen(t *testing.T) {
	near := journal.NearMemory{ID: "pf-near"}
	full := journal.Item{ID: "pf-x", Why: journal.ReasonObservation, Parent: &near, Nearest: []journal.NearMemory{near}}
	bare := journal.Item{ID: "pf-x", Why: journal.ReasonPlace}
	for _, row := range []struct {
		name      string
		item      journal.Item
		do        Decision
		refused   bool
		suggested Decision
	}{
		{"no place", full, Decision{Do: Approve}, true, Decision{Do: Approve, Parent: "pf-near"}},
		{"no place, and none is near", bare, Decision{Do: Approve}, true, Decision{Do: Approve, Learned: true}},
		{"a place", full, Decision{Do: Approve, Parent: "pf-p"}, false, Decision{Do: Approve, Parent: "pf-p"}},
		{"the root", full, Decision{Do: Approve, Learned: true}, false, Decision{Do: Approve, Learned: true}},
		{"both", full, Decision{Do: Approve, Learned: true, Parent: "pf-p"}, true, Decision{Do: Approve, Learned: true, Parent: "pf-p"}},
		{"merged into nothing", full, Decision{Do: Merge}, true, Decision{Do: Merge, Into: "pf-near"}},
		{"merged into nothing, and nothing is near", bare, Decision{Do: Merge}, true, Decision{Do: Merge}},
		{"merged", full, Decision{Do: Merge, Into: "pf-i"}, false, Decision{Do: Merge, Into: "pf-i"}},
	} {
		t.Run(row.name, func(t *testing.T) {
			r := NewOne(&app.Session{})
			r.s.Settings.Promotion.ReviewKinds = nil
			_, _, err := r.decisionParts(t.Context(), row.item, row.do)
			if (vault.CodeOf(err) == vault.CodeInvalid) != row.refused || err != nil && !row.refused {
				t.Errorf("got %v", err)
			}
			got := row.do.WithSuggestions(row.item)
			if got.Parent != row.suggested.Parent || got.Learned != row.suggested.Learned || got.Into != row.suggested.Into {
				t.Errorf("suggested: got %+v, want %+v", got, row.suggested)
			}
		})
	}
}

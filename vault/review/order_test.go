package review_test

import (
	"slices"
	"testing"
	"time"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/review"
)

// The queue has the reasons in their order, then what was seen more often, then the older.
func TestSort(t *testing.T) {
	day := func(n int) time.Time { return time.Date(2026, 11, n, 0, 0, 0, 0, time.UTC) }
	var all []*review.Item
	for i, r := range slices.Backward(review.Reasons()) {
		all = append(all, &review.Item{Why: r, ID: vault.ID(r), Created: day(i + 1)})
	}
	all = append(all,
		&review.Item{Why: review.ReasonObservation, ID: "often", Count: 9, Created: day(20)},
		&review.Item{Why: review.IsBelow, ID: "older", Created: day(1)},
		&review.Item{Why: review.IsBelow, ID: "twin", Created: day(1), Path: "z.md"})
	review.SortItems(all)
	var got []vault.ID
	for _, i := range all {
		got = append(got, i.ID)
	}
	want := []vault.ID{"often", "observation", "place", "core", "stale", "alike", "phrase", "deferred", "older", "twin", "below", "denied"}
	if !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

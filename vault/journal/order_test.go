package journal_test

import (
	"slices"
	"testing"
	"time"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/journal"
)

// The queue has the reasons in their order, then what was seen more often, then the older.
func TestSort(t *testing.T) {
	day := func(n int) time.Time { return time.Date(2026, 11, n, 0, 0, 0, 0, time.UTC) }
	var all []*journal.Item
	for i, r := range slices.Backward(journal.Reasons()) {
		all = append(all, &journal.Item{Why: r, ID: vault.ID(r), Created: day(i + 1)})
	}
	all = append(all,
		&journal.Item{Why: journal.ReasonObservation, ID: "often", Count: 9, Created: day(20)},
		&journal.Item{Why: journal.IsBelow, ID: "older", Created: day(1)},
		&journal.Item{Why: journal.IsBelow, ID: "twin", Created: day(1), Path: "z.md"})
	journal.SortItems(all)
	var got []vault.ID
	for _, i := range all {
		got = append(got, i.ID)
	}
	want := []vault.ID{"often", "observation", "place", "core", "stale", "code", "alike", "phrase", "deferred", "older", "twin", "below", "denied"}
	if !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

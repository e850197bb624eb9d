package journal

import (
	"cmp"
	"slices"
)

// SortItems orders the items by their reasons. Among those of one reason the one that was
// read more often comes first, as far as that is told, then the one that more sessions made, the
// older one, and the one with the smaller id.
func SortItems(items []*Item) {
	rank := make(map[Reason]int)
	for i, r := range Reasons() {
		rank[r] = i
	}
	slices.SortStableFunc(items, func(a, b *Item) int {
		return cmp.Or(cmp.Compare(rank[a.Why], rank[b.Why]), cmp.Compare(b.Reads, a.Reads), cmp.Compare(b.Count, a.Count),
			a.Created.Compare(b.Created), cmp.Compare(a.ID, b.ID))
	})
}

package index

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cp-memory/cp/vault/journal"
	"github.com/cp-memory/cp/vault/tier"
)

// Of the observations that too few sessions made, the first ones come and the others are
// counted; what has any other reason always comes.
func TestWaitingIsBounded(t *testing.T) {
	f := newFolder(t, false)
	for i := range 40 {
		sessions := strings.Join([]string{"a", "b", "c", "d"}[:i%4], ", ")
		more := []string{"", "", "denied_at: 2026-02-01T00:00:00Z\n", "", "deferred: 2026-03-01\n", "status: deferred\n", "status: closed\n", "superseded_by: [pf-00]\n", "long_term_at: 2026-02-01T00:00:00Z\n", "wants_place: true\n"}[i%10]
		f.write(fmt.Sprintf("n%02d.md", i), fmt.Sprintf("---\nid: pf-%02d\ntitle: N %d\ntype: observation\ncreated: 2026-01-%02dT00:00:00Z\nsessions: [%s]\n%s---\nSeen.\n", i, i, 1+i%7, sessions, more))
	}
	d, ctx, rules := f.caughtUp(), context.Background(), journal.QueueRules{Thresholds: tier.Default()}
	all, err := d.Waiting(ctx, rules, 0)
	if err != nil || all.Below != 0 {
		t.Fatalf("got %d more, %v", all.Below, err)
	}
	want := queued(all, rules)
	if len(want) < 20 {
		t.Fatalf("only %v waits", want)
	}
	for _, below := range []int{1, 2, 5, 100} {
		got, err := d.Waiting(ctx, rules, below)
		if err != nil {
			t.Fatal(err)
		}
		some := queued(got, rules)
		if len(some)+got.Below != len(want) || !slices.Equal(some, want[:len(some)]) || below == 1 && got.Below == 0 {
			t.Errorf("bounded by %d: got %v and %d more, want %v", below, some, got.Below, want)
		}
	}
}

// queued are the ids and reasons of what waits, in the order of the queue.
func queued(found journal.Candidates, r journal.QueueRules) (all []string) {
	var items []*journal.Item
	for i := range found.All {
		c := &found.All[i]
		if why, ok := c.Why(r, time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)); ok && why != journal.Denied {
			items = append(items, &journal.Item{ID: c.ID, Why: why, Count: c.Seen, Created: c.Created})
		}
	}
	journal.SortItems(items)
	for _, item := range items {
		all = append(all, string(item.ID)+" "+string(item.Why))
	}
	return all
}

package review_test

import (
	"testing"
	"time"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/review"
)

// A memory waits for the first reason that holds, and for none where a person has decided.
func TestWhy(t *testing.T) {
	now := time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)
	ago := func(days int) time.Time { return now.AddDate(0, 0, -days) }
	observation := func(c review.Candidate) review.Candidate {
		c.Type, c.Status = "observation", "open"
		return c
	}
	memory := func(c review.Candidate) review.Candidate {
		c.Type, c.Status, c.InTree = vault.TypeMemory, "open", true
		return c
	}
	for name, row := range map[string]struct {
		c    review.Candidate
		want review.Reason
	}{
		"exactly the least count":           {observation(review.Candidate{Seen: 2}), review.Observation},
		"one below it":                      {observation(review.Candidate{Seen: 1}), review.Below},
		"no session at all":                 {observation(review.Candidate{}), review.Below},
		"approved, and still too few":       {observation(review.Candidate{Seen: 1, Approved: ago(1)}), review.Below},
		"denied":                            {observation(review.Candidate{Seen: 9, Denied: ago(1)}), review.Denied},
		"denied and approved at once":       {observation(review.Candidate{Seen: 9, Denied: ago(1), Approved: ago(1)}), review.Denied},
		"approved after a denial":           {observation(review.Candidate{Seen: 9, Denied: ago(2), Approved: ago(1)}), review.Observation},
		"put off to a later day":            {observation(review.Candidate{Seen: 9, Deferred: ago(-1)}), ""},
		"put off to a day that has come":    {observation(review.Candidate{Seen: 9, Deferred: ago(1)}), review.Observation},
		"put off to this moment":            {memory(review.Candidate{Deferred: now}), review.Deferred},
		"put off to no day":                 {memory(review.Candidate{Status: "deferred"}), ""},
		"an entry that asks":                {review.Candidate{Type: "decision", WantsPlace: true}, review.Place},
		"a kind that asks":                  {review.Candidate{Type: "learning"}, review.Place},
		"a kind that does not":              {review.Candidate{Type: "decision"}, ""},
		"an entry that has its place":       {review.Candidate{Type: "learning", WantsPlace: true, InTree: true, LongTerm: ago(1)}, ""},
		"seven days and three sessions":     {memory(review.Candidate{Seen: 3, LongTerm: ago(7)}), review.Core},
		"a moment too early":                {memory(review.Candidate{Seen: 3, LongTerm: ago(7).Add(time.Second)}), ""},
		"two sessions":                      {memory(review.Candidate{Seen: 2, LongTerm: ago(70)}), ""},
		"of the tree since it was made":     {memory(review.Candidate{Seen: 3, Created: ago(7)}), review.Core},
		"in the agents' files already":      {memory(review.Candidate{Seen: 3, LongTerm: ago(9), Core: ago(1)}), ""},
		"alike":                             {memory(review.Candidate{Relates: true, Phraseless: true}), review.Alike},
		"an approved alike":                 {memory(review.Candidate{Relates: true, Approved: ago(1)}), ""},
		"an entry that relates":             {review.Candidate{Type: "decision", Relates: true}, ""},
		"without a phrase":                  {memory(review.Candidate{Phraseless: true, Deferred: ago(1)}), review.Phrase},
		"closed":                            {review.Candidate{Type: "observation", Status: vault.StatusClosed, Seen: 9}, ""},
		"closed and denied":                 {review.Candidate{Type: "observation", Status: vault.StatusClosed, Denied: ago(1)}, ""},
		"an ordinary memory":                {memory(review.Candidate{}), ""},
		"an ordinary memory that is old":    {memory(review.Candidate{Created: ago(900)}), ""},
		"ready for core before it is alike": {memory(review.Candidate{Seen: 5, LongTerm: ago(30), Relates: true}), review.Core},
	} {
		t.Run(name, func(t *testing.T) {
			c := row.c
			if name == "put off to no day" {
				c.Status = vault.StatusDeferred
			}
			got, ok := c.Why(review.Rules{LongTerm: 2, Core: 3, CoreDays: 7, Kinds: []string{"learnings", "nonsense"}}, now)
			if got != row.want || ok != (row.want != "") {
				t.Errorf("got %q, %v, want %q", got, ok, row.want)
			}
		})
	}
}

// What a count lacks is said in full, and nothing where it lacks nothing.
func TestNeeds(t *testing.T) {
	for _, row := range []struct {
		count, least int
		want         string
	}{{2, 3, "2/3, needs 1 more"}, {0, 2, "0/2, needs 2 more"}, {2, 2, ""}, {5, 2, ""}} {
		if got := review.Needs(row.count, row.least); got != row.want {
			t.Errorf("%d of %d: got %q, want %q", row.count, row.least, got, row.want)
		}
	}
}

package review_test

import (
	"testing"
	"time"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/review"
	"github.com/cp-memory/cp/vault/tier"
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
		c.Type, c.Status = vault.TypeMemory, "open"
		return c
	}
	for name, row := range map[string]struct {
		c    review.Candidate
		want review.Reason
	}{
		"exactly the least count":           {observation(review.Candidate{Seen: 2}), review.ReasonObservation},
		"one below it":                      {observation(review.Candidate{Seen: 1}), review.IsBelow},
		"no session at all":                 {observation(review.Candidate{}), review.IsBelow},
		"approved, and still too few":       {observation(review.Candidate{Approved: ago(1), Seen: 1}), review.IsBelow},
		"denied":                            {observation(review.Candidate{DeniedAt: ago(1), Seen: 9}), review.Denied},
		"denied and approved at once":       {observation(review.Candidate{DeniedAt: ago(1), Approved: ago(1), Seen: 9}), review.Denied},
		"approved after a denial":           {observation(review.Candidate{DeniedAt: ago(2), Approved: ago(1), Seen: 9}), review.ReasonObservation},
		"put off to a later day":            {observation(review.Candidate{Deferred: ago(-1), Seen: 9}), ""},
		"put off to a day that has come":    {observation(review.Candidate{Deferred: ago(1), Seen: 9}), review.ReasonObservation},
		"put off to this moment":            {memory(review.Candidate{Deferred: now}), review.Deferred},
		"put off to no day":                 {memory(review.Candidate{Status: "deferred"}), ""},
		"an entry that asks":                {review.Candidate{Type: "decision", WantsPlace: "true"}, review.ReasonPlace},
		"a kind that asks":                  {review.Candidate{Type: "learning"}, review.ReasonPlace},
		"a kind that does not":              {review.Candidate{Type: "decision"}, ""},
		"an entry that has its place":       {review.Candidate{Type: "learning", WantsPlace: "true", LongTerm: ago(1)}, ""},
		"seven days and three sessions":     {memory(review.Candidate{LongTerm: ago(7), Seen: 3}), review.Core},
		"a moment too early":                {memory(review.Candidate{LongTerm: ago(7).Add(time.Second), Seen: 3}), ""},
		"two sessions":                      {memory(review.Candidate{LongTerm: ago(70), Seen: 2}), ""},
		"of the tree since it was made":     {memory(review.Candidate{Created: ago(7), Seen: 3}), review.Core},
		"in the agents' files already":      {memory(review.Candidate{LongTerm: ago(9), Core: ago(1), Seen: 3}), ""},
		"alike":                             {memory(review.Candidate{Relates: true, Phraseless: true}), review.Alike},
		"an approved alike":                 {memory(review.Candidate{Approved: ago(1), Relates: true}), ""},
		"an entry that relates":             {review.Candidate{Type: "decision", Relates: true}, ""},
		"without a phrase":                  {memory(review.Candidate{Deferred: ago(1), Phraseless: true}), review.Phrase},
		"closed":                            {review.Candidate{Type: "observation", Status: vault.StatusClosed, Seen: 9}, ""},
		"closed and denied":                 {review.Candidate{Type: "observation", Status: vault.StatusClosed, DeniedAt: ago(1)}, ""},
		"an ordinary memory":                {memory(review.Candidate{}), ""},
		"an ordinary memory that is old":    {memory(review.Candidate{Created: ago(900)}), ""},
		"ready for core before it is alike": {memory(review.Candidate{LongTerm: ago(30), Seen: 5, Relates: true}), review.Core},
	} {
		t.Run(name, func(t *testing.T) {
			c := row.c
			if name == "put off to no day" {
				c.Status = vault.StatusDeferred
			}
			got, ok := c.Why(review.QueueRules{Thresholds: tier.Default(), Kinds: []string{"learnings", "nonsense"}}, now)
			if got != row.want || ok != (row.want != "") {
				t.Errorf("got %q, %v, want %q", got, ok, row.want)
			}
		})
	}
}

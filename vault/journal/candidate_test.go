package journal_test

import (
	"testing"
	"time"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/journal"
	"github.com/cp-memory/cp/vault/tier"
)

// A memory waits for the first reason that holds, and for none where a person has decided.
func TestWhy(t *testing.T) {
	now := time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)
	ago := func(days int) time.Time { return now.AddDate(0, 0, -days) }
	observation := func(c journal.Candidate) journal.Candidate {
		c.Type, c.Status = "observation", "open"
		return c
	}
	memory := func(c journal.Candidate) journal.Candidate {
		c.Type, c.Status = vault.TypeMemory, "open"
		return c
	}
	for name, row := range map[string]struct {
		c    journal.Candidate
		want journal.Reason
	}{
		"exactly the least count":           {observation(journal.Candidate{Seen: 2}), journal.ReasonObservation},
		"one below it":                      {observation(journal.Candidate{Seen: 1}), journal.IsBelow},
		"no session at all":                 {observation(journal.Candidate{}), journal.IsBelow},
		"approved, and still too few":       {observation(journal.Candidate{Approved: ago(1), Seen: 1}), journal.IsBelow},
		"denied":                            {observation(journal.Candidate{DeniedAt: ago(1), Seen: 9}), journal.Denied},
		"denied and approved at once":       {observation(journal.Candidate{DeniedAt: ago(1), Approved: ago(1), Seen: 9}), journal.Denied},
		"approved after a denial":           {observation(journal.Candidate{DeniedAt: ago(2), Approved: ago(1), Seen: 9}), journal.ReasonObservation},
		"put off to a later day":            {observation(journal.Candidate{Deferred: ago(-1), Seen: 9}), ""},
		"put off to a day that has come":    {observation(journal.Candidate{Deferred: ago(1), Seen: 9}), journal.ReasonObservation},
		"put off to this moment":            {memory(journal.Candidate{Deferred: now}), journal.Deferred},
		"put off to no day":                 {memory(journal.Candidate{Status: "deferred"}), ""},
		"an entry that asks":                {journal.Candidate{Type: "decision", WantsPlace: "true"}, journal.ReasonPlace},
		"a kind that asks":                  {journal.Candidate{Type: "learning"}, journal.ReasonPlace},
		"a kind that does not":              {journal.Candidate{Type: "decision"}, ""},
		"an entry that has its place":       {journal.Candidate{Type: "learning", WantsPlace: "true", LongTerm: ago(1)}, ""},
		"seven days and three sessions":     {memory(journal.Candidate{LongTerm: ago(7), Seen: 3}), journal.Core},
		"a moment too early":                {memory(journal.Candidate{LongTerm: ago(7).Add(time.Second), Seen: 3}), ""},
		"two sessions":                      {memory(journal.Candidate{LongTerm: ago(70), Seen: 2}), ""},
		"of the tree since it was made":     {memory(journal.Candidate{Created: ago(7), Seen: 3}), journal.Core},
		"in the agents' files already":      {memory(journal.Candidate{LongTerm: ago(9), Core: ago(1), Seen: 3}), ""},
		"alike":                             {memory(journal.Candidate{Relates: true, Phraseless: true}), journal.Alike},
		"an approved alike":                 {memory(journal.Candidate{Approved: ago(1), Relates: true}), ""},
		"an entry that relates":             {journal.Candidate{Type: "decision", Relates: true}, ""},
		"without a phrase":                  {memory(journal.Candidate{Deferred: ago(1), Phraseless: true}), journal.Phrase},
		"closed":                            {journal.Candidate{Type: "observation", Status: vault.StatusClosed, Seen: 9}, ""},
		"closed and denied":                 {journal.Candidate{Type: "observation", Status: vault.StatusClosed, DeniedAt: ago(1)}, ""},
		"an ordinary memory":                {memory(journal.Candidate{}), ""},
		"an ordinary memory that is old":    {memory(journal.Candidate{Created: ago(900)}), ""},
		"ready for core before it is alike": {memory(journal.Candidate{LongTerm: ago(30), Seen: 5, Relates: true}), journal.Core},
	} {
		t.Run(name, func(t *testing.T) {
			c := row.c
			if name == "put off to no day" {
				c.Status = vault.StatusDeferred
			}
			got, ok := c.Why(journal.QueueRules{Thresholds: tier.Default(), Kinds: []string{"learnings", "nonsense"}}, now)
			if got != row.want || ok != (row.want != "") {
				t.Errorf("got %q, %v, want %q", got, ok, row.want)
			}
		})
	}
}

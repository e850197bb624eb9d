package review_test

import (
	"testing"
	"time"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/field"
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
		"exactly the least count":           {observation(review.Candidate{Seen: 2}), review.Observation},
		"one below it":                      {observation(review.Candidate{Seen: 1}), review.Below},
		"no session at all":                 {observation(review.Candidate{}), review.Below},
		"approved, and still too few":       {observation(review.Candidate{Header: vault.Header{Entry: field.Entry{Approved: ago(1)}}, Seen: 1}), review.Below},
		"denied":                            {observation(review.Candidate{Header: vault.Header{Entry: field.Entry{Denied: ago(1)}}, Seen: 9}), review.Denied},
		"denied and approved at once":       {observation(review.Candidate{Header: vault.Header{Entry: field.Entry{Denied: ago(1), Approved: ago(1)}}, Seen: 9}), review.Denied},
		"approved after a denial":           {observation(review.Candidate{Header: vault.Header{Entry: field.Entry{Denied: ago(2), Approved: ago(1)}}, Seen: 9}), review.Observation},
		"put off to a later day":            {observation(review.Candidate{Header: vault.Header{Deferred: ago(-1)}, Seen: 9}), ""},
		"put off to a day that has come":    {observation(review.Candidate{Header: vault.Header{Deferred: ago(1)}, Seen: 9}), review.Observation},
		"put off to this moment":            {memory(review.Candidate{Header: vault.Header{Deferred: now}}), review.Deferred},
		"put off to no day":                 {memory(review.Candidate{Header: vault.Header{Status: "deferred"}}), ""},
		"an entry that asks":                {review.Candidate{Header: vault.Header{Type: "decision", Entry: field.Entry{WantsPlace: "true"}}}, review.Place},
		"a kind that asks":                  {review.Candidate{Header: vault.Header{Type: "learning"}}, review.Place},
		"a kind that does not":              {review.Candidate{Header: vault.Header{Type: "decision"}}, ""},
		"an entry that has its place":       {review.Candidate{Header: vault.Header{Type: "learning", Entry: field.Entry{WantsPlace: "true", LongTerm: ago(1)}}}, ""},
		"seven days and three sessions":     {memory(review.Candidate{Header: vault.Header{Entry: field.Entry{LongTerm: ago(7)}}, Seen: 3}), review.Core},
		"a moment too early":                {memory(review.Candidate{Header: vault.Header{Entry: field.Entry{LongTerm: ago(7).Add(time.Second)}}, Seen: 3}), ""},
		"two sessions":                      {memory(review.Candidate{Header: vault.Header{Entry: field.Entry{LongTerm: ago(70)}}, Seen: 2}), ""},
		"of the tree since it was made":     {memory(review.Candidate{Header: vault.Header{Created: ago(7)}, Seen: 3}), review.Core},
		"in the agents' files already":      {memory(review.Candidate{Header: vault.Header{Entry: field.Entry{LongTerm: ago(9), Core: ago(1)}}, Seen: 3}), ""},
		"alike":                             {memory(review.Candidate{Relates: true, Phraseless: true}), review.Alike},
		"an approved alike":                 {memory(review.Candidate{Header: vault.Header{Entry: field.Entry{Approved: ago(1)}}, Relates: true}), ""},
		"an entry that relates":             {review.Candidate{Header: vault.Header{Type: "decision"}, Relates: true}, ""},
		"without a phrase":                  {memory(review.Candidate{Header: vault.Header{Deferred: ago(1)}, Phraseless: true}), review.Phrase},
		"closed":                            {review.Candidate{Header: vault.Header{Type: "observation", Status: vault.StatusClosed}, Seen: 9}, ""},
		"closed and denied":                 {review.Candidate{Header: vault.Header{Type: "observation", Status: vault.StatusClosed, Entry: field.Entry{Denied: ago(1)}}}, ""},
		"an ordinary memory":                {memory(review.Candidate{}), ""},
		"an ordinary memory that is old":    {memory(review.Candidate{Header: vault.Header{Created: ago(900)}}), ""},
		"ready for core before it is alike": {memory(review.Candidate{Header: vault.Header{Entry: field.Entry{LongTerm: ago(30)}}, Seen: 5, Relates: true}), review.Core},
	} {
		t.Run(name, func(t *testing.T) {
			c := row.c
			if name == "put off to no day" {
				c.Status = vault.StatusDeferred
			}
			got, ok := c.Why(review.Rules{Thresholds: tier.Default(), Kinds: []string{"learnings", "nonsense"}}, now)
			if got != row.want || ok != (row.want != "") {
				t.Errorf("got %q, %v, want %q", got, ok, row.want)
			}
		})
	}
}

package app

import (
	"context"

	"github.com/cp-memory/cp/vault/review"
	"github.com/cp-memory/cp/vault/tier"
)

// Queue asks for a page of what waits for a person.
type Queue struct {
	Denied        bool // what was denied, in place of what waits
	Limit, Offset int
}

// Queue returns a page of what waits for a person, by the rules of the settings.
func (s *Session) Queue(ctx context.Context, q Queue) (review.Queue, error) {
	return s.reviewRoom().Read(ctx, review.Query{Rules: s.rules(), Denied: q.Denied, Limit: q.Limit, Offset: q.Offset})
}

func (s *Session) reviewRoom() *review.Room {
	return &review.Room{Vault: s.Vault, Mirror: s.Pending, Finder: s.Finder()}
}

// rules are what waits.
func (s *Session) rules() review.Rules { return review.Rules{Thresholds: tier.Default()} }

package exchange

import (
	"context"

	"github.com/cp-memory/cp/vault"
)

// Counters are the readings that this clone has counted, and what it knows of
// other clones'.
type Counters interface {
	// Own returns the clone's name and its counts; Take takes in others', by name.
	Own(ctx context.Context) (clone string, counts []byte, err error)
	Take(ctx context.Context, counts map[string][]byte) error
}

// Team keeps the read counts that the clones of a vault leave for each other.
type Team interface {
	Counts(ctx context.Context, up vault.Upstream) (map[string][]byte, error)
	GiveCounts(ctx context.Context, up vault.Upstream, clone string, counts []byte, say func(string)) error
}

// takeCounts takes in the read counts of others. Statistics are not worth a failed
// command, so a failure is a warning.
func (x *Exchange) takeCounts(ctx context.Context, up vault.Upstream) []string {
	if x.Counters == nil {
		return nil
	}
	counts, err := x.Team.Counts(ctx, up)
	if err == nil {
		err = x.Counters.Take(ctx, counts)
	}
	if err != nil {
		return []string{"the team's readings could not be taken in: " + err.Error()}
	}
	return nil
}

// giveCounts gives others what was read here.
func (x *Exchange) giveCounts(ctx context.Context, up vault.Upstream) []string {
	if x.Counters == nil {
		return nil
	}
	clone, counts, err := x.Counters.Own(ctx)
	if err == nil && clone != "" && len(counts) > 0 {
		err = x.Team.GiveCounts(ctx, up, clone, counts, x.Say)
	}
	if err != nil {
		return []string{"readings are not shared: " + err.Error()}
	}
	return nil
}

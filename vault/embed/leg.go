package embed

import (
	"context"
	"time"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/recall"
)

// QueryTime bounds how long a question waits for the model.
const QueryTime = 5 * time.Second

// Leg finds memories by the vector of the question. It implements [recall.Leg].
type Leg struct{ Ports }

// Name returns "vector".
func (l Leg) Name() string { return "vector" }

// backfill is the command that makes vectors.
const backfill = "cp admin embed-backfill"

// FindNearest returns the memories that pass the filters of o and are nearest to the query, the
// best first. The error says what a person can do.
func (l Leg) FindNearest(ctx context.Context, query string, o vault.ListOptions) ([]recall.Scored, error) {
	like, err := l.Model.Space()
	if err != nil {
		return nil, err
	}
	kept, err := l.findStored(ctx, like)
	if err != nil {
		return nil, err
	}
	if kept.Texts == 0 {
		return nil, l.none(ctx, kept)
	}
	question, err := l.embedQuery(ctx, query)
	if err != nil || question == nil {
		return nil, err
	}
	like.Dimension = len(question)
	now := kept
	if !kept.fits(like) {
		if now, err = l.findStored(ctx, like); err != nil {
			return nil, err
		}
	}
	if now.Texts == 0 {
		return nil, vault.Errorf(vault.CodeEmbedding, backfill+" embeds the memories anew",
			"the model %s now gives %d numbers, and the vectors here have %d", like.Model, len(question), kept.Dimension)
	}
	return l.findNearest(ctx, like, question, o)
}

// Outdated says what the vectors of [Stored.Old] are.
const Outdated = "those here are of whole memories, made by an earlier cp"

// none returns the error that says why there are no vectors to compare with.
func (l Leg) none(ctx context.Context, kept Stored) error {
	all, err := l.Vectors.Spaces(ctx)
	switch {
	case err != nil:
		return err
	case kept.Old:
		return vault.Errorf(vault.CodeEmbedding, backfill+" makes them, and keeps those of short memories",
			"no vectors of passages yet: %s", Outdated)
	case len(all) == 0 || kept.Passages > 0:
		return vault.Errorf(vault.CodeEmbedding, backfill, "no vectors yet: nothing was embedded")
	}
	return vault.Errorf(vault.CodeEmbedding, backfill+" embeds them by this model too",
		"no vectors yet by %s; those here are of %s, which cannot be compared with it", kept.Model, all[0].Model)
}

// embedQuery embeds the question within QueryTime.
func (l Leg) embedQuery(ctx context.Context, query string) ([]float32, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, QueryTime, vault.Errorf(vault.CodeEmbedding, "the words alone were looked for; try again, or check embedding.base_url",
		"the embedding service did not answer within %v", QueryTime))
	defer cancel()
	all, err := l.Model.Embed(ctx, Query, []string{query})
	if err != nil {
		if ctx.Err() != nil {
			err = context.Cause(ctx)
		}
		return nil, err
	}
	return all[0], nil
}

// findNearest returns the nearest memories with the weight that was measured for the space.
func (l Leg) findNearest(ctx context.Context, space Space, question []float32, o vault.ListOptions) ([]recall.Scored, error) {
	all, err := l.passing(ctx, space, question, o)
	if err != nil || l.Weights == nil {
		return all, err
	}
	w, _, err := l.weight(ctx, space)
	for i := range all {
		all[i].Weight = w.Weight
	}
	return all, err
}

// passing looks among all vectors first, since most memories pass most filters. If too few of
// the nearest pass, or few memories do anyway, it looks among the vectors of those.
func (l Leg) passing(ctx context.Context, space Space, question []float32, o vault.ListOptions) ([]recall.Scored, error) {
	if o.Hidden {
		return l.amongPassing(ctx, space, question, o)
	}
	found, err := l.Vectors.Nearest(ctx, space, question, 2*o.Limit, nil)
	if err != nil {
		return nil, err
	}
	scored, err := l.findHolders(ctx, found, o)
	if err != nil || len(scored) >= o.Limit || len(found) < 2*o.Limit { // fewer are all there are
		return scored, err
	}
	return l.amongPassing(ctx, space, question, o)
}

// amongPassing looks among the vectors of the memories that pass.
func (l Leg) amongPassing(ctx context.Context, space Space, question []float32, o vault.ListOptions) ([]recall.Scored, error) {
	pass, err := l.Holders.Holders(ctx, &o, nil)
	if err != nil || len(pass) == 0 {
		return nil, err
	}
	only := make(map[string]bool, len(pass))
	for _, h := range pass {
		only[h.Content] = true
	}
	found, err := l.Vectors.Nearest(ctx, space, question, o.Limit, only)
	if err != nil {
		return nil, err
	}
	return l.findHolders(ctx, found, o)
}

// findHolders returns the memories that pass the filters of o and hold one of the contents
// found, in the order of those, at most o.Limit.
func (l Leg) findHolders(ctx context.Context, found []Near, o vault.ListOptions) ([]recall.Scored, error) {
	contents := make([]string, len(found))
	for i, n := range found {
		contents[i] = n.Content
	}
	holders, err := l.Holders.Holders(ctx, &o, contents)
	if err != nil {
		return nil, err
	}
	by := make(map[string][]Holder, len(holders))
	for _, h := range holders {
		by[h.Content] = append(by[h.Content], h)
	}
	var all []recall.Scored
	for _, n := range found {
		for _, h := range by[n.Content] {
			if len(all) < o.Limit {
				all = append(all, recall.Scored{ID: h.ID, Score: n.Score, Part: n.Part, Path: h.Path})
			}
		}
	}
	return all, nil
}

package recall

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"github.com/cp-memory/cp/vault"
)

// Web knows how memories hang together: by what they speak of, by their labels, and by links.
type Web interface {
	// Hops returns the memories one step from the memories from that pass the filters of o.
	// What very many memories have in common is no step.
	Hops(ctx context.Context, from []vault.ID, o vault.ListOptions) ([]Hop, error)
}

// Hop is a step from one memory to another one.
type Hop struct {
	From, To vault.ID
	Through  string  // an entity's name, a label, or "link"
	Weight   float64 // 1 through what only these two have, and less the more have it
}

// Reached tells how a memory was reached from others.
type Reached struct {
	Share   float64  `json:"share"`   // of the score that it was ranked by
	Through []string `json:"through"` // the best ways first, at most three
}

// DefaultReach is what the graph may add to a score unless it is switched off. On the labelled
// queries over Markdown trees, which have links and labels and no facts, it moves little: in one
// vault -0.1, +0.3 and -0.3 points of recall at 1, 5 and 10 and -0.1 of the reciprocal rank.
// It lifts what many of the best link to, and with that pages that everything links to: with
// twice of it the reciprocal rank loses 0.4. XQuAD, whose texts have nothing in common but words,
// is as it was ("make bench-recall").
const DefaultReach = 0.05

const (
	hopSeeds = 10 // of the best candidates the steps begin
	hopFresh = 20 // candidates at the most that only steps have found
)

// hop adds to each candidate's score a share for the steps that lead to it from the best, and
// takes in what only they lead to. A step does not leave its vault. If a web cannot be asked,
// the order of what is in its vault stays.
func (r *run) hop(ctx context.Context) {
	if r.Reach <= 0 || len(r.all) == 0 || r.all[0].mixed <= 0 {
		return
	}
	best := r.all[0].mixed
	shares := make([]map[vault.ID]float64, len(r.members))
	for i := range r.all[:min(len(r.all), hopSeeds)] {
		c := &r.all[i]
		if shares[c.member] == nil {
			shares[c.member] = make(map[vault.ID]float64, hopSeeds)
		}
		shares[c.member][c.ID] = c.mixed / best
	}
	for i, share := range shares {
		if r.members[i].Web == nil || len(share) == 0 {
			continue
		}
		hops, err := r.members[i].Web.Hops(ctx, slices.Sorted(maps.Keys(share)), r.members[i].Options)
		if err != nil {
			r.warn("graph: %v; the answer is without it", err)
			continue
		}
		r.land(ctx, i, gather(hops, share), best*r.Reach)
	}
	slices.SortStableFunc(r.all, func(a, b candidate) int { return cmp.Compare(b.mixed, a.mixed) })
}

// gathered is what leads to a memory.
type gathered struct {
	id      vault.ID
	sum     float64
	through []Hop
}

// gather sums up the steps to each memory, the best first.
func gather(hops []Hop, share map[vault.ID]float64) []*gathered {
	of := make(map[vault.ID]*gathered)
	var all []*gathered
	for _, h := range hops {
		g := of[h.To]
		if g == nil {
			g = &gathered{id: h.To}
			of[h.To], all = g, append(all, g)
		}
		h.Weight *= share[h.From]
		g.sum += h.Weight
		g.through = append(g.through, h)
	}
	slices.SortStableFunc(all, func(a, b *gathered) int { return cmp.Or(cmp.Compare(b.sum, a.sum), cmp.Compare(a.id, b.id)) })
	return all
}

// land gives the candidates of a member their shares, at most most.
func (r *run) land(ctx context.Context, member int, all []*gathered, most float64) {
	at := make(map[key]int, len(r.all))
	for i := range r.all {
		at[r.all[i].key()] = i
	}
	fresh := 0
	for _, g := range all {
		k := key{member, g.id}
		i, known := at[k]
		if !known {
			if fresh == hopFresh || g.share(r.Reach) < r.q.MinSimilarity {
				continue
			}
			c, ok := r.findCandidate(ctx, k, nil)
			if !ok {
				continue
			}
			fresh++
			i, r.all = len(r.all), append(r.all, c)
		}
		c := &r.all[i]
		c.reached = &Reached{Share: g.share(most), Through: g.ways()}
		c.mixed += c.reached.Share
	}
}

// share is what the steps add to a score, at most most. Of what nothing else has found the
// similarity is never above share(Reach).
func (g *gathered) share(most float64) float64 { return most * g.sum / (1 + g.sum) }

// floor leaves out what only steps have found and what is less similar than the query asks of
// what has no word of it.
func (r *run) floor() {
	r.all = slices.DeleteFunc(r.all, func(c candidate) bool {
		return c.reached != nil && c.score() == 0 && c.vector == 0 && roundSimilarity(c.similarity) < r.q.MinSimilarity
	})
}

// ways names the best ways.
func (g *gathered) ways() []string {
	slices.SortStableFunc(g.through, func(a, b Hop) int { return cmp.Compare(b.Weight, a.Weight) })
	ways := []string{}
	for _, h := range g.through {
		if len(ways) < 3 && !slices.Contains(ways, h.Through) {
			ways = append(ways, h.Through)
		}
	}
	return ways
}

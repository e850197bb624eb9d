package recall

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/cp-memory/cp/vault"
)

// legs mixes in what the second leg found and puts the candidates in their order.
// Where that leg fails, the words' order stands.
func (r *run) legs(ctx context.Context) {
	at := make(map[vault.ID]int, len(r.all))
	lexical := make([]Scored, 0, len(r.all))
	for i := range r.all {
		at[r.all[i].ID] = i
		lexical = append(lexical, Scored{ID: r.all[i].ID, Score: r.all[i].score()})
	}
	slices.SortStableFunc(lexical, func(a, b Scored) int { return cmp.Compare(b.Score, a.Score) })
	vector := r.near(ctx)
	passages := make(map[vault.ID]string, len(vector))
	for _, s := range vector {
		passages[s.ID] = s.Passage
	}
	var order []candidate
	for _, m := range Mix(lexical, vector, r.weight(), r.q.MinSimilarity) {
		c, ok := r.found(ctx, m.ID, at)
		if ok {
			c.vector, c.near, c.mixed = m.Vector, passages[m.ID], m.Score
			order = append(order, c)
		}
	}
	r.all = order
	r.liken()
}

func (r *run) weight() float64 {
	if r.Weight > 0 {
		return r.Weight
	}
	return DefaultWeight
}

// near asks the second leg, if there is one.
func (r *run) near(ctx context.Context) []Scored {
	if r.Leg == nil {
		return nil
	}
	o := r.q.Filter
	o.Limit, o.Offset = max(pool, o.Offset+o.Limit), 0
	found, err := r.Leg.Near(ctx, r.q.Text, o)
	if err == nil {
		return found
	}
	hint := ""
	var ours *vault.Error
	if errors.As(err, &ours) && ours.Hint != "" {
		hint = "; " + ours.Hint
	}
	r.warn("%s: %v; the answer is by words alone%s", r.Leg.Name(), err, hint)
	return nil
}

// found returns the candidate of that id; one that only the second leg found is
// looked up.
func (r *run) found(ctx context.Context, id vault.ID, at map[vault.ID]int) (candidate, bool) {
	if i, ok := at[id]; ok {
		return r.all[i], true
	}
	n, err := r.Vault.Mirror.Find(ctx, string(id))
	return candidate{Node: n}, err == nil
}

// liken turns the scores into similarities from 0 to 1: of the first by how much
// of the query's rarity its words have, or by the second leg where that says
// more; of the others in proportion.
func (r *run) liken() {
	if len(r.all) == 0 {
		return
	}
	rarity, first := 0.0, &r.all[0]
	for _, t := range r.terms {
		rarity += t.Rarity
	}
	top := first.vector
	if words := first.score(); words > 0 {
		top = max(top, words/(words+rarity))
	}
	for i := range r.all {
		r.all[i].similarity = top * r.all[i].mixed / first.mixed
	}
}

// demotion is what is left of a similarity when the memory was superseded.
const demotion = 0.5

// demote puts what was superseded below its successor, and lower than it would
// be in any case. Those who go in a circle are all demoted alike.
func (r *run) demote() {
	at := make(map[vault.ID]int, len(r.all))
	for i := range r.all {
		at[r.all[i].ID] = i
		if r.all[i].Superseded != "" {
			r.all[i].similarity *= demotion
		}
	}
	for range r.all { // a chain is as long as there are candidates at the most
		settled := true
		for i := range r.all {
			c := &r.all[i]
			j, ok := at[c.Superseded]
			if ok && c.similarity >= r.all[j].similarity && c.similarity > tiny {
				c.similarity, settled = 0.99*r.all[j].similarity, false
			}
		}
		if settled {
			break
		}
	}
	slices.SortStableFunc(r.all, func(a, b candidate) int { return cmp.Compare(b.similarity, a.similarity) })
}

// tiny ends the demotion of those who supersede each other.
const tiny = 1e-6

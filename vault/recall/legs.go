package recall

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"

	"github.com/cp-memory/cp/vault"
)

// legs mixes in the findings of the second leg and sorts the candidates. If that leg
// fails, the order of the words stays.
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
	for _, m := range Mix(lexical, vector, cmp.Or(r.Weight, DefaultWeight), r.q.MinSimilarity) {
		c, ok := r.found(ctx, m.ID, at)
		if ok {
			c.vector, c.near, c.mixed = m.Vector, passages[m.ID], m.Score
			order = append(order, c)
		}
	}
	r.all = order
	r.liken()
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

// found returns the candidate of that id. It looks up one that only the second leg found.
func (r *run) found(ctx context.Context, id vault.ID, at map[vault.ID]int) (candidate, bool) {
	if i, ok := at[id]; ok {
		return r.all[i], true
	}
	n, err := r.Vault.Mirror.Find(ctx, string(id))
	return candidate{Node: n}, err == nil
}

// liken turns the scores into similarities from 0 to 1. That of the first candidate is the
// share of the query's rarity that its words have, or the second leg's cosine if that is
// greater. The others follow in proportion.
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

// drop leaves out what is less similar than the query asks for; the best comes first.
func (r *run) drop() {
	near := 0
	for near < len(r.all) && rounded(r.all[near].similarity) >= r.q.MinSimilarity {
		near++
	}
	if r.answer.Below = len(r.all) - near; near == 0 && len(r.all) > 0 {
		r.best = rounded(r.all[0].similarity)
	}
	r.all = r.all[:near]
}

// rounded is a similarity as it is given.
func rounded(similarity float64) float64 { return math.Round(similarity*1e4) / 1e4 }

// demotion is the factor by which the similarity of a superseded memory falls.
const demotion = 0.5

// demote lowers superseded memories and puts each below its successor. Memories that
// supersede each other in a circle are lowered alike.
func (r *run) demote() {
	at := make(map[vault.ID]int, len(r.all))
	for i := range r.all {
		at[r.all[i].ID] = i
		if r.all[i].Superseded != "" {
			r.all[i].similarity *= demotion
		}
		if !r.all[i].InTree() {
			r.all[i].similarity *= behindTree
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

// behindTree is what is left of the similarity of an entry that has no place in the tree: it
// stands behind equally good memories that have one.
const behindTree = 0.97

// tiny is the similarity at which the demotion of a circle ends.
const tiny = 1e-6

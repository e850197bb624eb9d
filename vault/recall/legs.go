package recall

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"
	"strings"

	"github.com/cp-memory/cp/vault"
)

// mixLegs mixes in the findings of the second leg and sorts the candidates. If that leg
// fails, the order of the words stays.
func (r *run) mixLegs(ctx context.Context) {
	at := make(map[key]int, len(r.all))
	lexical := make([]Scored, 0, len(r.all))
	for i := range r.all {
		at[r.all[i].key()] = i
		lexical = append(lexical, Scored{ID: r.all[i].ID, Member: r.all[i].member, Score: r.all[i].score()})
	}
	slices.SortStableFunc(lexical, func(a, b Scored) int { return cmp.Compare(b.Score, a.Score) })
	vector := r.askSecondLegs(ctx)
	by := make(map[key]Scored, len(vector))
	for _, s := range vector {
		by[key{s.Member, s.ID}] = s
	}
	r.scale = r.scale.orOf(lexical, vector)
	all := r.scale.mix(lexical, vector, r.Weight, r.q.MinSimilarity)
	r.addSecondLeg(ctx, all, at, by)
	var order []candidate
	for _, m := range all {
		k := key{m.Member, m.ID}
		c, ok := r.findCandidate(ctx, k, at)
		if ok {
			c.vector, c.near, c.mixed = m.Vector, by[k].Part, m.Score
			c.weight, c.measured = m.Weight, m.Measured
			c.brought = m.Score > 2*m.Lexical
			order = append(order, c)
		}
	}
	r.all = order
}

// askSecondLegs asks the second legs of the members, if there are any. Cosines of several vaults can be
// compared as they are.
func (r *run) askSecondLegs(ctx context.Context) (all []Scored) {
	found, errs := make([][]Scored, len(r.members)), make([]error, len(r.members))
	_, _ = AskEach(len(r.members), r.answer.Failed, func(i int) error {
		if m := &r.members[i]; m.Leg != nil {
			found[i], errs[i] = m.Leg.FindNearest(ctx, r.q.Text, m.Options)
		}
		return nil
	})
	for i := range found {
		for _, s := range found[i] {
			s.Member = i
			all = append(all, s)
		}
	}
	r.lame(errs)
	slices.SortStableFunc(all, func(a, b Scored) int { return cmp.Compare(b.Score, a.Score) })
	return all[:min(len(all), r.members[0].Options.Limit)]
}

// lame warns of the second legs that failed, once for each reason.
func (r *run) lame(errs []error) {
	by := make(map[string][]string) // the projects of each reason
	for i, err := range errs {
		if err != nil {
			by[err.Error()] = append(by[err.Error()], r.members[i].From("").Project)
		}
	}
	for i, err := range errs {
		if err == nil || by[err.Error()] == nil {
			continue
		}
		what := "the answer is"
		if projects := by[err.Error()]; len(projects) < len(errs) {
			what = "what is in " + strings.Join(projects, ", ") + " is found"
		}
		r.warn("%s: %v; %s by words alone%s", r.members[i].Leg.Name(), err, what, errorHint(err))
		delete(by, err.Error())
	}
}

// errorHint returns the hint of an error, to be put behind it.
func errorHint(err error) string {
	var ours *vault.Error
	if errors.As(err, &ours) && ours.Hint != "" {
		return "; " + ours.Hint
	}
	return ""
}

// addSecondLeg adds to the candidates what only the second leg found, and tells where. A member is asked
// once for all whose files are known.
func (r *run) addSecondLeg(ctx context.Context, all []Mixed, at map[key]int, by map[key]Scored) {
	files := make([][]vault.Path, len(r.members))
	for _, m := range all {
		k := key{m.Member, m.ID}
		if _, known := at[k]; !known && by[k].Path != "" {
			files[m.Member] = append(files[m.Member], by[k].Path)
		}
	}
	for i, files := range files {
		if len(files) == 0 {
			continue
		}
		nodes, err := r.members[i].Mirror.Nodes(ctx, files)
		if err != nil {
			continue // they are looked up one by one, or left out
		}
		for _, n := range nodes {
			if k := (key{i, n.ID}); by[k].Path == n.Path {
				at[k] = len(r.all)
				r.all = append(r.all, candidate{Node: n, member: i})
			}
		}
	}
}

// findCandidate returns the candidate of that key. It looks up one that is not among them.
func (r *run) findCandidate(ctx context.Context, k key, at map[key]int) (candidate, bool) {
	if i, ok := at[k]; ok {
		return r.all[i], true
	}
	n, err := r.members[k.member].Mirror.Find(ctx, string(k.id))
	return candidate{Node: n, member: k.member}, err == nil
}

// untwin leaves out what an earlier member of the family has, too, and of what is closed in one of
// them and open in another what is closed.
func (r *run) untwin() {
	if len(r.members) < 2 {
		return
	}
	var seen Twins
	twin := make(map[key]bool)
	for i := range 2 * len(r.members) {
		for j := range r.all {
			if c := &r.all[j]; c.member == i%len(r.members) && c.aside == (i >= len(r.members)) && seen.HasSeen(&c.Node) {
				twin[c.key()] = true
			}
		}
	}
	r.all = slices.DeleteFunc(r.all, func(c candidate) bool { return twin[c.key()] })
}

// liken turns the scores into similarities from 0 to 1. That of the first candidate is the
// share of the query's rarity that its words have, or the second leg's cosine if that is
// greater. The others follow in proportion.
func (r *run) liken() {
	if len(r.all) == 0 {
		return
	}
	first := &r.all[0]
	top := first.vector
	if words := first.score(); words > 0 {
		top = max(top, words/(words+r.rarity))
	}
	for i := range r.all {
		r.all[i].similarity = top * r.all[i].mixed / first.mixed
	}
}

// dropDissimilar leaves out what is less similar than the query asks for; the best comes first.
func (r *run) dropDissimilar() {
	near := 0
	for near < len(r.all) && roundSimilarity(r.all[near].similarity) >= r.q.MinSimilarity {
		near++
	}
	if r.answer.Below = len(r.all) - near; near == 0 && len(r.all) > 0 {
		r.best = roundSimilarity(r.all[0].similarity)
	}
	r.all = r.all[:near]
}

// roundSimilarity is a similarity as it is given.
func roundSimilarity(similarity float64) float64 { return math.Round(similarity*1e4) / 1e4 }

// demotion is the factor by which the similarity of a superseded memory falls.
const demotion = 0.5

// behindOpen is what is left of the similarity of a closed memory beside open ones: it stands behind
// those that answer as well or nearly so.
const behindOpen = 0.8

// demote lowers closed and superseded memories, and puts each of these below its successor. Memories that
// supersede each other in a circle are lowered alike.
func (r *run) demote() {
	open := slices.ContainsFunc(r.all, func(c candidate) bool { return !c.isClosed() })
	at := make(map[key]int, len(r.all))
	for i := range r.all {
		at[r.all[i].key()] = i
		if open && r.all[i].isClosed() {
			r.all[i].similarity *= behindOpen
		}
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
			j, ok := at[key{c.member, c.Superseded}]
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

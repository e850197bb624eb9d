package recall

import (
	"context"
	"slices"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/family"
)

// searchWords is the lexical leg: candidates from the indexes, read and scored again.
func (r *run) searchWords(ctx context.Context) error {
	all, err := r.poolHits(ctx)
	if err != nil {
		return err
	}
	within := projectFolders(r.members)
	s := newScorer(weighNamesOnce(r.terms), r.members[0].Lexicon.Analyser())
	r.rarity = s.rarity
	for _, h := range all {
		c := candidate{Node: h.Node, member: h.Member}
		if m := r.readMemory(&c); m != nil {
			c.text = s.score(m, about{vault.Path(within[h.Member]) + h.Path.Stem(), h.Summary, h.Called, h.Score})
		} else {
			c.text = scored{Parts: Parts{Document: weightDocument * h.Score}}
		}
		c.parts = c.text.Parts
		r.all = append(r.all, c)
	}
	shareFamilyScores(r.all)
	return nil
}

// poolHits returns the candidates of all members, the best first, and notes the terms.
func (r *run) poolHits(ctx context.Context) ([]PoolHit, error) {
	found := make([]Candidates, len(r.members))
	err := r.each(func(i int) (err error) {
		if r.without[i] && slices.Contains(r.without, false) { // somebody has to tell the terms
			return nil
		}
		found[i], err = r.members[i].Lexicon.Candidates(ctx, r.q.Text, r.members[i].Options)
		return err
	})
	if err != nil {
		return nil, err
	}
	var all []PoolHit
	for i := range found {
		for _, h := range found[i].Hits {
			all = append(all, PoolHit{Hit: h, Member: i, From: r.members[i].From(h.Path)})
		}
		if r.terms == nil { // those of the members that answered are the same
			r.terms = found[i].Terms
			if found[i].Cut {
				r.warn("the query is long: only its first %d different words are looked for", len(r.terms))
			}
		}
	}
	if len(r.members) < 2 {
		return all, nil
	}
	best(all)
	return FillNodes(ctx, len(r.members), func(i int) *VaultMember { return &r.members[i].VaultMember }, all[:min(len(all), r.members[0].Options.Limit)])
}

// best puts hits into the order in which one index would list them, by their paths where
// they tie: another order would take other candidates, and with them other relatives.
func best(all []PoolHit) {
	place := func(h *PoolHit) PoolPlace {
		return PoolPlace{Score: h.Score, InTree: h.InTree(), Project: string(h.Path), Path: vault.Path(h.From.ProjectPath)}
	}
	slices.SortStableFunc(all, func(a, b PoolHit) int { return place(&a).Compare(place(&b)) })
}

// each asks the members that have not failed, side by side.
func (r *run) each(ask func(i int) error) (err error) {
	r.answer.Failed, err = AskEach(len(r.members), r.answer.Failed, ask)
	return err
}

// catchUp brings the mirrors up to date and warns if a part of a vault could not be read. The
// members of a family rank by their statistics together.
func (r *run) catchUp(ctx context.Context) error {
	whole, err := GatherSums(ctx, len(r.members), func(i int) *VaultMember { return &r.members[i].VaultMember }, r.q.Text)
	if r.answer.Failed, r.without = whole.Failed, whole.Without; err != nil {
		return err
	}
	if whole.Sums != nil {
		bar := family.NewBar(r.members[0].Options.Limit)
		for i := range r.members {
			r.members[i].Options.Sums, r.members[i].Options.Bar = whole.Sums, bar
		}
	}
	if whole.Partly {
		r.warn("a part of the vault could not be read and may be out of date here; `cp doctor` names it")
	}
	for i := range r.members {
		if private, why := r.members[i].Lexicon.Private(); private {
			r.warn("the index cannot be used (%v); the answer comes from one built for it alone", why)
			break
		}
	}
	return nil
}

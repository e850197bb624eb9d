package ask

import (
	"cmp"
	"context"
	"slices"

	"github.com/cp-memory/cp/cmd/internal/app"
	"github.com/cp-memory/cp/vault/recall"
)

// Search returns a page of the members' memories that hold any of the query's words, the best
// first. failed are members that did not answer.
func Search(ctx context.Context, members []Member, query string, f app.Filter) (p app.Page, failed []Failed, err error) {
	f = members[0].Searched(f)
	asked, err := Ask(ctx, members, f)
	if err != nil {
		return p, nil, err
	}
	pooled := make([]recall.VaultMember, len(asked))
	for i, a := range asked {
		pooled[i] = a.pooled()
	}
	page, silent, err := recall.SearchPool(ctx, pooled, query)
	p = app.Page{Page: page, Offset: f.Offset}
	if err == nil && p.Total <= 0 {
		p.Hint, err = recall.Unlabelled(ctx, labels(asked), f.Labels)
	}
	return p, failures(asked, silent), err
}

// Recall returns the members' memories that the query is about, the best first; named, each with
// its project, which counts in a budget. failed are members that did not answer.
func Recall(ctx context.Context, members []Member, named bool, q recall.Query, f app.Filter) (a recall.Answer, failed []Failed, err error) {
	a, err = members[0].Recalled(f, q.Budget, func(f app.Filter) (recall.Answer, error) {
		asked, err := Ask(ctx, members, f)
		if err != nil {
			return recall.Answer{}, err
		}
		finder := asked[0].Finder()
		q.Filter = asked[0].Options
		for _, m := range asked {
			own := m.Finder()
			pooled := m.pooled()
			if !named {
				pooled.Origin = nil
			}
			finder.Family = append(finder.Family, recall.Member{VaultMember: pooled, Lexicon: own.Lexicon, Leg: own.Leg, Web: own.Web})
		}
		a, err := finder.Recall(ctx, q)
		failed = failures(asked, a.Failed)
		if err == nil && f.Files {
			err = anchor(ctx, asked, a.Rows)
		}
		return a, err
	})
	return a, failed, err
}

// pooled is the member as the ranking takes it.
func (a Asked) pooled() recall.VaultMember {
	return recall.VaultMember{Vault: a.Vault, Options: a.Options, Origin: a.Origin}
}

// anchor has each member add what the commits of its entries changed.
func anchor(ctx context.Context, asked []Asked, rows []recall.Row) error {
	for _, m := range asked {
		var at []int
		var own []recall.Row
		for i, r := range rows {
			if len(asked) == 1 || r.Origin == m.Origin(r.Path) {
				at, own = append(at, i), append(own, r)
			}
		}
		if err := m.AddFiles(ctx, own); err != nil {
			return err
		}
		for k, i := range at {
			rows[i].Files = cmp.Or(rows[i].Files, own[k].Files)
		}
	}
	return nil
}

// Failed is a member that did not answer, and why.
type Failed struct {
	Member
	Err error
}

func failures(asked []Asked, silent []recall.MemberFailure) (failed []Failed) {
	for _, f := range silent {
		failed = append(failed, Failed{asked[f.Member].Member, f.Err})
	}
	return failed
}

// labels knows the labels of all members.
type labels []Asked

// Labels returns those that are in use in any of them. A member that cannot be read has none.
func (all labels) Labels(ctx context.Context) (in []string, err error) {
	for _, m := range all {
		own, merr := m.Lexicon.Labels(ctx)
		if in = append(in, own...); len(all) == 1 {
			err = merr
		}
	}
	slices.Sort(in)
	return slices.Compact(in), err
}

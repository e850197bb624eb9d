package ask

import (
	"cmp"
	"context"
	"slices"

	"github.com/cp-memory/cp/cmd/internal/app"
	"github.com/cp-memory/cp/vault/recall"
)

// SearchMemories returns a page of the family's memories that hold any of the query's words, the best
// first.
func (f *Family) SearchMemories(ctx context.Context, query string, filter app.Filter) (p app.Page, err error) {
	filter = f.Members[0].WithSearchLimit(filter)
	asked, err := FilterMembers(ctx, f.Members, filter)
	if err != nil {
		return p, err
	}
	pooled := make([]recall.VaultMember, len(asked))
	for i, a := range asked {
		pooled[i] = a.vaultMember()
	}
	page, silent, err := recall.SearchPool(ctx, pooled, query)
	p = app.Page{Page: page, Offset: filter.Offset}
	if err == nil && p.Total <= 0 {
		p.Hint, err = recall.FindUnknownLabel(ctx, labels(asked), filter.Labels)
	}
	f.warnOfFailed(asked, silent)
	return p, err
}

// Recall returns the family's memories that the query is about, the best first. Within a budget
// the rows say from which project they are only where several answer.
func (f *Family) Recall(ctx context.Context, q recall.Query, filter app.Filter) (recall.Answer, error) {
	named := f.Several() || q.Budget == 0
	return f.Members[0].RecallWithLimit(filter, q.Budget, func(filter app.Filter) (recall.Answer, error) {
		asked, err := FilterMembers(ctx, f.Members, filter)
		if err != nil {
			return recall.Answer{}, err
		}
		finder := asked[0].Finder()
		q.Filter = asked[0].Options
		for _, m := range asked {
			own := m.Finder()
			pooled := m.vaultMember()
			if !named {
				pooled.Origin = nil
			}
			finder.Family = append(finder.Family, recall.Member{VaultMember: pooled, Lexicon: own.Lexicon, Leg: own.Leg, Web: own.Web})
		}
		a, err := finder.Recall(ctx, q)
		f.warnOfFailed(asked, a.Failed)
		if err == nil && filter.Files {
			err = anchor(ctx, asked, a.Rows)
		}
		return a, err
	})
}

// vaultMember is the member as the ranking takes it.
func (a Asked) vaultMember() recall.VaultMember {
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

// warnOfFailed warns of the members that did not answer.
func (f *Family) warnOfFailed(asked []Asked, failed []recall.MemberFailure) {
	for _, m := range failed {
		f.warn(asked[m.Member].Held[0], m.Err)
	}
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

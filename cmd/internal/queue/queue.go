package queue

import (
	"context"
	"slices"

	"github.com/cp-memory/cp/cmd/internal/app"
	"github.com/cp-memory/cp/cmd/internal/ask"
	"github.com/cp-memory/cp/cmd/internal/target"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/family"
	"github.com/cp-memory/cp/vault/journal"
	"github.com/cp-memory/cp/vault/tier"
)

// Review is a person's way through what waits in all vaults of a family. A decision is a
// write in the vault that holds the item.
type Review struct {
	Unnamed bool // a lone project is not named: a person is asked

	current target.Target
	f       *ask.Family
	writers map[string]*One // by the vault's root
	opened  []*app.Session
	done    []*One // that decided, the last one last
}

// Begin begins a review of what waits in a family. Close it.
func Begin(t target.Target, fam *ask.Family) *Review {
	return &Review{current: t, f: fam, writers: map[string]*One{t.Root: NewOne(t.Session)}}
}

// Close closes the vaults in which it has decided.
func (r *Review) Close() {
	for _, s := range r.opened {
		r.current.Find.App.Close(s)
	}
}

// Queue returns a page of what waits, in one order. One vault is asked for the page itself; of
// several each tells all that may be on it, and what is on it is looked at once more.
func (r *Review) Queue(ctx context.Context, q Query) (journal.Queue, error) {
	asked, alone := q, len(r.f.Members) == 1
	if !alone {
		asked.Bare, asked.Offset = true, 0
		if q.Limit > 0 {
			asked.Limit = max(q.Offset, 0) + q.Limit
		}
	}
	lists, err := ask.Each(ctx, r.f, r.f.AllMembers(), func(ctx context.Context, a ask.Asked) (journal.Queue, error) {
		found, err := memberQueue(a.Member).Queue(ctx, asked)
		for i := range found.Items {
			if !r.Unnamed {
				found.Items[i].Origin = a.Origin(found.Items[i].Path)
			}
		}
		for i := range found.LeftOver {
			if a.Root != r.current.Root {
				found.LeftOver[i].Command += " --project " + vault.Path(a.Origin("").ProjectPath).QuoteForShell()
			}
		}
		return found, err
	})
	if err != nil {
		return journal.Queue{}, err
	}
	out, all := r.mergeQueues(lists)
	if !alone {
		all = journal.PageOf(all, q.Offset, q.Limit)
	}
	for _, item := range all {
		out.Items = append(out.Items, *item)
	}
	if !q.Bare && !alone {
		out.Items, err = r.evidence(ctx, q, out.Items)
	}
	return out, err
}

// mergeQueues puts the members' queues into one, without twins.
func (r *Review) mergeQueues(lists []journal.Queue) (out journal.Queue, all []*journal.Item) {
	out = journal.Queue{Items: []journal.Item{}, Counts: map[journal.Reason]int{}}
	seen := r.f.Twins()
	for _, l := range lists {
		out.Total += l.Total
		out.MoreCode += l.MoreCode
		for _, over := range l.LeftOver {
			if !slices.ContainsFunc(out.LeftOver, func(o tier.LeftOver) bool { return o.File == over.File && o.ID == over.ID }) {
				out.LeftOver = append(out.LeftOver, over)
			}
		}
		for why, n := range l.Counts {
			out.Counts[why] += n
		}
		for i := range l.Items {
			item := &l.Items[i]
			if len(lists) > 1 && seen.Again(item.ID, item.Origin, item.Path) {
				out.Total--
				out.Counts[item.Why]--
				continue
			}
			all = append(all, item)
		}
	}
	journal.SortItems(all)
	return out, all
}

// evidence completes the items of a page, each in its vault.
func (r *Review) evidence(ctx context.Context, q Query, page []journal.Item) ([]journal.Item, error) {
	type place struct {
		family.Origin
		path vault.Path
	}
	found := map[place]journal.Item{}
	for _, m := range r.f.Members {
		var own []journal.Item
		for _, item := range page {
			if r.Unnamed || m.Origin(item.Path) == item.Origin {
				own = append(own, item)
			}
		}
		if len(own) == 0 {
			continue
		}
		all, err := memberQueue(m).Evidence(ctx, q, own)
		if err != nil {
			return nil, err
		}
		for _, item := range all {
			found[place{item.Origin, item.Path}] = item
		}
	}
	out := make([]journal.Item, 0, len(page))
	for _, item := range page {
		if whole, ok := found[place{item.Origin, item.Path}]; ok {
			out = append(out, whole)
		}
	}
	return out, nil
}

// memberQueue is a member's queue, as far as its share goes.
func memberQueue(m ask.Member) *One {
	if len(m.Share.Areas) == 0 {
		return NewOne(m.Session)
	}
	s := *m.Session
	s.Pending = partly{m.Session.Pending, m}
	one := NewOne(&s)
	one.has = m.Share.Has
	return one
}

// partly knows what waits of a part of a vault.
type partly struct {
	journal.QueueMirror
	of ask.Member
}

// Waiting returns what may wait in the part. It looks for where each lies.
func (p partly) Waiting(ctx context.Context, r journal.QueueRules, _ int) (journal.Candidates, error) {
	all, err := p.QueueMirror.Waiting(ctx, r, 0)
	all.All = slices.DeleteFunc(all.All, func(c journal.Candidate) bool {
		at := c.Path
		if at == "" {
			n, err := p.of.Vault.Mirror.Tree.Find(ctx, string(c.ID))
			if err != nil {
				return true
			}
			at = n.Path
		}
		return !p.of.Share.Has(string(at))
	})
	return all, err
}

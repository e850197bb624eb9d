package journal

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/header"
	"github.com/cp-memory/cp/vault/recall"
	"github.com/cp-memory/cp/vault/tier"
)

// nearFrom is the least share of what two memories say that makes one of them evidence for
// where the other belongs. A shared word or two in a short text is less.
const nearFrom = 0.1

// parentFrom is the same for what decides where an entry goes: it takes more than a few
// words in common.
const parentFrom = 0.2

// maxNear bounds the nearest memories of an item.
const maxNear = 3

// evident completes the items of a page. What can no longer be read is left out: it went
// while the queue was read.
func (r *ReviewQueue) evident(ctx context.Context, t vault.Tree, q QueueQuery, items []*Item) ([]Item, error) {
	out, others := make([]Item, 0, len(items)), r.Finder.Compare()
	pending := r.pending(ctx, t, q)
	for _, item := range items {
		if item.Path == "" {
			n, err := t.Find(ctx, string(item.ID))
			if err != nil {
				continue
			}
			item.Path = n.Path
		}
		m, hash, err := r.readItemText(item.Path)
		if err != nil {
			continue
		}
		item.Hash = hash
		item.takeFile(m, q.QueueRules)
		if !q.Bare {
			r.findNear(ctx, t, m, item, others, pending)
		}
		out = append(out, *item)
	}
	if q.Denied {
		return out, r.back(ctx, out)
	}
	return out, nil
}

// takeFile takes from the file what it says.
func (item *Item) takeFile(m *vault.Memory, rules QueueRules) {
	item.Title, item.Type, item.Text = m.Title, m.Type, strings.TrimSpace(m.Prose)
	if k, ok := header.ParseKind(m.Type); ok {
		item.Namespace = k.Namespace()
	}
	item.Count, item.Sessions = tier.CountSessions(&m.Header), slices.Sorted(slices.Values(m.Sessions))
	item.FirstSeen, item.LastSeen, item.Created = m.FirstSeen, m.LastSeen, m.Created
	if item.Sources = nil; item.Why == Denied {
		item.DeniedFor, item.DeniedBy = m.DeniedReason, m.DeniedBy
	}
	for _, source := range [...]string{m.Creator, m.Header.Source} {
		if source != "" {
			item.Sources = append(item.Sources, source)
		}
	}
	if item.Why == IsBelow {
		item.Needs = rules.ToLongTerm.Needs(item.Count)
	}
	if len(item.Targets) == 0 {
		item.Targets = m.CoreTargets
	}
}

// findNear finds the memories that say nearly the same, and suggests a parent to what has none.
func (r *ReviewQueue) findNear(ctx context.Context, t vault.Tree, m *vault.Memory, item *Item, others *recall.Comparison, pending *waiting) {
	all := listRelated(ctx, t, m, others)
	for _, n := range append(others.FindNear(ctx, m, nearFrom), pending.findSharing(m, others)...) {
		if !slices.ContainsFunc(all, func(o recall.Neighbour) bool { return o.ID == n.ID }) {
			all = append(all, n)
		}
	}
	slices.SortStableFunc(all, func(a, b recall.Neighbour) int { return cmp.Compare(b.Similarity, a.Similarity) })
	for _, n := range all[:min(len(all), maxNear)] {
		item.Nearest = append(item.Nearest, NearMemory{ID: n.ID, Title: n.Title, Summary: n.Summary, Path: n.Path, Similarity: n.Similarity, Same: n.Same})
	}
	if item.Level != string(tier.LongTerm) && item.Level != string(tier.Core) {
		item.Parent = r.parent(ctx, t, all)
	}
}

// listRelated returns the memories that m says it relates to, and how much they have in common.
func listRelated(ctx context.Context, t vault.Tree, m *vault.Memory, others *recall.Comparison) (all []recall.Neighbour) {
	for _, ref := range m.Refers("relates_to") {
		n, err := t.Find(ctx, ref)
		if err != nil || n.Status == vault.StatusClosed || n.Path == m.Path || tier.IsDenied(&n.Header) {
			continue
		}
		if like, ok := others.With(m, n); ok {
			all = append(all, like)
		}
	}
	return all
}

// parent returns the memory below which an entry may go: the parent of the nearest memory
// of the tree, or that memory if it is a root. It is nil where nothing is near.
func (r *ReviewQueue) parent(ctx context.Context, t vault.Tree, all []recall.Neighbour) *NearMemory {
	i := slices.IndexFunc(all, func(n recall.Neighbour) bool {
		return n.InTree() && n.Status != vault.StatusClosed && n.Similarity >= parentFrom
	})
	if i < 0 {
		return nil
	}
	n := all[i].Node
	if n.Parent != "" {
		up, err := t.Find(ctx, string(n.Parent))
		if err != nil || up.Status == vault.StatusClosed {
			return nil
		}
		n = up
	}
	return &NearMemory{ID: n.ID, Title: n.Title, Summary: n.Summary, Path: n.Path}
}

// back counts the sessions that made denied observations since they were denied: what the
// file says now, less what it said in the commit that denied it.
func (r *ReviewQueue) back(ctx context.Context, items []Item) error {
	tx := r.Vault.Reading()
	for i := range items {
		item := &items[i]
		item.Denied = 1
		err := tx.History(ctx, []vault.Path{item.Path}, func(rev vault.Revision) bool {
			if rev.Verb != "deny" {
				return true
			}
			if doc, err := tx.ReadAt(ctx, rev.Commit, item.Path); err == nil {
				then := vault.ParseText(item.Path, doc)
				item.Back = max(item.Count-tier.CountSessions(&then.Header), 0)
			}
			return false
		})
		if err != nil {
			return err
		}
	}
	return nil
}

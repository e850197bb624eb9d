package journal

import (
	"context"
	"slices"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/recall"
	"github.com/cp-memory/cp/vault/tier"
)

// QueueQuery asks for a page of the queue.
type QueueQuery struct {
	QueueRules
	Denied bool     // only what was denied, in place of what waits
	Why    []Reason // only what waits for one of these; empty is all. The counts are those of all
	Bare   bool     // without the nearest memories and the suggested parent, which cost the most
	Limit  int      // at most this many; 0 is no limit
	Offset int
}

// ReviewQueue is what the queue is made from. Its fields are set where things are wired.
type ReviewQueue struct {
	Vault  *vault.Vault
	Mirror QueueMirror
	Finder *recall.Finder

	// Stale returns the copies in the agents' own files that are out of date or missing. A
	// nil function knows of none.
	Stale func(ctx context.Context) ([]AgentsCopy, error)

	// Loud returns memories about code that has changed or is gone; likewise.
	Loud func(ctx context.Context) (LoudMemories, error)

	// LeftOver returns the copies there of memories that are not to be there any more; likewise.
	LeftOver func(ctx context.Context) ([]tier.LeftOver, error)
}

// AgentsCopy is the copy of a memory in agents' files.
type AgentsCopy struct {
	ID      vault.ID
	Targets []string // the files whose copy is out of date or missing
}

// LoudMemories are memories about code that has changed or is gone.
type LoudMemories struct {
	Reads map[vault.ID]int // how often each was read
	More  int              // so many more are not asked about now
}

// Read returns a page of what waits. The total is that of all pages.
func (r *ReviewQueue) Read(ctx context.Context, q QueueQuery) (Queue, error) {
	out := Queue{Items: []Item{}, Counts: map[Reason]int{}}
	err := r.Vault.View(ctx, vault.Scope{}, func(t vault.Tree) error {
		all, left, err := r.listWaiting(ctx, t, q, q.last())
		if err != nil {
			return err
		}
		out.MoreCode = left.code
		for _, item := range all {
			out.Counts[item.Why]++
		}
		if left.below > 0 {
			out.Counts[IsBelow] += left.below
		}
		all = slices.DeleteFunc(all, func(i *Item) bool { return !q.wants(i.Why) })
		SortItems(all)
		if out.Total = len(all); q.wants(IsBelow) {
			out.Total += left.below
		}
		if r.LeftOver != nil && !q.Denied {
			if out.LeftOver, err = r.LeftOver(ctx); err != nil {
				return err
			}
		}
		out.Items, err = r.evident(ctx, t, q, PageOf(all, q.Offset, q.Limit))
		return err
	})
	return out, err
}

// Evidence completes items of a bare queue. What no longer can be read is left out.
func (r *ReviewQueue) Evidence(ctx context.Context, q QueueQuery, items []Item) (all []Item, err error) {
	page := make([]*Item, len(items))
	for i := range items {
		page[i] = &items[i]
	}
	err = r.Vault.View(ctx, vault.Scope{}, func(t vault.Tree) (err error) {
		all, err = r.evident(ctx, t, q, page)
		return err
	})
	return all, err
}

// wants reports whether the query asks for what waits for a reason.
func (q QueueQuery) wants(why Reason) bool { return len(q.Why) == 0 || slices.Contains(q.Why, why) }

// last is the number of the last item of the page; 0 is the last one of all.
func (q QueueQuery) last() int {
	if q.Limit <= 0 {
		return 0
	}
	return max(q.Offset, 0) + q.Limit
}

// PageOf returns the items of a page. A limit of 0 is none.
func PageOf(all []*Item, offset, limit int) []*Item {
	all = all[min(max(offset, 0), len(all)):]
	if limit > 0 {
		all = all[:min(limit, len(all))]
	}
	return all
}

// unlisted counts what is not listed: more of what waits for [IsBelow], and of what is about code
// that has changed.
type unlisted struct{ below, code int }

// listWaiting returns what waits, without evidence, and of what waits for [IsBelow] the first least
// alone; a least of 0 returns them all.
func (r *ReviewQueue) listWaiting(ctx context.Context, t vault.Tree, q QueueQuery, least int) (all []*Item, left unlisted, err error) {
	found, err := r.Mirror.Waiting(ctx, q.QueueRules, least)
	if err != nil {
		return nil, left, err
	}
	now, seen := r.Vault.Now(), make(map[vault.ID]bool)
	for i := range found.All {
		c := &found.All[i]
		why, ok := c.Why(q.QueueRules, now)
		if ok && why == Alike && !q.Denied && !r.stillAlike(ctx, t, c) {
			c.Relates = false
			why, ok = c.Why(q.QueueRules, now)
		}
		if ok && (why == Denied) == q.Denied {
			all = append(all, c.asItem(why))
			seen[c.ID] = true
		}
	}
	if q.Denied {
		return all, left, nil
	}
	left.below = found.Below
	if r.Stale != nil {
		stale, err := r.staleCopies(ctx, t, seen)
		if err != nil {
			return nil, left, err
		}
		all = append(all, stale...)
	}
	if r.Loud != nil {
		all, left.code, err = r.addLoud(ctx, t, all)
	}
	return all, left, err
}

// addLoud adds the memories about code that has changed. One that waits anyway has the first of its
// reasons.
func (r *ReviewQueue) addLoud(ctx context.Context, t vault.Tree, all []*Item) (_ []*Item, more int, err error) {
	loud, err := r.Loud(ctx)
	if err != nil {
		return nil, 0, err
	}
	first := Reasons()[:slices.Index(Reasons(), ChangedCode)]
	for _, item := range all {
		reads, ok := loud.Reads[item.ID]
		if ok && !slices.Contains(first, item.Why) {
			item.Why, item.Reads = ChangedCode, reads
		}
		delete(loud.Reads, item.ID)
	}
	for id, reads := range loud.Reads {
		n, err := t.Find(ctx, string(id))
		if vault.CodeOf(err) == vault.CodeNotFound {
			continue
		}
		if err != nil {
			return nil, 0, err
		}
		all = append(all, &Item{Why: ChangedCode, ID: n.ID, Path: n.Path, Title: n.Title, Type: n.Type, Created: n.Created, Reads: reads, Level: string(tier.LevelOf(&n.Header))})
	}
	return all, loud.More, nil
}

// staleCopies returns the copies that are out of date as items, except for what waits anyway.
func (r *ReviewQueue) staleCopies(ctx context.Context, t vault.Tree, seen map[vault.ID]bool) (all []*Item, err error) {
	copies, err := r.Stale(ctx)
	if err != nil {
		return nil, err
	}
	for _, c := range copies {
		n, err := t.Find(ctx, string(c.ID))
		if vault.CodeOf(err) == vault.CodeNotFound || err == nil && seen[n.ID] {
			continue
		}
		if err != nil {
			return nil, err
		}
		all = append(all, &Item{Why: Stale, ID: n.ID, Path: n.Path, Title: n.Title, Type: n.Type, Created: n.Created, Targets: c.Targets, Level: string(tier.Core)})
	}
	return all, nil
}

// stillAlike reports whether the memory still says nearly what one says that it relates to.
func (r *ReviewQueue) stillAlike(ctx context.Context, t vault.Tree, c *Candidate) bool {
	m, _, err := r.readItemText(c.Path)
	if err != nil {
		return false
	}
	for _, n := range listRelated(ctx, t, m, r.Finder.Compare()) {
		if n.Similarity >= recall.AlikeFrom {
			return true
		}
	}
	return false
}

// readItemText reads the file of an item, and returns its hash.
func (r *ReviewQueue) readItemText(p vault.Path) (*vault.Memory, string, error) {
	doc, _, err := r.Vault.Store.Read(p)
	if err != nil {
		return nil, "", err
	}
	return vault.Parse(p, doc), r.Vault.Store.BlobID(doc), nil
}

// asItem returns the candidate as an item, without evidence.
func (c *Candidate) asItem(why Reason) *Item {
	h := c.decidingHeader()
	return &Item{Why: why, ID: c.ID, Path: c.Path, Title: c.Title, Type: c.Type, Count: c.Seen, Created: c.Created, Level: string(tier.LevelOf(&h))}
}

// Item returns what waits under an id, with its evidence. The error is CodeNotFound if it
// does not wait.
func (r *ReviewQueue) Item(ctx context.Context, q QueueQuery, id vault.ID) (item Item, err error) {
	err = r.Vault.View(ctx, vault.Scope{}, func(t vault.Tree) error {
		all, _, err := r.listWaiting(ctx, t, q, 0)
		if err != nil {
			return err
		}
		all = slices.DeleteFunc(all, func(i *Item) bool { return i.ID != id })
		found, err := r.evident(ctx, t, q, all)
		if err != nil {
			return err
		}
		if len(found) == 0 {
			return vault.Errorf(vault.CodeNotFound, "look at the queue again", "%s waits no more", id)
		}
		item = found[0]
		return nil
	})
	return item, err
}

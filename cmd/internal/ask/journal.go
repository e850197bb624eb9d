package ask

import (
	"context"
	"math"
	"slices"

	"github.com/cp-memory/cp/cmd/internal/app"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/header"
	"github.com/cp-memory/cp/vault/journal"
	"github.com/cp-memory/cp/vault/tier"
)

// Context returns all that the family knows of a piece of work. Within a budget the entries
// say from which project they are only where several answer.
func (f *Family) Context(ctx context.Context, o journal.Context) (journal.Work, error) {
	asked, err := FilterMembers(ctx, f.Members, app.Filter{Spec: o.Spec, Commits: o.Commits})
	if err != nil {
		return journal.Work{}, err
	}
	lists, err := Each(ctx, f, asked, func(ctx context.Context, a Asked) ([]journal.Entry, error) {
		all, err := o.Entries(ctx, a.Vault, func(ctx context.Context) ([]journal.Entry, error) { return a.Tallies.Work(ctx, a.Options) })
		all = slices.DeleteFunc(all, func(e journal.Entry) bool { return !a.Share.Has(string(e.Path)) })
		for i := range all {
			all[i].Origin = a.Origin(all[i].Path)
		}
		return all, err
	})
	if err != nil {
		return journal.Work{}, err
	}
	seen := f.Twins()
	all := slices.DeleteFunc(slices.Concat(lists...), func(e journal.Entry) bool { return f.Several() && seen.Again(e.ID, e.Origin, e.Path) })
	w, err := o.GatherWork(ctx, all, func(e *journal.Entry) ([]byte, error) {
		doc, ok := f.readProjectFile(e.Origin, e.Path)
		if !ok {
			return nil, vault.Errorf(vault.CodeNotFound, "", "%s is gone", e.Path)
		}
		return doc, nil
	})
	if o.Budget > 0 && !f.Several() {
		clearProjects(w.Blockers)
		for _, g := range w.Groups {
			clearProjects(g.Entries)
		}
	}
	return w, err
}

func clearProjects(all []journal.Entry) {
	for i := range all {
		all[i].Project, all[i].ProjectPath = "", ""
	}
}

// Awareness counts what the family holds.
func (f *Family) Awareness(ctx context.Context) (a app.Awareness, err error) {
	tallies, err := Each(ctx, f, f.AllMembers(), func(ctx context.Context, a Asked) (t journal.Tally, err error) {
		if len(a.Share.Areas) > 0 {
			return tallyOf(ctx, a.Member)
		}
		err = a.View(ctx, vault.Scope{}, func(vault.Tree) (err error) {
			t, err = a.Tallies.Tally(ctx)
			return err
		})
		return t, err
	})
	for _, t := range tallies {
		a.Tally.Add(t)
	}
	a.Line = a.Tally.SummaryLine()
	for _, m := range f.Members {
		a.Stale += m.CountStale(ctx)
	}
	return a, err
}

// tallyOf counts what a part of the vault holds, memory by memory: the mirror keeps the counts
// of whole vaults.
func tallyOf(ctx context.Context, m Member) (t journal.Tally, err error) {
	t.Entries = map[string]int{}
	err = m.View(ctx, vault.Scope{}, func(tree vault.Tree) error {
		all, _, err := tree.List(ctx, vault.ListOptions{Types: []string{"*"}, Status: []string{"*"}, Limit: math.MaxInt32, Share: m.Share})
		for i := range all {
			tallyHeader(&t, &all[i].Header)
		}
		return err
	})
	return t, err
}

func tallyHeader(t *journal.Tally, h *vault.Header) {
	k, entry := header.ParseKind(h.Type)
	open := h.Status != vault.StatusClosed
	if entry {
		t.Entries[k.Namespace()]++
	}
	if (entry || h.Type == vault.TypeMemory) && !tier.IsDenied(h) {
		t.Memories++
	}
	if entry && k == header.Blocker && open {
		t.Unresolved++
	}
	if tier.LevelOf(h) == tier.Pending && open && !tier.IsDenied(h) {
		t.Waiting++
	}
}

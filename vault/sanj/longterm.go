package sanj

import (
	"context"
	"math"
	"strings"
	"time"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/kind"
	"github.com/cp-memory/cp/vault/tier"
)

// LongTerm returns the entries that have a place in the tree, those first to which something
// happened last. Denied and closed ones and those in core are left out, and so are memories
// that were never in the journal. A file that went while they were listed is passed over.
func LongTerm(ctx context.Context, v *vault.Vault) (items []tier.Item, err error) {
	var types []string
	for _, k := range kind.All() {
		types = append(types, string(k))
	}
	var all []vault.Node
	err = v.View(ctx, vault.Scope{}, func(t vault.Tree) (err error) {
		all, _, err = t.List(ctx, vault.ListOptions{Types: types, Levels: []string{string(tier.LongTerm)}, Status: []string{"*"}, Limit: math.MaxInt32})
		return err
	})
	if err != nil {
		return nil, err
	}
	items = []tier.Item{}
	for _, n := range all {
		doc, _, err := v.Store.Read(n.Path)
		switch {
		case vault.CodeOf(err) == vault.CodeNotFound:
			continue
		case err != nil:
			return nil, err
		}
		m := vault.ParseText(n.Path, doc)
		if h := &m.Header; tier.LevelOf(h) == tier.LongTerm && !tier.Denied(h) && h.Status != vault.StatusClosed {
			items = append(items, item(n.ID, m))
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
	}
	tier.ByUpdate(items)
	return items, nil
}

// item returns a memory as an item.
func item(id vault.ID, m *vault.Memory) tier.Item {
	h := &m.Header
	return tier.Item{ID: string(id), Text: observed(id, m), Count: tier.Count(h), Sessions: h.Sessions,
		FirstSeen: or(h.FirstSeen, h.Created), LastSeen: or(h.LastSeen, h.FirstSeen, h.Created),
		Approved: h.Approved, Denied: h.Denied, LongTerm: h.LongTerm, Core: h.Core, Targets: h.CoreTargets}
}

// observed returns the text that was observed: the body while the id follows from it, else
// the title.
func observed(id vault.ID, m *vault.Memory) string {
	if key, err := tier.Key(strings.TrimSuffix(string(id), "-"+id.Suffix()), m.Prose); err == nil && key == id {
		return m.Prose
	}
	return m.Title
}

// or returns the first time that is not zero.
func or(times ...time.Time) time.Time {
	for _, at := range times {
		if !at.IsZero() {
			return at
		}
	}
	return time.Time{}
}

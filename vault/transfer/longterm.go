package transfer

import (
	"context"
	"strings"
	"time"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/tier"
)

// LongTerm returns the entries that have a place in the tree, those first to which something
// happened last. Denied and closed ones and those in core are left out, and so are memories
// that were never in the journal. A file that went while they were listed is passed over.
func LongTerm(ctx context.Context, v *vault.Vault) (items []tier.Item, err error) {
	items = []tier.Item{}
	err = eachEntry(ctx, v, vault.ListOptions{Levels: []string{string(tier.LongTerm)}}, func(n *vault.Node, m *vault.Memory, err error) error {
		if vault.CodeOf(err) == vault.CodeNotFound {
			return nil
		}
		if h := &m.Header; err == nil && tier.LevelOf(h) == tier.LongTerm && !tier.IsDenied(h) && h.Status != vault.StatusClosed {
			items = append(items, asItem(n.ID, m))
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	tier.ByUpdate(items)
	return items, nil
}

// asItem returns a memory as an item.
func asItem(id vault.ID, m *vault.Memory) tier.Item {
	h := &m.Header
	return tier.Item{ID: string(id), Text: observedText(id, m), Count: tier.CountSessions(h), Sessions: h.Sessions,
		FirstSeen: or(h.FirstSeen, h.Created), LastSeen: or(h.LastSeen, h.FirstSeen, h.Created),
		Approved: h.Approved, Denied: h.Denied, LongTerm: h.LongTerm, Core: h.Core, Targets: h.CoreTargets}
}

// observedText returns the text that was observed: the body while the id follows from it, else
// the title.
func observedText(id vault.ID, m *vault.Memory) string {
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

package phrase

import (
	"context"

	"github.com/cp-memory/cp/vault"
)

// Unsummarized chooses memories that get a phrase.
type Unsummarized struct {
	Refs       []string // these
	ChildrenOf string   `flag:"all-children-of" help:"the open memories directly below this <id>"` // with neither, all open memories
	Missing    bool     `flag:"missing" help:"only memories without a phrase"`
	Stale      bool     `flag:"stale" help:"only phrases that a model wrote for an earlier text"` // with neither, all of them
	Limit      int      // at most this many; 0 is no limit
}

// Find returns the memories that o chooses, in the order of the tree.
func (o Unsummarized) Find(ctx context.Context, v *vault.Vault) ([]vault.Node, error) {
	var all []vault.Node
	err := v.View(ctx, vault.Scope{}, func(t vault.Tree) (err error) {
		all, err = o.scope(ctx, v, t)
		return err
	})
	if err != nil {
		return nil, err
	}
	var chosen []vault.Node
	for _, n := range all {
		if o.Limit > 0 && len(chosen) == o.Limit {
			break
		}
		if !o.Missing && !o.Stale || o.Missing && n.Phraseless() && n.NeedsPointer() || o.Stale && n.IsOutdated() {
			chosen = append(chosen, n)
		}
	}
	return chosen, nil
}

// scope returns the memories among which o chooses.
func (o Unsummarized) scope(ctx context.Context, v *vault.Vault, t vault.Tree) ([]vault.Node, error) {
	if len(o.Refs) > 0 {
		return resolveRefs(ctx, v.Reading(), o.Refs)
	}
	if o.ChildrenOf == "" {
		return t.Walk(ctx, vault.WalkOptions{MaxDepth: vault.MaxDepth})
	}
	p, err := v.Reading().OpenMemory(ctx, o.ChildrenOf)
	if err != nil {
		return nil, err
	}
	all, err := t.Children(ctx, p.ID)
	var open []vault.Node
	for _, n := range all {
		if n.Status != vault.StatusClosed {
			open = append(open, n)
		}
	}
	return open, err
}

// resolveRefs returns the memories of refs, each once.
func resolveRefs(ctx context.Context, tx *vault.Tx, refs []string) ([]vault.Node, error) {
	var all []vault.Node
	seen := map[vault.Path]bool{}
	for _, ref := range refs {
		p, err := tx.OpenMemory(ctx, ref)
		if err != nil {
			return nil, err
		}
		if !seen[p.Path] {
			seen[p.Path] = true
			all = append(all, p.Node)
		}
	}
	return all, nil
}

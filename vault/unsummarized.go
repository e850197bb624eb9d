package vault

import "context"

// Unsummarized chooses memories that get a phrase.
type Unsummarized struct {
	Refs       []string // these
	ChildrenOf string   // or the open memories directly below this one; with neither, all open memories
	Missing    bool     // of those, the ones without a phrase
	Stale      bool     // and the ones with an outdated one; with neither, all of them
	Limit      int      // at most this many; 0 is no limit
}

// Unsummarized returns the memories that o chooses, in the order of the tree.
func (v *Vault) Unsummarized(ctx context.Context, o Unsummarized) ([]Node, error) {
	var all []Node
	err := v.View(ctx, Scope{}, func(t Tree) (err error) {
		all, err = v.scope(ctx, t, o)
		return err
	})
	if err != nil {
		return nil, err
	}
	var chosen []Node
	for _, n := range all {
		if o.Limit > 0 && len(chosen) == o.Limit {
			break
		}
		if !o.Missing && !o.Stale || o.Missing && n.Phraseless() || o.Stale && n.Outdated() {
			chosen = append(chosen, n)
		}
	}
	return chosen, nil
}

// scope returns the memories among which o chooses.
func (v *Vault) scope(ctx context.Context, t Tree, o Unsummarized) ([]Node, error) {
	if len(o.Refs) > 0 {
		return v.named(ctx, t, o.Refs)
	}
	if o.ChildrenOf == "" {
		return t.Walk(ctx, WalkOptions{MaxDepth: MaxDepth})
	}
	p, err := v.Reading().OpenMemory(ctx, o.ChildrenOf)
	if err != nil {
		return nil, err
	}
	all, err := t.Children(ctx, p.ID)
	var open []Node
	for _, n := range all {
		if n.Status != StatusClosed {
			open = append(open, n)
		}
	}
	return open, err
}

// named returns the memories of refs, each once.
func (v *Vault) named(ctx context.Context, t Tree, refs []string) ([]Node, error) {
	var all []Node
	seen := map[Path]bool{}
	for _, ref := range refs {
		p, err := v.Reading().OpenMemory(ctx, ref)
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

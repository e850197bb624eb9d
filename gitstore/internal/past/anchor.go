package past

import (
	"context"

	"github.com/cp-memory/cp/gitstore/internal/object"
	"github.com/cp-memory/cp/vault/header"
)

// ReadAnchor returns the commit of an id with its key.
func (p Past) ReadAnchor(ctx context.Context, id string) (header.Anchor, error) {
	o, err := p.source.Objects()
	if err != nil {
		return header.Anchor{}, err
	}
	defer o.Close()
	data, err := object.ReadKind(ctx, o, object.KindCommit, id)
	if err != nil {
		return header.Anchor{}, err
	}
	return object.AnchorOf(id, data), nil
}

// Anchored is a commit that entries may tell of.
type Anchored struct {
	header.Anchor
	Own bool // a write of the program's, of which none should tell
}

// ReadAnchors returns the commits of the ids, without those that are not in this clone.
func (p Past) ReadAnchors(ctx context.Context, ids []string) (map[string]Anchored, error) {
	o, err := p.source.Objects()
	if err != nil {
		return nil, err
	}
	defer o.Close()
	found := map[string]Anchored{}
	for _, id := range ids {
		if kind, data, err := o.Read(ctx, id); err == nil && kind == object.KindCommit {
			found[id] = Anchored{object.AnchorOf(id, data), isOwnWrite(data)}
		}
	}
	return found, ctx.Err()
}

package gitstore

import (
	"context"

	"github.com/cp-memory/cp/gitstore/object"
	"github.com/cp-memory/cp/vault/disk"
)

// native is the engine that works in this process.
type native struct {
	*object.DB
	repo  *Repo
	index *index
}

func (r *Repo) openNative(x *index) (engine, error) {
	o, err := r.openObjects()
	n := native{o, r, x}
	return engine{n, n, n}, err
}

func (n native) openStage(context.Context, []string) (*stage, error) {
	return newStage(n.index), nil
}

func (n native) saveStage(ctx context.Context, s *stage, path string) error {
	if name := n.index.strangeExtension(s.namesChange()); name != "" {
		return n.repo.openPlumber().saveStage(ctx, s, path)
	}
	if err := n.repo.freshen(ctx, n.index, s.changes); err != nil {
		return err
	}
	return disk.WriteParts(path, n.index.splice(s.changes), 0o644)
}

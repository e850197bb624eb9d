package gitstore

import (
	"context"

	"github.com/cp-memory/cp/vault/disk"
)

// native is the engine that works in this process.
type native struct {
	*odb
	index *index
}

func (r *Repo) openNative(x *index) (engine, error) {
	o, err := r.openObjects()
	return &native{odb: o, index: x}, err
}

// text returns a blob's bytes: nothing is converted where this engine is used.
func (n *native) text(ctx context.Context, _, id string) ([]byte, error) {
	return readKind(ctx, n, kindBlob, id)
}

func (n *native) blob(ctx context.Context, _ string, text []byte) (string, error) {
	return n.write(ctx, kindBlob, text)
}

func (n *native) openStage(context.Context, []string) (*stage, error) {
	return newStage(n.index), nil
}

func (n *native) saveStage(ctx context.Context, s *stage, path string) error {
	if name := n.index.strangeExtension(s.namesChange()); name != "" {
		return n.openPlumber().saveStage(ctx, s, path)
	}
	if err := n.freshen(ctx, n.index, s.changes); err != nil {
		return err
	}
	return disk.WriteParts(path, n.index.splice(s.changes), 0o644)
}

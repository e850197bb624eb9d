package wire

import (
	"context"

	"github.com/cp-memory/cp/cmd/internal/app"
	"github.com/cp-memory/cp/gitstore/anchors"
	"github.com/cp-memory/cp/vault/header"
)

// codeCommits are the commits of the code, as git has them.
type codeCommits struct{}

var _ app.Commits = codeCommits{}

func (codeCommits) NewestWork(ctx context.Context, top, tip string, counts func(path string) bool) (header.Anchor, error) {
	return anchors.NewestWork(ctx, top, tip, counts)
}

func (codeCommits) ListRange(ctx context.Context, top, expr string) (map[string]bool, error) {
	return anchors.ListRange(ctx, top, expr)
}

func (codeCommits) Follow(ctx context.Context, top string, known header.Successors, all []header.Anchor) (header.Successors, error) {
	return anchors.Follow(ctx, top, known, all)
}

func (codeCommits) Inspect(ctx context.Context, top string, ids []string) (header.Inspection, error) {
	return anchors.Inspect(ctx, top, ids)
}

func (codeCommits) IsShared(top, other string) bool { return anchors.IsShared(top, other) }

func (codeCommits) FindCommit(ctx context.Context, top, revision string) (header.Anchor, error) {
	return anchors.FindCommit(ctx, top, revision)
}

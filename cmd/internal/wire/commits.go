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

func (codeCommits) NewestWork(ctx context.Context, top string, counts func(path string) bool) (header.Anchor, error) {
	return anchors.NewestWork(ctx, top, counts)
}

func (codeCommits) FindCommit(ctx context.Context, top, revision string) (header.Anchor, error) {
	return anchors.FindCommit(ctx, top, revision)
}

package past

import (
	"context"

	"github.com/cp-memory/cp/vault"
)

// BlameRow is one line of a memory's file and the commit that wrote it. An uncommitted
// line has no commit.
type BlameRow struct {
	Line int
	Text string
	vault.Revision
}

// Blame tells of each line of a memory's file on disk which commit wrote it.
func (h *History) Blame(ctx context.Context, ref string) (vault.Node, []BlameRow, error) {
	a, err := h.past()
	if err != nil {
		return vault.Node{}, nil, err
	}
	n, err := h.Locate(ctx, ref)
	if err != nil {
		return vault.Node{}, nil, err
	}
	if err := h.checkCommitted(ctx, &n); err != nil {
		return vault.Node{}, nil, err
	}
	rows, err := a.Blame(ctx, n.Path)
	return n, rows, err
}

// checkCommitted refuses a memory whose file is in no commit.
func (h *History) checkCommitted(ctx context.Context, n *vault.Node) error {
	head, err := h.Store.Head(ctx)
	if err != nil {
		return err
	}
	if head.Commit != "" {
		_, err = h.Store.ReadAt(ctx, head.Commit, n.Path)
	}
	if head.Commit == "" || vault.CodeOf(err) == vault.CodeNotFound {
		return &vault.Error{Code: vault.CodeNotFound, Path: string(n.Path), Msg: "the file is in no commit yet", Hint: "`cp memory sync` commits files made by hand"}
	}
	return err
}

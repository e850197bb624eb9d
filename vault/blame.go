package vault

import "context"

// BlameRow is one line of a memory's file and the commit that wrote it. A line
// that is in no commit yet has none.
type BlameRow struct {
	Line int
	Text string
	Revision
}

// Blame tells of each line of a memory's file on disk which commit wrote it.
func (v *Vault) Blame(ctx context.Context, ref string) (Node, []BlameRow, error) {
	a, err := v.past()
	if err != nil {
		return Node{}, nil, err
	}
	n, err := v.Locate(ctx, ref)
	if err != nil {
		return Node{}, nil, err
	}
	if err := v.tracked(ctx, &n); err != nil {
		return Node{}, nil, err
	}
	rows, err := a.Blame(ctx, n.Path)
	return n, rows, err
}

// tracked refuses a memory whose file is in no commit.
func (v *Vault) tracked(ctx context.Context, n *Node) error {
	head, err := v.Store.Head(ctx)
	if err != nil {
		return err
	}
	if head.Commit != "" {
		_, err = v.Store.ReadAt(ctx, head.Commit, n.Path)
	}
	if head.Commit == "" || CodeOf(err) == CodeNotFound {
		return &Error{Code: CodeNotFound, Path: string(n.Path), Msg: "the file is in no commit yet", Hint: "`cp memory sync` commits files made by hand"}
	}
	return err
}

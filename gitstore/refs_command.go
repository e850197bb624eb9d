package gitstore

import (
	"cmp"
	"context"
	"errors"
	"strings"

	"github.com/cp-memory/cp/gitstore/internal/object"
	"github.com/cp-memory/cp/gitstore/plumb"
)

// refCommand asks git for the refs. It serves repositories with a reftable.
type refCommand struct{ *Repo }

func (r refCommand) head(ctx context.Context) (ref, commit string, err error) {
	out, err := r.Run(ctx, nil, "symbolic-ref", "--quiet", "HEAD")
	if err != nil && plumb.ExitCode(err) != 1 { // 1: detached
		return "", "", err
	}
	ref = strings.TrimSpace(string(out))
	commit, err = r.CommitOf(ctx, "HEAD")
	return ref, commit, err
}

func (refCommand) prepare(move) error { return nil }
func (refCommand) discard(move) error { return nil }

func (r refCommand) update(ctx context.Context, m move, install func() error) error {
	ref, at, err := r.head(ctx)
	if err != nil || ref != m.ref || at != m.old {
		return errors.Join(err, object.ErrMoved)
	}
	if err := install(); err != nil {
		return err
	}
	_, err = r.Run(ctx, nil, "update-ref", "-m", m.why, "HEAD", cmp.Or(m.new, m.zero), cmp.Or(m.old, m.zero))
	return err
}

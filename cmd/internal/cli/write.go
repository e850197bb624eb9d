package cli

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/cp-memory/cp/cmd/internal/render"
	"github.com/cp-memory/cp/cmd/internal/session"
)

// write opens the vault for fn, after committing what waits in the outbox.
func (f face) write(ctx context.Context, fn func(*session.Session) error) error {
	return f.read(ctx, func(s *session.Session) error {
		f.deliver(ctx, s)
		err := fn(s)
		if err == nil {
			f.tidy(ctx, s)
		}
		return err
	})
}

// tidy is for the moment after the answer. It is nobody's errand, so what goes
// wrong is for --debug.
func (f face) tidy(ctx context.Context, s *session.Session) {
	if f.Tidy == nil {
		return
	}
	if err := f.Tidy(ctx, s); err != nil {
		f.Debugf("git gc --auto: %v", err)
	}
}

// allowSecret binds the flag that lets what looks like a credential be committed.
func allowSecret(cmd *cobra.Command, allowed *bool) {
	cmd.Flags().BoolVar(allowed, "allow-secret", false, "commit it also when it looks like a password or token")
}

// deliver commits what waits. It never stops the command: what cannot be
// delivered stays in the outbox, and the person is told.
func (f face) deliver(ctx context.Context, s *session.Session) {
	added, err := s.Deliver(ctx)
	render.Delivered(f.errs(), added)
	if err != nil {
		f.errs().Warn("what waits in the outbox is not committed yet: " + err.Error())
	}
}

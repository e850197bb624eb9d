package hook

import (
	"context"
	"time"

	"github.com/cp-memory/cp/cmd/internal/app"
	"github.com/cp-memory/cp/cmd/internal/background"
	"github.com/cp-memory/cp/cmd/internal/settings"
	"github.com/cp-memory/cp/cmd/internal/target"
	"github.com/cp-memory/cp/vault"
)

// Index is the event of the process in the background: it brings the index up to date, for
// as long as that takes.
const Index = "index"

// answering is how long before the deadline a prompt is no more answered from the disk: a
// recall from the index takes a tenth of a second at 100,000 memories, and three times that
// beside others.
const answering = 300 * time.Millisecond

// inTime asks the vault as it is on disk, or, where that takes longer than quick allows or
// another process holds the index, as its index has it. fresh says which of the two answered.
func (h hooked) inTime(ctx, quick context.Context, s *app.Session, ask func(context.Context, *app.Session) error) (fresh bool, err error) {
	err = ask(quick, s)
	switch {
	case late(quick, err):
		h.late.Store(true)
	case vault.CodeOf(err) != vault.CodeLocked:
		return true, err
	}
	return false, ask(ctx, lastLook(s))
}

// late reports whether an error says that the time was up.
func late(ctx context.Context, err error) bool { return err != nil && ctx.Err() != nil }

// lastLook is the vault as the index has it, without a look at the disk.
func lastLook(s *app.Session) *app.Session {
	v, syncer, session := *s.Vault, *s.Syncer, *s
	v.Mirror.Refresher = still{v.Mirror.Refresher}
	syncer.Vault, session.Syncer = &v, &syncer
	return &session
}

// still is a mirror that looks at nothing.
type still struct{ vault.Refresher }

func (still) CatchUp(context.Context, vault.Source, vault.Scope) (vault.Report, error) {
	return vault.Report{Complete: true}, nil
}

// indexLater starts a process that brings the index up to date: what this one began ends with
// it, and the next hook would begin it again. What cannot be started is left to the next
// command.
func (h hooked) indexLater() {
	s, err := settings.Load(h.flags, h.Place())
	if err != nil {
		return
	}
	args := []string{"memory", "hook", Index, "--vault", s.Root}
	if s.Config != "" {
		args = append(args, "--config", s.Config)
	}
	_ = background.Start(s.Root, args...)
}

// Catch brings the index up to date, in the process that indexLater started, unless another
// one does.
func Catch(ctx context.Context, a *app.App, flags settings.Flags) error {
	here := *a
	here.Warn, here.Debug, here.Progress = nil, nil, nil
	return hooked{App: &here, flags: flags}.openVault(ctx, asSet, func(s target.Target) error {
		w := background.Work{Dir: s.State.StateDir(), Name: Index}
		catchUp := func() error {
			return s.Vault.View(ctx, vault.Scope{}, func(vault.Tree) error { return nil })
		}
		if w.Dir == "" {
			return catchUp()
		}
		if err := w.NoteWanted(); err != nil {
			return err
		}
		return w.Do(catchUp)
	})
}

package app

import (
	"context"

	"github.com/cp-memory/cp/cmd/internal/settings"
	"github.com/cp-memory/cp/vault"
)

// With opens the vault that the flags mean for fn, as it is, and closes it.
func (a *App) With(ctx context.Context, flags settings.Flags, fn func(*Session) error) error {
	s, err := a.OpenBy(ctx, flags)
	if err != nil {
		return err
	}
	defer a.Close(s)
	return fn(s)
}

// Close closes a session. The answer is out by then, so a failure is reported only with
// --debug.
func (a *App) Close(s *Session) {
	if err := s.Close(); err != nil {
		a.Debugf("closing the vault: %v", err)
	}
}

// Door is how a command enters a vault and leaves it.
type Door int

// The doors. AsIs does nothing. Read finishes what killed writers left and commits what waits in
// the outbox, as far as that can be done at once: a reader never waits for a writer. Look does
// what Read does, and shows what still waits in the outbox as it will be: it is for what only
// reads memories. Write does what Read does, and first waits for the lock to commit the writes
// in the outbox.
const (
	AsIs Door = iota
	Read
	Look
	Write
)

// Enter prepares an open vault for a command. told gets what was done and what could not be. A
// write that cannot be delivered stays in the outbox and is reported; it stops nothing, and where
// what waits cannot be shown the vault is shown without it.
func (d Door) Enter(ctx context.Context, s *Session, told func(vault.Tended)) {
	if d == AsIs {
		return
	}
	t := s.FinishPending(ctx)
	told(t)
	switch {
	case d == Look && t.Waits:
		if err := s.ShowOutbox(ctx); err != nil {
			s.app.Debugf("not all that waits in the outbox is shown: %v", err)
		}
	case d == Write:
		added, err := s.Deliver(ctx)
		t := vault.Tended{Added: added}
		if err != nil {
			t.Notes = []string{"what waits in the outbox is not committed yet: " + err.Error()}
		}
		told(t)
	}
}

// Leave does what is done after a command, once it has answered.
func (d Door) Leave(ctx context.Context, s *Session) {
	if d == Write {
		s.Tidy(ctx)
		s.embedLater()
	}
}

// embedLater has what was written get its vector, where nobody waits for it. A failure is
// reported only with --debug.
func (s *Session) embedLater() {
	if !s.Settings.Embedding.ByItself() || s.app.EmbedLater == nil {
		return
	}
	if err := s.app.EmbedLater(s, s.Settings.Config); err != nil {
		s.app.Debugf("vectors: %v; cp admin embed-backfill makes them", err)
	}
}

// Tidy lets git collect its loose objects, after the answer. A failure is reported only
// with --debug.
func (s *Session) Tidy(ctx context.Context) {
	if s.app.Tidy == nil {
		return
	}
	if err := s.app.Tidy(ctx, s); err != nil {
		s.app.Debugf("git gc --auto: %v", err)
	}
}

package app

import (
	"context"

	"github.com/cp-memory/cp/vault"
)

// With opens the vault for fn, as it is, and closes it.
func (a *App) With(ctx context.Context, fn func(*Session) error) error {
	s, err := a.Open(ctx)
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

// Read opens the vault for fn. Before, it finishes what killed writers left and
// commits what waits in the outbox, as far as that can be done at once: a reader
// never waits for a writer. told gets what was done and what could not be.
func (a *App) Read(ctx context.Context, told func(vault.Tended), fn func(*Session) error) error {
	return a.With(ctx, func(s *Session) error {
		told(s.Tend(ctx))
		return fn(s)
	})
}

// Look does what Read does, and shows what still waits in the outbox as it will be. It is for
// what only reads memories. Where that fails, the vault is shown without it.
func (a *App) Look(ctx context.Context, told func(vault.Tended), fn func(*Session) error) error {
	return a.With(ctx, func(s *Session) error {
		t := s.Tend(ctx)
		told(t)
		if t.Waits {
			if err := s.Ahead(ctx); err != nil {
				a.Debugf("not all that waits in the outbox is shown: %v", err)
			}
		}
		return fn(s)
	})
}

// Write does what Read does, and first waits for the lock to commit the writes in the
// outbox. A write that cannot be delivered stays in the outbox and is reported; it stops
// nothing.
func (a *App) Write(ctx context.Context, told func(vault.Tended), fn func(*Session) error) error {
	return a.Read(ctx, told, func(s *Session) error {
		added, err := s.Deliver(ctx)
		t := vault.Tended{Added: added}
		if err != nil {
			t.Notes = []string{"what waits in the outbox is not committed yet: " + err.Error()}
		}
		told(t)
		if err := fn(s); err != nil {
			return err
		}
		s.Tidy(ctx)
		s.embedLater()
		return nil
	})
}

// embedLater has what was written get its vector, where nobody waits for it. A failure is
// reported only with --debug.
func (s *Session) embedLater() {
	if !s.Settings.Embedding.ByItself() || s.app.EmbedLater == nil {
		return
	}
	config := s.app.Flags.Config
	if config != "" {
		config = s.app.Abs(config)
	}
	if err := s.app.EmbedLater(s, config); err != nil {
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

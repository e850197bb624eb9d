package live

import (
	"context"
	"time"

	"github.com/cp-memory/cp/cmd/internal/app"
	"github.com/cp-memory/cp/cmd/internal/settings"
	"github.com/cp-memory/cp/vault"
)

// askEvery is how often the mirror is asked whether it is another one.
const askEvery = 100 * time.Millisecond

// opened is for how long a vault is kept open. It is opened anew then: an index that was set
// aside is no longer the vault's.
const opened = 10 * time.Second

// Run looks at the vault that the flags mean until ctx ends.
func (f *Feed) Run(ctx context.Context, a *app.App, flags settings.Flags) {
	quiet := *a
	quiet.Warn, quiet.Progress = nil, nil
	var last vault.Generation
	for ctx.Err() == nil {
		_ = vault.Guard("looking for changes", nil, func() error { // it looks again
			return quiet.With(ctx, flags, func(s *app.Session) error { return f.tellGenerations(ctx, s, &last, time.Now().Add(opened)) })
		})
		select {
		case <-ctx.Done():
		case <-time.After(askEvery):
		}
	}
}

// tellGenerations tells of each new generation until then. It looks at least once, so that the vault is
// known before somebody listens.
func (f *Feed) tellGenerations(ctx context.Context, s *app.Session, last *vault.Generation, until time.Time) error {
	mark := Mark(s.Root)
	tick := time.NewTicker(askEvery)
	defer tick.Stop()
	for time.Now().Before(until) {
		if *last == (vault.Generation{}) || !f.idle() {
			g, err := s.Mirror.Generation(ctx)
			if err != nil {
				return err
			}
			if g != *last {
				ids, err := s.Changed(ctx, *last, mostIDs)
				if err != nil {
					return err
				}
				f.noteGeneration(mark, s.Settings.Project, formatGeneration(g), ids)
				*last = g
			}
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-tick.C:
		}
	}
	return nil
}

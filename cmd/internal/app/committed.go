package app

import (
	"context"
	"slices"

	"github.com/cp-memory/cp/cmd/internal/settings"
	"github.com/cp-memory/cp/vault"
)

// What commands read follows .cp/vault.yaml as it is on disk. What sync commits follows the
// committed one: of two clones, one that leaves a folder out and one that does not, the
// first would remove the pointers that the second adds, in turns. What the line on disk
// leaves out is not adopted either.

// ByCommit returns the same program for commands that settle pointers: what `ignore:` leaves
// out is what HEAD says.
func (a *App) ByCommit() *App {
	c := *a
	c.byCommit = true
	return &c
}

// ignoredByCommit returns what HEAD's settings leave out. differs is false where that is
// what those on disk leave out, or HEAD has none that can be read.
func ignoredByCommit(ctx context.Context, store vault.Store, s settings.Settings) (ignore []string, differs bool, err error) {
	tip, err := store.Tip(ctx)
	if err != nil || tip == "" {
		return nil, false, err
	}
	text, err := store.ReadAt(ctx, tip, ".cp/vault.yaml")
	if vault.CodeOf(err) == vault.CodeNotFound {
		return nil, false, nil
	}
	if err != nil {
		return nil, false, err
	}
	ignore, ok := settings.Ignored(text)
	return ignore, ok && !slices.Equal(ignore, s.Ignore), nil
}

// uncommitted is what is said where the two differ.
const uncommitted = "`ignore:` in .cp/vault.yaml is not committed as it stands"

// settled opens the vault by HEAD's settings where these differ.
func (a *App) settled(ctx context.Context, opened Opened, s settings.Settings) (Opened, settings.Settings, error) {
	ignore, differs, err := ignoredByCommit(ctx, opened.Store, s)
	if err != nil || !differs { // who cannot read HEAD commits nothing
		return opened, s, nil
	}
	a.warn(uncommitted + ", so sync goes by the committed one, as other clones do: git add .cp/vault.yaml && git commit")
	s.Ignore, s.Unwanted = ignore, s.Ignore
	if err := opened.Close(); err != nil {
		return opened, s, err
	}
	opened, err = a.Wire(ctx, s)
	return opened, s, err
}

// MayWatch refuses to commit edits while `ignore:` is not committed.
func (s *Session) MayWatch(ctx context.Context) error {
	_, differs, err := ignoredByCommit(ctx, s.Store, s.Settings)
	if err == nil && differs {
		err = vault.Errorf(vault.CodeBusy, "git add .cp/vault.yaml && git commit", uncommitted+": a watcher that commits would not agree with other clones")
	}
	return err
}

package app

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"slices"

	"github.com/cp-memory/cp/cmd/internal/settings"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/disk"
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
func ignoredByCommit(ctx context.Context, opened Opened, s settings.Settings) (ignore []string, differs bool, err error) {
	tip, err := opened.Store.Tip(ctx)
	if err != nil || tip == "" {
		return nil, false, err
	}
	text, err := opened.committedConfig(ctx, tip)
	if vault.CodeOf(err) == vault.CodeNotFound {
		return nil, false, nil
	}
	if err != nil {
		return nil, false, err
	}
	ignore, ok := settings.ParseIgnore(text)
	return ignore, ok && !slices.Equal(ignore, s.Ignore), nil
}

// committedConfig returns the .cp/vault.yaml of a commit. To find a file in a commit takes a tenth
// of a sync that has nothing to do, so the last text is kept in the state's file committed:
//
//	<commit> <blob id of the text>
//	<the text>
//
// Another text than that of the id is none.
func (o Opened) committedConfig(ctx context.Context, tip string) ([]byte, error) {
	file := filepath.Join(o.State.StateDir(), "committed")
	if kept, err := os.ReadFile(file); err == nil {
		first, text, _ := bytes.Cut(kept, []byte("\n"))
		if string(first) == tip+" "+o.Store.BlobID(text) {
			return text, nil
		}
	}
	text, err := o.Store.ReadAt(ctx, tip, ".cp/vault.yaml")
	if err == nil {
		_ = disk.Replace(file, append([]byte(tip+" "+o.Store.BlobID(text)+"\n"), text...), 0o600) // else it is found again
	}
	return text, err
}

// uncommitted is what is said where the two differ.
const uncommitted = "`ignore:`, `folders:` or `extensions:` in .cp/vault.yaml is not committed as it stands"

// reopenByHead opens the vault by HEAD's settings where these differ.
func (a *App) reopenByHead(ctx context.Context, opened Opened, s settings.Settings) (Opened, settings.Settings, error) {
	ignore, differs, err := ignoredByCommit(ctx, opened, s)
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
	_, differs, err := ignoredByCommit(ctx, s.Opened, s.Settings)
	if err == nil && differs {
		err = vault.Errorf(vault.CodeBusy, "git add .cp/vault.yaml && git commit", uncommitted+": a watcher that commits would not agree with other clones")
	}
	return err
}

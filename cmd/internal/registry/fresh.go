package registry

import (
	"context"
	"sync/atomic"

	"github.com/cp-memory/cp/cmd/internal/app"
	"github.com/cp-memory/cp/vault"
)

// catchUpOnce brings an open vault up to date as far as scope says, and returns it for a question
// that is asked in a moment: what that looks at first is not looked at once more. So the
// projects in a vault are known as its files have them now, and a family costs one scan of
// each vault. The session that is given stays as it was.
func catchUpOnce(ctx context.Context, s *app.Session, scope vault.Scope) (*app.Session, error) {
	if scope.None {
		return s, nil
	}
	report, err := s.CatchUp(ctx, scope)
	if s.Vault.Hasty && vault.CodeOf(err) == vault.CodeLocked {
		report, err = vault.Report{Complete: true}, nil // the question itself shows what there is, or fails
	}
	if err != nil {
		return s, err
	}
	v, syncer, session := *s.Vault, *s.Syncer, *s
	v.Mirror.Refresher = &fresh{Refresher: v.Mirror.Refresher, scope: scope, report: report}
	syncer.Vault, session.Syncer = &v, &syncer
	return &session, nil
}

// fresh is a mirror that was brought up to date just now. The first look at no more than that
// returns what it saw; any further one is a look at the disk, as of one who reads again since
// an answer did not fit the files.
type fresh struct {
	vault.Refresher
	scope  vault.Scope
	report vault.Report
	used   atomic.Bool
}

// CatchUp brings the rows in scope up to date with the disk and with HEAD.
func (f *fresh) CatchUp(ctx context.Context, src vault.Source, scope vault.Scope) (vault.Report, error) {
	if !scope.Each && len(scope.Paths) == 0 && (f.scope.IsWholeVault() || f.scope.Shallow && scope.Shallow && f.scope.Dir == scope.Dir) && f.used.CompareAndSwap(false, true) {
		return f.report, nil
	}
	return f.Refresher.CatchUp(ctx, src, scope)
}

package main

import (
	"path/filepath"
	"time"

	"github.com/cp-memory/cp/cmd/internal/app"
	"github.com/cp-memory/cp/gitstore/remote"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/exchange"
)

// exchange puts an open vault together with its remote side.
func (o *opener) exchange(s *app.Session, driver string, limit time.Duration) (*exchange.Exchange, error) {
	repo, err := o.find(s.Root)
	if err != nil {
		return nil, err
	}
	repo = repo.Exchanging(driver, limit, s.Settings.ShareUsage)
	prefix, err := filepath.Rel(repo.Top(), s.Root)
	if err != nil {
		return nil, vault.Errorf(vault.CodeInternal, "", "the vault %s is not in the work tree %s", s.Root, repo.Top())
	}
	if prefix == "." {
		prefix = ""
	}
	x := &exchange.Exchange{Vault: s.Syncer, Remote: repo, History: repo, Prefix: filepath.ToSlash(prefix), Pause: remote.StepAside}
	if s.Settings.ShareUsage {
		x.Counters, x.Team = s.Counters, repo
	}
	return x, nil
}

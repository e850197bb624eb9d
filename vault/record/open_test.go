package record_test

import (
	"context"
	"crypto/rand"
	"errors"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/cp-memory/cp/gitstore"
	"github.com/cp-memory/cp/index"
	"github.com/cp-memory/cp/index/usage"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/past"
	"github.com/cp-memory/cp/vault/record"
	"github.com/cp-memory/cp/vault/worktree"
)

// open makes a repository in dir, a vault in it, and a Store of that.
func open(dir string) (s record.Store, end func(), err error) {
	for _, args := range [][]string{{"init", "-q", "-b", "main"}, {"config", "user.name", "Ann"}, {"config", "user.email", "ann@example.org"}} {
		git := exec.CommandContext(context.Background(), "git", args...)
		git.Dir = dir
		if err := git.Run(); err != nil {
			return s, nil, err
		}
	}
	repo, err := gitstore.FindRepo(dir)
	if err != nil {
		return s, nil, err
	}
	ports := &worktree.Repo{Folders: repo, Branch: repo, Publisher: repo, Takebacks: repo, Status: repo, Contents: repo, Trail: repo, Search: repo, Joins: repo}
	store, err := worktree.Open(dir, ports, worktree.Options{})
	if err != nil {
		return s, nil, err
	}
	reads, err := usage.Open(filepath.Join(store.CommonStateDir(), "usage.db"))
	if err != nil {
		return s, nil, err
	}
	mirror, err := index.Open(filepath.Join(dir, ".cp", "index.db"), index.Options{Source: store.Ports().Source, Folders: store, Usage: reads})
	if err != nil {
		return s, nil, errors.Join(err, reads.Close())
	}
	v := &vault.Vault{Store: store.Ports(), Mirror: mirror.Ports(), Usage: reads, Prefix: "pf", Agent: "tester", Now: time.Now, Random: rand.Reader}
	s = record.Store{Vault: v, History: &past.History{Vault: v, Archive: store.Archive()}, Graph: mirror.Graph(), Sources: mirror.Graph()}
	return s, func() { _ = mirror.Close(); _ = reads.Close() }, nil
}

package main

import (
	"context"
	"fmt"
	"slices"

	"github.com/cp-memory/cp/cmd/internal/app"
	"github.com/cp-memory/cp/gitstore"
	"github.com/cp-memory/cp/index"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/tree"
	"github.com/cp-memory/cp/vault/worktree/watch"
)

// watch watches an open vault. The mirror it keeps current is opened
// beside the session's, which asks the watcher like any reader.
func (o *opener) watch(ctx context.Context, s *app.Session, how tree.Watch, told func(tree.Pass) error, warn func(string)) error {
	repo, err := o.find(s.Root)
	if err != nil && vault.CodeOf(err) != vault.CodeNoGit {
		return err
	}
	store, err := openStore(s.Settings, repo, err)
	if err != nil {
		return err
	}
	mirror, err := openMirror(s.Settings, store, repo, index.Options{})
	if err != nil {
		return err
	}
	defer mirror.Close()
	return watch.Run(ctx, watch.Options{
		Watch: how, Vault: s.Syncer, Mirror: mirror, Reader: s.Index, Folders: store,
		Root: store.Root(), Place: watchPlace(s), Git: gitFolders(store.Root()), Build: watchBuild(),
		Foreign: func() bool { v := index.SchemaOf(indexPath(s.Root)); return v != 0 && v != index.Schema() },
		Idle:    func() { _ = o.tidy(ctx, s) }, // what fails now is tried again after the next rest
		Told:    told, Warn: warn,
	})
}

// tidy lets git collect loose objects in the background when it is time to.
func (o *opener) tidy(ctx context.Context, s *app.Session) error {
	repo, err := o.find(s.Root)
	if err != nil {
		return err
	}
	return repo.Tidy(ctx)
}

func watchPlace(s *app.Session) string { return watch.Place(s.State.Root(), s.State.StateDir()) }

// watchProtocol is the version of how readers and watchers talk. Together with
// the index's it says whether they can.
const watchProtocol = 1

func watchBuild() string { return fmt.Sprintf("%d.%d", watchProtocol, index.Schema()) }

// gitFolders are the folders of the repository that tell where HEAD stands.
func gitFolders(root string) []string {
	repo, err := gitstore.Find(root)
	if err != nil {
		return nil
	}
	return slices.Compact([]string{repo.GitDir(), repo.CommonDir()})
}

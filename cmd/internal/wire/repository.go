package wire

import (
	"context"
	"path/filepath"

	"github.com/cp-memory/cp/gitstore"
	"github.com/cp-memory/cp/vault/worktree"
)

// gitTop is [app.App.GitTop].
func gitTop(dir string) (string, error) {
	repo, err := gitstore.FindRepo(dir)
	if err != nil {
		return "", err
	}
	return repo.Top(), nil
}

// ignoredFolders is [app.App.IgnoredFolders].
func ignoredFolders(ctx context.Context, top string) (func(dir string) string, error) {
	repo, err := gitstore.FindRepo(top)
	if err != nil {
		return nil, err
	}
	folders, err := worktree.FoldersOf(ctx, repo, top)
	return folders.Outermost, err
}

// listTrackedFolders is [app.App.Tracked].
func listTrackedFolders(ctx context.Context, dir, ending string) (folders []string, err error) {
	repo, err := gitstore.FindRepo(dir)
	if err != nil {
		return nil, err
	}
	below, err := filepath.Rel(repo.Top(), dir)
	if err != nil {
		return nil, err
	}
	if below = filepath.ToSlash(below) + "/"; below == "./" {
		below = ""
	}
	names, err := repo.IndexNames(ctx, below, "/"+ending, filepath.Join(repo.GitDir(), "cp", "vaults"))
	for _, name := range names {
		folders = append(folders, filepath.Join(repo.Top(), name[:len(name)-len(ending)]))
	}
	return folders, err
}

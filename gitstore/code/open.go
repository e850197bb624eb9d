package code

import (
	"context"
	"path/filepath"

	"github.com/cp-memory/cp/gitstore"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/about"
)

// Open returns the code in the work tree whose top is given, or in a folder that is in no
// repository.
func Open(top string) (about.Code, error) {
	real, err := filepath.EvalSymlinks(top)
	if err != nil {
		return about.Code{}, vault.Errorf(vault.CodeIO, "", "the code in %s cannot be read: %w", top, err)
	}
	repo, err := gitstore.FindRepo(real)
	switch {
	case vault.CodeOf(err) == vault.CodeNoGit, err == nil && repo.Top() != real:
		return about.Code{Root: real, Files: files{top: real}}, nil
	case err != nil:
		return about.Code{}, err
	}
	list := func(ctx context.Context) ([]string, error) {
		return repo.List(ctx, nil, "ls-files", "-z", "--cached", "--others", "--exclude-standard")
	}
	return about.Code{Root: real, Files: files{top: real, repo: repo}, Past: past{repo}, List: list}, nil
}

package code

import (
	"context"
	"errors"
	"path/filepath"

	"github.com/cp-memory/cp/gitstore"
	"github.com/cp-memory/cp/gitstore/internal/object"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/about"
)

// past is what git has of the code.
type past struct{ repo *gitstore.Repo }

var _ about.Past = past{}

// Head is that of [about.Past].
func (p past) Head(ctx context.Context) (string, error) { return p.repo.Tip(ctx) }

// Blobs is that of [about.Past].
func (p past) Blobs(ctx context.Context, commit string, paths []string) (map[string]string, error) {
	all := make(map[string]string, len(paths))
	if commit == "" {
		return all, nil
	}
	tree, done, err := openTree(ctx, p.repo, commit)
	if err != nil {
		return nil, err
	}
	defer done()
	for _, path := range paths {
		e, ok, err := tree.Find(ctx, path)
		if err != nil {
			return nil, err
		}
		if ok && e.IsFile() {
			all[path] = e.ID
		} else if blob, err := p.blobBelow(ctx, tree, path); err == nil && blob != "" {
			all[path] = blob
		}
	}
	return all, nil
}

// blobBelow returns the blob of a file in a submodule.
func (p past) blobBelow(ctx context.Context, tree *object.Tree, path string) (string, error) {
	inner, rest, err := submoduleIn(ctx, p.repo, tree, path)
	if err != nil || inner == nil || inner.repo == nil {
		return "", err
	}
	all, err := past{inner.repo}.Blobs(ctx, inner.commit, []string{rest})
	return all[rest], err
}

// Text is that of [about.Past].
func (p past) Text(ctx context.Context, blob string) ([]byte, error) {
	text, err := p.repo.Blob(ctx, blob)
	if errors.Is(err, object.ErrMissing) || vault.CodeOf(err) == vault.CodeNotFound {
		return nil, ctx.Err()
	}
	if err == nil && text == nil {
		text = []byte{}
	}
	return text, err
}

// Parent is that of [about.Past].
func (p past) Parent(ctx context.Context, commit string) (string, error) {
	return p.repo.Parent(ctx, commit)
}

// Base is that of [about.Past].
func (p past) Base(ctx context.Context, a, b string) (string, error) {
	base, err := p.repo.MergeBase(ctx, a, b)
	if err != nil { // a commit is not in this clone
		return "", ctx.Err()
	}
	return base, nil
}

// openTree opens the tree of a commit. The error is CodeNotFound where this clone does not have it.
func openTree(ctx context.Context, repo *gitstore.Repo, commit string) (*object.Tree, func(), error) {
	o, err := repo.Objects()
	if err != nil {
		return nil, nil, err
	}
	tree, err := object.OpenTree(ctx, o, repo.IDs, commit)
	if err != nil {
		o.Close()
		if errors.Is(err, object.ErrMissing) {
			err = vault.Errorf(vault.CodeNotFound, "git fetch --unshallow", "the commit %s is not in this clone", vault.Short(commit))
		}
		return nil, nil, err
	}
	return tree, o.Close, nil
}

// linked is a submodule that a commit names. repo is nil where it is not in the work tree.
type linked struct {
	repo   *gitstore.Repo
	commit string
}

// submodule returns the submodule of a commit in which a path lies, and the path in it; nil where
// it lies in none.
func submodule(ctx context.Context, repo *gitstore.Repo, commit, path string) (*linked, string, error) {
	if commit == "" {
		return nil, "", nil
	}
	tree, done, err := openTree(ctx, repo, commit)
	if err != nil {
		return nil, "", err
	}
	defer done()
	return submoduleIn(ctx, repo, tree, path)
}

func submoduleIn(ctx context.Context, repo *gitstore.Repo, tree *object.Tree, path string) (*linked, string, error) {
	for i := range len(path) {
		if path[i] != '/' {
			continue
		}
		e, ok, err := tree.Find(ctx, path[:i])
		if err != nil || !ok {
			return nil, "", err
		}
		if e.Mode != object.ModeSubmodule {
			continue
		}
		at := filepath.Join(repo.Top(), filepath.FromSlash(path[:i]))
		inner, err := gitstore.FindRepo(at)
		if err != nil || inner.Top() != at {
			inner = nil
		}
		return &linked{inner, e.ID}, path[i+1:], nil
	}
	return nil, "", nil
}

package anchors

import (
	"context"
	"strings"

	"github.com/cp-memory/cp/gitstore"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/header"
)

// NewestWork returns the newest commit of work from tip, else from HEAD, in the work tree top: see
// [gitstore.Repo.NewestWork].
func NewestWork(ctx context.Context, top, tip string, counts func(path string) bool) (header.Anchor, error) {
	repo, err := gitstore.FindRepo(top)
	if err != nil {
		return header.Anchor{}, err
	}
	if tip == "" {
		if tip, err = repo.Tip(ctx); err != nil {
			return header.Anchor{}, err
		}
	}
	return repo.NewestWork(ctx, tip, counts)
}

// FindCommit returns the commit that a revision names in the work tree top.
func FindCommit(ctx context.Context, top, revision string) (header.Anchor, error) {
	repo, err := gitstore.FindRepo(top)
	if err != nil {
		return header.Anchor{}, err
	}
	ids, err := resolveAll(ctx, repo, revision)
	if err != nil {
		return header.Anchor{}, err
	}
	return repo.ReadAnchor(ctx, ids[0])
}

// resolveAll returns the commits that revisions name. They are read by git from its standard input,
// where nothing is an option.
func resolveAll(ctx context.Context, repo *gitstore.Repo, revisions ...string) (ids []string, err error) {
	var in strings.Builder
	for _, r := range revisions {
		if r == "" || strings.HasPrefix(r, "^") || vault.OneLine(r) != r {
			return nil, errNoCommit(r)
		}
		in.WriteString(r + "^{commit}\n")
	}
	out, err := repo.Run(ctx, []byte(in.String()), "cat-file", "--batch-check=%(objectname) %(objecttype)")
	if err != nil {
		return nil, err
	}
	lines := strings.Split(strings.TrimSuffix(string(out), "\n"), "\n")
	for i, r := range revisions {
		id, kind, _ := strings.Cut(lines[min(i, len(lines)-1)], " ")
		if kind != "commit" || !vault.IsCommit(id) {
			return nil, errNoCommit(r)
		}
		ids = append(ids, id)
	}
	return ids, nil
}

func errNoCommit(revision string) error {
	return vault.Errorf(vault.CodeNotFound, "`git log` shows the commits", "'%s' is no commit of this repository", vault.Clip(vault.OneLine(revision), 80))
}

// IsShared reports whether two work trees are of one repository.
func IsShared(top, other string) bool {
	a, err := gitstore.FindRepo(top)
	b, failed := gitstore.FindRepo(other)
	return err == nil && failed == nil && a.CommonDir() == b.CommonDir()
}

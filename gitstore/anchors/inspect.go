package anchors

import (
	"context"
	"os"
	"path/filepath"

	"github.com/cp-memory/cp/gitstore"
	"github.com/cp-memory/cp/gitstore/internal/past"
	"github.com/cp-memory/cp/vault/header"
)

// Inspect tells of commits what HEAD does not: whether they are the program's own, and whether a branch
// or a tag has them.
func Inspect(ctx context.Context, top string, ids []string) (header.Inspection, error) {
	out := header.Inspection{Own: map[string]bool{}, Kept: map[string]bool{}}
	repo, err := gitstore.FindRepo(top)
	if err != nil {
		return out, err
	}
	here, err := repo.ReadAnchors(ctx, ids)
	if err != nil {
		return out, err
	}
	loose, err := listBeyond(ctx, repo, here, "--not", "--branches", "--tags", "--remotes")
	for id, a := range here {
		out.Own[id], out.Kept[id] = a.Own, !loose[id]
	}
	_, missing := os.Stat(filepath.Join(repo.CommonDir(), "shallow"))
	out.Shallow = missing == nil
	return out, err
}

// listBeyond returns those of the commits, and others before them, that git rev-list says with more
// arguments.
func listBeyond(ctx context.Context, repo *gitstore.Repo, here map[string]past.Anchored, args ...string) (map[string]bool, error) {
	if len(here) == 0 {
		return map[string]bool{}, nil
	}
	var in []byte
	for id := range here {
		in = append(append(in, id...), '\n')
	}
	return readIDs(ctx, repo, in, append([]string{"rev-list", "--stdin"}, args...))
}

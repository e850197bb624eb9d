package anchors

import (
	"bufio"
	"cmp"
	"context"
	"io"
	"strconv"
	"strings"

	"github.com/cp-memory/cp/gitstore"
	"github.com/cp-memory/cp/vault"
)

// maxCommits bounds the commits of a range.
const maxCommits = 100_000

// ListRange returns the commits of a range, as git reads it: A..B are those that B reaches and A does not,
// A...B those that only one of them reaches, and A alone all that it reaches. An end that is left out
// is HEAD.
func ListRange(ctx context.Context, top, expr string) (map[string]bool, error) {
	repo, err := gitstore.FindRepo(top)
	if err != nil {
		return nil, err
	}
	args, err := rangeArgs(ctx, repo, expr)
	if err != nil {
		return nil, err
	}
	all, err := readIDs(ctx, repo, nil, append([]string{"rev-list", "--max-count=" + strconv.Itoa(maxCommits+1)}, append(args, "--")...))
	if len(all) > maxCommits {
		return nil, vault.Errorf(vault.CodeInvalid, "name a narrower range, as v1.1..v1.2", "'%s' has more than %d commits", vault.Clip(expr, 80), maxCommits)
	}
	return all, err
}

// readIDs returns the lines that git prints.
func readIDs(ctx context.Context, repo *gitstore.Repo, in []byte, args []string) (map[string]bool, error) {
	all := map[string]bool{}
	err := repo.Stream(ctx, in, args, func(out io.Reader) (bool, error) {
		lines := bufio.NewScanner(out)
		for lines.Scan() {
			all[lines.Text()] = true
		}
		return true, lines.Err()
	})
	return all, err
}

// rangeArgs returns a range as git rev-list takes it, of ids alone.
func rangeArgs(ctx context.Context, repo *gitstore.Repo, expr string) ([]string, error) {
	from, to, symmetric := strings.Cut(expr, "...")
	plain := false
	if !symmetric {
		from, to, plain = strings.Cut(expr, "..")
	}
	if !symmetric && !plain {
		return resolveAll(ctx, repo, expr)
	}
	ids, err := resolveAll(ctx, repo, cmp.Or(from, "HEAD"), cmp.Or(to, "HEAD"))
	switch {
	case err != nil:
		return nil, err
	case symmetric:
		return []string{ids[0] + "..." + ids[1]}, nil
	}
	return []string{"^" + ids[0], ids[1]}, nil
}

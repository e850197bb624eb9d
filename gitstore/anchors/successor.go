package anchors

import (
	"context"
	"slices"
	"strings"

	"github.com/cp-memory/cp/gitstore/internal/past"
	"github.com/cp-memory/cp/gitstore/plumb"
	"github.com/cp-memory/cp/vault/header"
)

// findSuccessor decides what has become of a commit that HEAD does not reach. exists says that the
// repository has it yet; alike are the commits that HEAD reaches, by author and time.
func (f *follower) findSuccessor(ctx context.Context, a header.Anchor, exists bool, alike map[header.CommitKey][]string) (n header.Successor, err error) {
	key, ok := header.ParseCommitKey(a.CommitKey)
	candidates := alike[key.WithoutSubject()]
	if !ok || len(candidates) == 0 {
		return n, nil
	}
	read, err := f.repo.ReadAnchors(ctx, candidates)
	if err != nil {
		return n, err
	}
	candidates = slices.DeleteFunc(slices.Clone(candidates), func(id string) bool { return read[id].Own && read[id].CommitKey != a.CommitKey })
	if exists {
		if candidates, err = f.withoutAncestors(ctx, a.Commit, candidates); err != nil {
			return n, err
		}
	}
	candidates = withSubject(candidates, read, a.CommitKey)
	if exists && len(candidates) > 1 {
		candidates, err = f.withSameChange(ctx, a.Commit, candidates)
	}
	if len(candidates) == 1 {
		return header.Successor{Commit: candidates[0]}, err
	}
	return header.Successor{Candidates: candidates}, err
}

// withoutAncestors leaves out the commits that the old one was made upon: they stood beside it.
func (f *follower) withoutAncestors(ctx context.Context, commit string, candidates []string) (others []string, err error) {
	for _, id := range candidates {
		_, err := f.repo.Run(ctx, nil, "merge-base", "--is-ancestor", id, commit)
		switch {
		case err != nil && plumb.ExitCode(err) < 0:
			return nil, err
		case err != nil:
			others = append(others, id)
		}
	}
	return others, nil
}

// withSubject returns those of several candidates that have the subject, too; all of them if none has.
func withSubject(candidates []string, read map[string]past.Anchored, key string) []string {
	named := slices.DeleteFunc(slices.Clone(candidates), func(id string) bool { return read[id].CommitKey != key })
	if len(candidates) < 2 || len(named) == 0 {
		return candidates
	}
	return named
}

// withSameChange returns those of the candidates that make the change of a commit; all of them if none
// does.
func (f *follower) withSameChange(ctx context.Context, commit string, candidates []string) ([]string, error) {
	patches, err := f.patchIDs(ctx, append([]string{commit}, candidates...))
	if err != nil || patches[commit] == "" {
		return candidates, err
	}
	same := slices.DeleteFunc(slices.Clone(candidates), func(id string) bool { return patches[id] != patches[commit] })
	if len(same) == 0 {
		return candidates, nil
	}
	return same, nil
}

// patchIDs returns what git says of the change that each of the commits makes; nothing of one that
// makes none, or a merge.
func (f *follower) patchIDs(ctx context.Context, commits []string) (map[string]string, error) {
	diffs, err := f.repo.Run(ctx, []byte(strings.Join(commits, "\n")+"\n"), "diff-tree", "--stdin", "-p", "--root", "--no-renames", "--no-ext-diff", "--no-textconv", "--no-color", "--full-index", "--binary")
	if err != nil {
		return nil, err
	}
	said, err := f.repo.Run(ctx, diffs, "patch-id", "--stable")
	if err != nil {
		return nil, err
	}
	ids := map[string]string{}
	for line := range strings.Lines(string(said)) {
		if patch, commit, ok := strings.Cut(strings.TrimSpace(line), " "); ok {
			ids[commit] = patch
		}
	}
	return ids, nil
}

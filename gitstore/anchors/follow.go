package anchors

import (
	"context"
	"slices"

	"github.com/cp-memory/cp/gitstore"
	"github.com/cp-memory/cp/gitstore/plumb"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/header"
)

// Follow returns what has become of the commits, seen from HEAD of the work tree top. What known, the
// outcome of an earlier call, says is not looked up again while it holds: all of it while HEAD stands
// where it stood, and what HEAD reached while it only goes on.
func Follow(ctx context.Context, top string, known header.Successors, all []header.Anchor) (header.Successors, error) {
	repo, err := gitstore.FindRepo(top)
	if err != nil {
		return header.Successors{}, err
	}
	head, err := repo.Tip(ctx)
	if err != nil {
		return header.Successors{}, err
	}
	if known, err = since(ctx, repo, known, head); err != nil {
		return header.Successors{}, err
	}
	todo := slices.DeleteFunc(slices.Clone(all), func(a header.Anchor) bool {
		_, done := known.Next[a.Commit]
		return done || !vault.IsCommit(a.Commit)
	})
	if len(todo) == 0 {
		return known, nil
	}
	f := follower{repo: repo, head: head, next: known.Next}
	return known, f.follow(ctx, todo)
}

// since returns what is known still, now that HEAD is at head.
func since(ctx context.Context, repo *gitstore.Repo, known header.Successors, head string) (header.Successors, error) {
	if known.Head == head && known.Next != nil {
		return known, nil
	}
	now := header.Successors{Head: head, Next: map[string]header.Successor{}}
	if head == "" || !vault.IsCommit(known.Head) {
		return now, nil
	}
	_, err := repo.Run(ctx, nil, "merge-base", "--is-ancestor", known.Head, head)
	switch {
	case err == nil:
		for commit, n := range known.Next {
			if n.Commit == commit {
				now.Next[commit] = n
			}
		}
	case plumb.ExitCode(err) < 0: // others say that it is no ancestor, or gone
		return now, err
	}
	return now, nil
}

// follower looks for the successors of commits.
type follower struct {
	repo *gitstore.Repo
	head string // empty on an unborn branch, which reaches nothing
	next map[string]header.Successor
}

func (f *follower) follow(ctx context.Context, todo []header.Anchor) error {
	ids := make([]string, len(todo))
	for i, a := range todo {
		ids[i] = a.Commit
	}
	here, err := f.repo.ReadAnchors(ctx, ids)
	if err != nil {
		return err
	}
	beyond, err := listBeyond(ctx, f.repo, here, f.notHead()...)
	if err != nil {
		return err
	}
	var strayed []header.Anchor
	for _, a := range todo {
		read, exists := here[a.Commit]
		switch {
		case exists && !beyond[a.Commit]:
			f.next[a.Commit] = header.Successor{Commit: a.Commit}
		case exists:
			strayed = append(strayed, read.Anchor) // its own key is more than what somebody wrote of it
		default:
			strayed = append(strayed, a)
		}
	}
	alike, err := f.listAlike(ctx, strayed)
	for _, a := range strayed {
		if err == nil {
			_, exists := here[a.Commit]
			f.next[a.Commit], err = f.findSuccessor(ctx, a, exists, alike)
		}
	}
	return err
}

// notHead are the arguments that leave out what HEAD reaches.
func (f *follower) notHead() []string {
	if f.head == "" {
		return nil
	}
	return []string{"^" + f.head}
}

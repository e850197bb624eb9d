package gitstore

import (
	"context"
	"strings"
	"time"

	"github.com/cp-memory/cp/gitstore/internal/gitindex"
	"github.com/cp-memory/cp/gitstore/internal/object"
	"github.com/cp-memory/cp/gitstore/plumb"
)

// A git reset --hard that came too late (see [Repo.Rewound]) has put the index
// back already when it moves the branch. A commit that is made in between keeps
// it from moving: the branch then stays, with an index that is behind it, and the
// next git commit takes away what the index lacks. So the reset is let pass.

// looksAt returns the paths that a publication looks at in the index.
func (p *publication) looksAt() []string {
	paths := pathsOfEdits(p.commit.Edits)
	if p.last.Path != "" && len(paths) > 0 {
		paths = append(paths, p.last.Path)
	}
	return paths
}

// upToHead waits once for a reset that is under way: HEAD is our last commit, and
// somebody has put the index, where that commit changed it, to what an earlier
// commit has. The error then is object.ErrMoved: all is to be read anew.
func (p *publication) upToHead(ctx context.Context, o object.Store, head string, before *object.Tree, index *gitindex.Stage) error {
	if p.waited || p.last.Path == "" || p.last.New != head || p.last.Index == p.index.Sum {
		return nil
	}
	now, there, err := index.Find(ctx, p.last.Path)
	if err != nil {
		return err
	}
	want, ok, err := before.Find(ctx, p.last.Path)
	if err != nil || there == ok && now == want {
		return err
	}
	if !there {
		now = object.Entry{}
	}
	if earlier, err := p.hasEarlier(ctx, o, now); err != nil || !earlier {
		return err
	}
	p.waited = true
	return p.letPass(ctx, head)
}

// hasEarlier reports whether one of the commits before the last publication has that entry at
// its path. An empty entry means no file.
func (p *publication) hasEarlier(ctx context.Context, o object.Store, now object.Entry) (bool, error) {
	if p.last.Old == "" {
		return now == object.Entry{}, nil
	}
	out, err := p.Run(ctx, nil, "rev-list", "--max-count=20", p.last.Old)
	if err != nil {
		return false, err
	}
	for commit := range strings.Lines(string(out)) {
		root, err := object.OpenTree(ctx, o, p.IDs, strings.TrimSpace(commit))
		if err != nil {
			return false, err
		}
		if was, _, err := root.Find(ctx, p.last.Path); err != nil || was == now {
			return err == nil, err
		}
	}
	return false, nil
}

// letPass waits a short time for HEAD or the index to change: a person may have staged an
// earlier version.
func (p *publication) letPass(ctx context.Context, head string) error {
	for end := time.Now().Add(p.patience); time.Now().Before(end); {
		_, at, err := p.refs().head(ctx)
		if err != nil || at != head {
			break
		}
		if index, err := p.indexID(); err != nil || index != p.index {
			p.waited = false
			break
		}
		if err := plumb.Sleep(ctx, 2*time.Millisecond); err != nil {
			return err
		}
	}
	return object.ErrMoved
}

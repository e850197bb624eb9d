package gitstore

import (
	"context"

	"github.com/cp-memory/cp/gitstore/gitindex"
	"github.com/cp-memory/cp/gitstore/object"
)

// native is the index read and written in this process.
type native struct {
	repo  *Repo
	index *gitindex.Index
}

func (r *Repo) openNative(x *gitindex.Index) (engine, error) {
	o, err := r.openObjects()
	return engine{object.Database{Store: o, Texts: o}, native{r, x}}, err
}

func (n native) OpenStage(context.Context, []string) (*gitindex.Stage, error) {
	return gitindex.NewStage(n.index), nil
}

func (n native) SaveStage(ctx context.Context, s *gitindex.Stage, path string) error {
	if name := n.index.StrangeExtension(s.NamesChange()); name != "" {
		return n.repo.byGit().SaveStage(ctx, s, path)
	}
	return n.index.Save(ctx, n.repo.files(), s, path)
}

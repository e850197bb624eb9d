package gitstore

import (
	"context"
	"path/filepath"
	"slices"

	"github.com/cp-memory/cp/gitstore/internal/gitindex"
	"github.com/cp-memory/cp/gitstore/internal/object"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/disk"
)

// joinHistories returns the commit that takes over the other history: theirs where
// HEAD is behind it, else a new one with both for parents.
func (p *publication) joinHistories(ctx context.Context, eng engine, head string) (string, *gitindex.Stage, error) {
	held, err := p.Includes(ctx, head, p.commit.Join.Commit)
	if err != nil || held {
		return "", nil, err
	}
	tree, err := p.joinedTree(ctx, head)
	if err != nil {
		return "", nil, err
	}
	stage, err := p.joinedStage(ctx, eng, head, tree)
	if err != nil {
		return "", nil, err
	}
	// git merge-tree and git fetch sync the files they write, but not the names of these.
	if err := disk.SyncFS(filepath.Join(p.CommonDir(), "objects")); err != nil {
		return "", nil, err
	}
	if behind, err := p.Includes(ctx, p.commit.Join.Commit, head); err != nil || behind {
		return p.commit.Join.Commit, stage, err
	}
	commit, err := eng.Write(ctx, object.KindCommit, p.encodeCommit(tree, head, p.commit.Join.Commit))
	return commit, stage, err
}

// joinedTree returns the tree that was decided on. If somebody has committed since, it
// joins once more and returns that tree.
func (p *publication) joinedTree(ctx context.Context, head string) (string, error) {
	if head == p.commit.Join.Base {
		return p.commit.Join.Tree, nil
	}
	m, err := p.MergeTrees(ctx, head, p.commit.Join.Commit)
	if err != nil {
		return "", err
	}
	if len(m.Clashes) > 0 {
		return "", overtaken()
	}
	return m.Tree, nil
}

func overtaken() error {
	return vault.Errorf(vault.CodeConflict, "run the command again", "somebody committed meanwhile what does not go together with what came")
}

// joinedStage brings the index from HEAD's tree to the new one. A person's staged changes
// stay staged, as a difference to the new tree.
func (p *publication) joinedStage(ctx context.Context, eng engine, head, tree string) (*gitindex.Stage, error) {
	planned := pathsOfEdits(p.commit.Edits)
	changes, err := p.Differences(ctx, head, tree)
	if err != nil {
		return nil, err
	}
	stage, err := eng.OpenStage(ctx, planned)
	if err != nil {
		return nil, err
	}
	known := make(map[string]bool, len(planned))
	for _, path := range planned {
		known[path] = true
	}
	var staged []string
	for _, d := range changes {
		if !known[d.Path] {
			return nil, overtaken()
		}
		if ok, err := p.restage(ctx, eng, stage, d); err != nil {
			return nil, err
		} else if !ok {
			staged = append(staged, d.Path)
		}
	}
	if len(staged) > 0 {
		slices.Sort(staged)
		return nil, vault.InTheWay("staged changes", "commit them first: git commit", staged)
	}
	return stage, p.sparse(stage)
}

// restage brings one entry of the index along; ok is false when something
// else is staged there that cannot be merged with what comes.
func (p *publication) restage(ctx context.Context, eng engine, stage *gitindex.Stage, d vault.Difference) (ok bool, err error) {
	from, into := object.Entry{Mode: d.FromMode, ID: d.From}, object.Entry{Mode: d.IntoMode, ID: d.Into}
	now, there, err := stage.Find(ctx, d.Path)
	if !there {
		now = object.Entry{}
	}
	switch {
	case err != nil || now == into:
		return true, err
	case now == from && d.Into == "":
		return true, stage.Drop(ctx, d.Path)
	case now == from:
		return true, stage.Put(ctx, d.Path, into)
	case !there || d.From == "" || d.Into == "" || !now.IsFile() || !from.IsFile() || !into.IsFile():
		return false, nil
	}
	var texts [3][]byte
	for i, id := range []string{d.From, now.ID, d.Into} {
		if texts[i], err = eng.Text(ctx, d.Path, id); err != nil {
			return false, err
		}
	}
	merged, ok := vault.Blend(d.Path, texts[0], texts[1], texts[2])
	if !ok {
		return false, nil
	}
	id, err := eng.Blob(ctx, d.Path, merged)
	if err != nil {
		return false, err
	}
	return true, stage.Put(ctx, d.Path, object.Entry{Mode: now.Mode, ID: id})
}

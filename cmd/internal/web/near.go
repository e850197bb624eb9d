package web

import (
	"context"

	"github.com/cp-memory/cp/cmd/internal/app"
	"github.com/cp-memory/cp/cmd/internal/web/page"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/tree"
)

// mostNear is how many memories are named in place of one that there is not.
const mostNear = 5

// suggestMemories returns memories that may be meant by a reference that names none.
func (c *call) suggestMemories(ctx context.Context, s *app.Session, ref string) (out []page.Branch) {
	near, _ := tree.Nearest(ctx, s.Vault, s.Titles, ref, mostNear)
	for _, n := range near {
		out = append(out, page.Branch{Base: c.baseAddress(), ID: string(n.ID), Title: n.Title, Phrase: n.Phrase})
	}
	return out
}

// findDeletedFile returns the file of a memory that is in the last commit and not on disk, where it was
// deleted without cp.
func findDeletedFile(ctx context.Context, s *app.Session, ref string) (file vault.Path) {
	_ = s.View(ctx, vault.Scope{}, func(t vault.Tree) error {
		head, err := s.Store.Head(ctx)
		if err != nil {
			return err
		}
		drift, err := t.Drift(ctx)
		read := 0
		for _, d := range drift {
			if err != nil || d.Hash != "" || d.Head == "" || read == pageRows {
				continue
			}
			read++
			if text, err := s.Store.ReadAt(ctx, head.Commit, d.Path); err == nil && vault.ID(ref).Is(vault.Parse(d.Path, text).ID) {
				file = d.Path
			}
		}
		return err
	})
	return file
}

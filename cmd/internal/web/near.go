package web

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/cp-memory/cp/cmd/internal/app"
	"github.com/cp-memory/cp/cmd/internal/web/page"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/filename"
	"github.com/cp-memory/cp/vault/tree"
)

// How many memories are named in place of one that there is not, and in how many letters
// their ids differ from what was asked for.
const (
	mostNear  = 5
	farthest  = 2
	longestID = 64 // in bytes
)

// suggestMemories returns memories whose ids are nearly a reference that names none, and those that say
// something like it.
func (c *call) suggestMemories(ctx context.Context, s *app.Session, ref string) (out []page.Branch) {
	type candidate struct {
		tree.Titled
		far int
	}
	var all []candidate
	_ = s.View(ctx, vault.Scope{}, func(vault.Tree) error {
		return s.Titles(ctx, tree.TitleScope{}, func(n tree.Titled) {
			if far := editDistance(strings.ToLower(ref), string(n.ID)); far <= farthest {
				all = append(all, candidate{n, far})
			}
		})
	})
	slices.SortStableFunc(all, func(a, b candidate) int { return cmp.Compare(a.far, b.far) })
	for _, n := range all[:min(len(all), mostNear)] {
		out = append(out, page.Branch{Base: c.baseAddress(), ID: string(n.ID), Title: n.Title, Phrase: string(n.Phrase)})
	}
	words := strings.NewReplacer("-", " ", "_", " ", "/", " ", ".md", " ").Replace(vault.Clip(ref, 200))
	p, err := tree.SearchMemories(ctx, s.Vault, words, vault.ListOptions{Limit: mostNear})
	for _, row := range p.Rows {
		if b := (page.Branch{Base: c.baseAddress(), ID: string(row.ID), Title: row.Title, Phrase: row.Summary}); err == nil && len(out) < mostNear && !slices.ContainsFunc(out, func(o page.Branch) bool { return o.ID == b.ID }) {
			out = append(out, b)
		}
	}
	return out
}

// editDistance is [filename.Edits] where that is worth its time: words whose lengths say already that it
// is more than farthest are not compared, nor are long ones.
func editDistance(a, b string) int {
	if d := len(a) - len(b); d > farthest || d < -farthest || len(b) > longestID {
		return farthest + 1
	}
	return filename.Edits(a, b)
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

package tree

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/filename"
)

const (
	farthest    = 2   // in how many bytes a name that is meant differs from what was asked for
	longestName = 100 // of those that are compared, in bytes
)

// Nearest returns the memories that somebody may have meant whose reference names none, at most
// most: first those whose id, title or file is nearly called so, then those that say something
// like it. Only open memories of the tree are compared, and none where titles is nil.
func Nearest(ctx context.Context, v *vault.Vault, titles ReadTitles, ref string, most int) (all []Titled, err error) {
	type near struct {
		Titled
		far int
	}
	var found []near
	asked := filename.Fold(ref)
	err = v.View(ctx, vault.Scope{}, func(vault.Tree) error {
		if titles == nil {
			return nil
		}
		return titles(ctx, TitleScope{}, func(n Titled) {
			far := min(distance(asked, string(n.ID)), distance(asked, n.Title), distance(asked, n.Path.Stem().Base()), distance(asked, string(n.Path.Stem())))
			if far <= farthest {
				found = append(found, near{n, far})
			}
		})
	})
	slices.SortStableFunc(found, func(a, b near) int { return cmp.Compare(a.far, b.far) })
	for _, n := range found[:min(len(found), most)] {
		all = append(all, n.Titled)
	}
	if err != nil || len(all) == most {
		return all, err
	}
	words := strings.NewReplacer("-", " ", "_", " ", "/", " ", ".md", " ").Replace(vault.Clip(ref, 200))
	p, err := SearchMemories(ctx, v, words, vault.ListOptions{Limit: most})
	for _, row := range p.Rows {
		if len(all) < most && !slices.ContainsFunc(all, func(n Titled) bool { return n.ID == row.ID }) {
			all = append(all, Titled{ID: row.ID, Title: row.Title, Phrase: row.Summary, Path: row.Path})
		}
	}
	return all, err
}

// distance is [filename.Edits] where that is worth its time: names whose lengths say already that
// they are too far apart are not compared, nor are long ones.
func distance(asked, name string) int {
	if d := len(asked) - len(name); d > farthest || d < -farthest || len(name) > longestName {
		return farthest + 1
	}
	return filename.Edits(asked, filename.Fold(name))
}

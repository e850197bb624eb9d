package recall

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/tree"
)

// Memories are pointed out as alike when this share of the words and pairs of
// words that either has is in both.
const alike = 0.6

// alikeBytes is how much of a text is compared, and alikeTried with how many.
const (
	alikeBytes = 2 << 10
	alikeTried = 3
)

// Alike returns the memories that say the same as the one in the file p, or nearly
// so, the likest first. It asks the index for the few that share its rarest words
// and reads only those, so its cost does not grow with the vault. What it cannot
// find out it leaves out.
func (f *Finder) Alike(ctx context.Context, p vault.Path) []tree.Like {
	doc, _, err := f.Vault.Store.Read(p)
	if err != nil {
		return nil
	}
	m := vault.ParseText(p, doc)
	nodes, err := f.Lexicon.Sharing(ctx, head(m.Title+"\n"+m.Prose), alikeTried+1)
	if err != nil {
		return nil
	}
	analyse := f.Lexicon.Analyser()
	mine := shingles(m, analyse)
	var out []tree.Like
	for _, n := range nodes {
		if n.Path == p {
			continue
		}
		like := tree.Like{ID: n.ID, Title: n.Title, Path: n.Path, Same: n.Content == m.ContentHash(), Similarity: 1}
		if !like.Same {
			other, _, err := f.Vault.Store.Read(n.Path)
			if err != nil {
				continue
			}
			like.Similarity = overlap(mine, shingles(vault.ParseText(n.Path, other), analyse))
		}
		if like.Similarity >= alike {
			out = append(out, like)
		}
	}
	slices.SortStableFunc(out, func(a, b tree.Like) int { return cmp.Compare(b.Similarity, a.Similarity) })
	return out
}

// head is the beginning of a text that is compared.
func head(text string) string {
	if len(text) > alikeBytes {
		return strings.ToValidUTF8(text[:alikeBytes], "")
	}
	return text
}

// shingles are the words of a memory's prose, and each two that follow each other.
func shingles(m *vault.Memory, analyse func(string, func(string))) map[string]bool {
	set := make(map[string]bool)
	before := ""
	analyse(head(m.Prose), func(term string) {
		set[term] = true
		if before != "" {
			set[before+" "+term] = true
		}
		before = term
	})
	return set
}

// overlap is the share of both sets that is in both (Jaccard).
func overlap(a, b map[string]bool) float64 {
	both := 0
	for s := range a {
		if b[s] {
			both++
		}
	}
	all := len(a) + len(b) - both
	if all == 0 {
		return 0
	}
	return float64(both) / float64(all)
}

package recall

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/tree"
)

// alike is the least share of the words and pairs of words of two memories that both hold.
const alike = 0.6

// alikeBytes bounds how much of a text is compared, alikeTried with how many others.
const (
	alikeBytes = 2 << 10
	alikeTried = 3
)

// Alike returns the memories that say the same as the file p, or nearly the same, the
// likest first. It asks the index for the few memories that share p's rarest words and
// reads only those, so its cost does not grow with the vault. A memory that cannot be read
// is left out.
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

// head returns the beginning of a text, which is the part that is compared.
func head(text string) string {
	if len(text) > alikeBytes {
		return strings.ToValidUTF8(text[:alikeBytes], "")
	}
	return text
}

// shingles returns the words of a memory's prose, and each pair of neighbours.
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

// overlap returns how much of the union of two sets is in both (Jaccard).
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

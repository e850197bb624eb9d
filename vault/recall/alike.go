package recall

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/tree"
)

// AlikeFrom is the least share of the words and pairs of words of two memories that both hold.
const AlikeFrom = 0.6

// alikeBytes bounds how much of a text is compared, alikeTried with how many others.
// alikeRows is how many are asked for, since entries that have no place in the tree may
// share the words, too.
const (
	alikeBytes = 2 << 10
	alikeTried = 3
	alikeRows  = 12
)

// Alike returns the memories of the tree that say the same as the file p, or nearly the
// same, the likest first.
func (f *Finder) Alike(ctx context.Context, p vault.Path) []tree.Like {
	doc, _, err := f.Vault.Store.Read(p)
	if err != nil {
		return nil
	}
	return Likes(f.Near(ctx, vault.ParseText(p, doc), AlikeFrom, nil))
}

// Neighbour is a memory that shares words with another one.
type Neighbour struct {
	vault.Node
	Similarity float64 // the share of what either says that both say
	Same       bool    // type, title and text are the same
}

// Likes returns the neighbours as the verbs tell of them.
func Likes(near []Neighbour) (all []tree.Like) {
	for _, n := range near {
		all = append(all, tree.Like{ID: n.ID, Title: n.Title, Path: n.Path, Same: n.Same, Similarity: n.Similarity})
	}
	return all
}

// Texts keeps the memories that were read, so that none is read twice for many questions.
// A nil map keeps none.
type Texts map[vault.Path]*vault.Memory

// Near returns the memories of the tree that share at least so much with m, the nearest
// first. An m without a path is not in the vault yet. It asks the index for the few memories that share m's rarest words and reads only
// those, so its cost does not grow with the vault. A memory that cannot be read is left out.
func (f *Finder) Near(ctx context.Context, m *vault.Memory, least float64, texts Texts) (out []Neighbour) {
	nodes, err := f.Lexicon.Sharing(ctx, head(m.Title+"\n"+m.Prose), m.Path != "", alikeRows)
	if err != nil {
		return nil
	}
	analyse := f.Lexicon.Analyser()
	mine, content, tried := shingles(m, analyse), m.ContentHash(), 0
	for _, n := range nodes {
		if n.Path == m.Path || !n.InTree() || tried == alikeTried {
			continue
		}
		tried++
		like := Neighbour{Node: n, Same: n.Content == content, Similarity: 1}
		if !like.Same {
			other := f.text(n.Path, texts)
			if other == nil {
				continue
			}
			like.Similarity = mine.Overlap(shingles(other, analyse))
		}
		if like.Similarity >= least {
			out = append(out, like)
		}
	}
	slices.SortStableFunc(out, func(a, b Neighbour) int { return cmp.Compare(b.Similarity, a.Similarity) })
	return out
}

// Likeness returns the share of what two memories say that both say.
func (f *Finder) Likeness(a, b *vault.Memory) float64 {
	analyse := f.Lexicon.Analyser()
	return shingles(a, analyse).Overlap(shingles(b, analyse))
}

// text reads a memory; nil where it cannot be read.
func (f *Finder) text(p vault.Path, texts Texts) *vault.Memory {
	if m := texts[p]; m != nil {
		return m
	}
	doc, _, err := f.Vault.Store.Read(p)
	if err != nil {
		return nil
	}
	m := vault.ParseText(p, doc)
	if texts != nil {
		texts[p] = m
	}
	return m
}

// head returns the beginning of a text, which is the part that is compared.
func head(text string) string {
	if len(text) > alikeBytes {
		return strings.ToValidUTF8(text[:alikeBytes], "")
	}
	return text
}

// Analyse calls emit for each word of a text in the form in which words are compared.
type Analyse = func(text string, emit func(term string))

// Terms holds the words of a text, and each pair of neighbouring words.
type Terms map[string]bool

// TermsOf returns the terms of the beginning of a text.
func TermsOf(text string, analyse Analyse) Terms {
	set := make(Terms)
	before := ""
	analyse(head(text), func(term string) {
		set[term] = true
		if before != "" {
			set[before+" "+term] = true
		}
		before = term
	})
	return set
}

// shingles returns the terms of a memory's prose. A memory without prose says what its title
// says.
func shingles(m *vault.Memory, analyse Analyse) Terms {
	text := m.Prose
	if strings.TrimSpace(text) == "" {
		text = m.Title
	}
	return TermsOf(text, analyse)
}

// Overlap returns how much of the union of two sets of terms is in both (Jaccard).
func (t Terms) Overlap(other Terms) float64 {
	both := 0
	for s := range t {
		if other[s] {
			both++
		}
	}
	all := len(t) + len(other) - both
	if all == 0 {
		return 0
	}
	return float64(both) / float64(all)
}

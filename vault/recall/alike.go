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

// alikeBytes bounds how much of a text is compared, alikeTried with how many others. One more
// is asked for, since the text itself may be among them.
const (
	alikeBytes = 2 << 10
	alikeTried = 3
)

// FindAlike returns the memories of the tree that say the same as the file p, or nearly the
// same, the likest first.
func (f *Finder) FindAlike(ctx context.Context, p vault.Path) []tree.Like {
	doc, _, err := f.Vault.Store.Read(p)
	if err != nil {
		return nil
	}
	return AsLikes(f.FindNear(ctx, vault.ParseText(p, doc), AlikeFrom))
}

// Neighbour is a memory that shares words with another one.
type Neighbour struct {
	vault.Node
	Similarity float64 // the share of what either says that both say
	Same       bool    // type, title and text are the same
}

// AsLikes returns the neighbours as the verbs tell of them.
func AsLikes(near []Neighbour) (all []tree.Like) {
	for _, n := range near {
		all = append(all, tree.Like{ID: n.ID, Title: n.Title, Path: n.Path, Same: n.Same, Similarity: n.Similarity})
	}
	return all
}

// FindNear returns the memories of the tree that share at least so much with m, the nearest
// first, see [Comparison.FindNear].
func (f *Finder) FindNear(ctx context.Context, m *vault.Memory, least float64) []Neighbour {
	return f.Compare().FindNear(ctx, m, least)
}

// Comparison asks for the neighbours of many memories. It reads each file once. It is not
// safe for concurrent use.
type Comparison struct {
	finder  *Finder
	analyse Analyse // nil before the first text
	read    map[vault.Path]*compared
}

// compared is a memory that was read, and its terms.
type compared struct {
	memory *vault.Memory
	terms  Terms
}

// Compare begins a comparison.
func (f *Finder) Compare() *Comparison {
	return &Comparison{finder: f, read: make(map[vault.Path]*compared)}
}

// FindNear returns the memories of the tree that share at least so much with m, the nearest
// first. An m without a path is not in the vault yet. It asks the index for the few memories
// that share m's rarest words and reads only those, so its cost does not grow with the vault.
// A memory that cannot be read is left out.
func (c *Comparison) FindNear(ctx context.Context, m *vault.Memory, least float64) (out []Neighbour) {
	nodes, err := c.finder.Lexicon.Sharing(ctx, head(m.Title+"\n"+m.Prose), m.Path != "", alikeTried+1)
	if err != nil {
		return nil
	}
	mine, content, tried := c.terms(m), m.ContentHash(), 0
	for _, n := range nodes {
		if n.Path == m.Path || !n.InTree() || tried == alikeTried {
			continue
		}
		tried++
		like := Neighbour{Node: n, Same: n.Content == content, Similarity: 1}
		if !like.Same {
			other := c.readCompared(n.Path)
			if other == nil {
				continue
			}
			like.Similarity = mine.Overlap(other.terms)
		}
		if like.Similarity >= least {
			out = append(out, like)
		}
	}
	slices.SortStableFunc(out, func(a, b Neighbour) int { return cmp.Compare(b.Similarity, a.Similarity) })
	return out
}

// With compares a memory with the one in the file n. ok is false if that cannot be read.
func (c *Comparison) With(m *vault.Memory, n vault.Node) (like Neighbour, ok bool) {
	other := c.readCompared(n.Path)
	if other == nil {
		return Neighbour{}, false
	}
	return Neighbour{Node: n, Same: other.memory.ContentHash() == m.ContentHash(), Similarity: c.terms(m).Overlap(other.terms)}, true
}

// terms returns the terms of a memory.
func (c *Comparison) terms(m *vault.Memory) Terms {
	if c.analyse == nil {
		c.analyse = c.finder.Lexicon.Analyser()
	}
	return shingles(m, c.analyse)
}

// readCompared reads a memory; nil where it cannot be read.
func (c *Comparison) readCompared(p vault.Path) *compared {
	if m := c.read[p]; m != nil {
		return m
	}
	doc, _, err := c.finder.Vault.Store.Read(p)
	if err != nil {
		return nil
	}
	m := vault.ParseText(p, doc)
	c.read[p] = &compared{m, c.terms(m)}
	return c.read[p]
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

// Terms holds a 64-bit hash of each word of a text, and of each pair of neighbouring words.
type Terms map[uint64]struct{}

// TermsOf returns the terms of the beginning of a text.
func TermsOf(text string, analyse Analyse) Terms {
	text = head(text)
	set := make(Terms, len(text)/4)
	before := uint64(0)
	analyse(text, func(term string) {
		word := hash(fnvOffset, term)
		set[word] = struct{}{}
		if before != 0 {
			set[hash(before*fnvPrime, term)] = struct{}{}
		}
		before = word
	})
	return set
}

// The numbers of FNV-1a for 64 bits.
const (
	fnvOffset = 14695981039346656037
	fnvPrime  = 1099511628211
)

// hash adds a word to a hash. Package hash/fnv would take the word's bytes as a copy.
func hash(h uint64, word string) uint64 {
	for i := range len(word) {
		h = (h ^ uint64(word[i])) * fnvPrime
	}
	return h
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
	for term := range t {
		if _, ok := other[term]; ok {
			both++
		}
	}
	all := len(t) + len(other) - both
	if all == 0 {
		return 0
	}
	return float64(both) / float64(all)
}

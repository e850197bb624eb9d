package recall

import (
	"context"

	"github.com/cp-memory/cp/vault"
)

// Lexicon is the full-text side of the mirror.
type Lexicon interface {
	// Candidates returns the memories that hold any of the query's terms and pass
	// the filters of o, the best first, at most o.Limit of them. Any query is safe.
	Candidates(ctx context.Context, query string, o vault.ListOptions) (Candidates, error)

	// Analyser returns a function that calls emit with the terms of a text, in order and
	// with repetitions, cut in the same way as a query's. It serves one goroutine.
	Analyser() Analyse

	// Sharing returns the memories of the tree, of any type and status, that share the
	// rarest terms of a text with it, at most limit of them; its cost is bounded.
	// there says that the text itself is one of theirs.
	Sharing(ctx context.Context, text string, there bool, limit int) ([]vault.Node, error)

	// Labels returns the labels in use.
	Labels(ctx context.Context) ([]string, error)

	// Private reports whether the mirror's file could not be used and the answer
	// comes from one in memory, and why.
	Private() (bool, error)
}

// Candidates are the memories that a query may mean.
type Candidates struct {
	Terms []Term      // in the order of the query; none where it has nothing to look for
	Hits  []vault.Hit // without telemetry
	Cut   bool        // the query has more terms than are looked for
}

// Term is a term of the query. A name of several parts is one for each part, and then one for the
// whole of it: `ad-hoc` is ad, hoc and adhoc.
type Term struct {
	Text   string
	Parts  int     // of the whole of a name: how many terms right before it are parts of it; else 0
	Rarity float64 // BM25's inverse document frequency, always positive; 0 where no file has the term
}

package journal

import (
	"context"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/header"
	"github.com/cp-memory/cp/vault/recall"
	"github.com/cp-memory/cp/vault/tier"
)

// waiting are the observations that wait, with the words of their titles. An observation that
// waits may say what another one does, and a person may merge them.
type waiting struct {
	analyse recall.Analyse
	nodes   []vault.Node
	terms   []recall.Terms
}

// pendingFrom is the least share of words that makes two observations that wait evidence for
// each other: those from [recall.AlikeFrom] on are counted together as they come.
const pendingFrom = 0.3

// maxShown bounds the observations that are compared.
const maxShown = 1000

// pending returns the observations that wait; none for a bare page.
func (r *ReviewQueue) pending(ctx context.Context, t vault.Tree, q QueueQuery) *waiting {
	w := &waiting{}
	if q.Bare || q.Denied {
		return w
	}
	all, _, err := t.List(ctx, vault.ListOptions{Types: []string{string(header.Observation)}, Limit: maxShown})
	if err != nil {
		return w
	}
	w.analyse = r.Finder.Lexicon.Analyser()
	for _, n := range all {
		if !n.InTree() && !tier.IsDenied(&n.Header) {
			w.nodes, w.terms = append(w.nodes, n), append(w.terms, recall.TermsOf(n.Title, w.analyse))
		}
	}
	return w
}

// findSharing returns the observations that share words with m, if that is one that waits itself.
func (w *waiting) findSharing(m *vault.Memory, others *recall.Comparison) (all []recall.Neighbour) {
	if m.Type != string(header.Observation) || m.InTree() || len(w.nodes) == 0 {
		return nil
	}
	mine := recall.TermsOf(m.Title, w.analyse)
	for i, n := range w.nodes {
		if n.Path == m.Path || mine.Overlap(w.terms[i]) < pendingFrom {
			continue
		}
		if like, ok := others.With(m, n); ok {
			like.Similarity = max(like.Similarity, mine.Overlap(w.terms[i]))
			all = append(all, like)
		}
	}
	return all
}

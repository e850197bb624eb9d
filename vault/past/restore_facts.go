package past

import (
	"context"

	"github.com/cp-memory/cp/vault"
)

// factsOf reads the facts of what is brought back, each as the commit has them that at names;
// empty is none.
func (h *History) factsOf(ctx context.Context, r *restoration, at func(vault.ID) (string, error)) error {
	r.facts = make(map[vault.ID][]byte)
	for _, b := range r.allDeleted() {
		id := vault.Parse(b.path, b.doc).ID
		commit, err := at(id)
		if err != nil {
			return err
		}
		if commit == "" {
			continue
		}
		text, err := h.Store.ReadAt(ctx, commit, vault.FactsPath(id))
		if vault.CodeOf(err) == vault.CodeNotFound {
			continue
		}
		if err != nil {
			return err
		}
		r.facts[id] = text
	}
	return nil
}

// lastFacts returns the newest commit that has the facts of a deleted memory: another clone may
// have written some after this one deleted the memory. It is empty where none has, or where a
// person took the facts away while the memory lived.
func (h *History) lastFacts(ctx context.Context, a *Archive, id vault.ID) (commit string, err error) {
	q := LogQuery{Path: vault.FactsPath(id), Limit: 1, All: true}
	if err := a.Log(ctx, q, func(r vault.Revision) bool { commit = r.Commit; return false }); err != nil || commit == "" {
		return "", err
	}
	_, err = h.Store.ReadAt(ctx, commit, q.Path)
	if vault.CodeOf(err) != vault.CodeNotFound {
		return commit, err
	}
	if p, err := a.Seek(ctx, commit, id); err != nil || p != "" {
		return "", err
	}
	return a.Parent(ctx, commit)
}

// returnFacts gives a memory that has no facts those that it had, and reports whether it did.
func (r *restoration) returnFacts(ctx context.Context, tx *vault.Tx, id vault.ID) (bool, error) {
	was := r.facts[id]
	now, err := tx.Facts(ctx, vault.FactsPath(id))
	if err != nil || was == nil || now != nil {
		return false, err
	}
	return true, tx.SetFacts(ctx, vault.FactsPath(id), nil, was)
}

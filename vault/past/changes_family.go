package past

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/family"
)

// ChangedIn says between which commits the changes of a vault lie.
type ChangedIn struct {
	family.Origin
	Since string `json:"since"`
	Head  string `json:"head"`
}

// Elsewhere returns what another vault is compared with where this one is compared with rev:
// with a time in any case, with a commit only where it has it, and else with the commit's time.
func (h *History) Elsewhere(ctx context.Context, rev string, other *History) (string, error) {
	if _, err := ParseSince(rev, h.Now()); err == nil {
		return rev, nil
	}
	a, err := h.past()
	if err != nil {
		return "", err
	}
	commit, err := a.Resolve(ctx, rev)
	if err != nil {
		return "", err
	}
	if b, err := other.past(); err == nil {
		if _, err := b.Resolve(ctx, commit); err == nil {
			return commit, nil
		}
	}
	at := h.Now()
	err = a.Log(ctx, LogQuery{From: commit, Limit: 1, All: true}, func(r vault.Revision) bool {
		at = r.Time
		return false
	})
	return at.UTC().Format(time.RFC3339), err
}

// SortChanges puts changes in the order in which one reads them, and those of one kind in
// that of their projects and paths.
func SortChanges(rows []ChangeRow) {
	slices.SortStableFunc(rows, func(a, b ChangeRow) int {
		return cmp.Or(weight(a.Change)-weight(b.Change), strings.Compare(a.ProjectPath, b.ProjectPath), strings.Compare(string(a.Path), string(b.Path)))
	})
}

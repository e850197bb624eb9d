package app

import (
	"context"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/core"
	"github.com/cp-memory/cp/vault/review"
)

// stale returns the copies in agents' files of this clone that are old, edited or missing. The
// decision stands in a commit, the files do not: a clone that has none yet is offered them.
func (r *Review) stale(ctx context.Context) (all []review.Copy, err error) {
	found, err := r.s.Tallies.Core(ctx)
	if err != nil {
		return nil, err
	}
	for _, id := range found {
		names, err := r.s.staleTargets(ctx, id)
		if err != nil {
			return nil, err
		}
		if len(names) > 0 {
			all = append(all, review.Copy{ID: id, Targets: names})
		}
	}
	return all, err
}

// staleTargets returns the targets of a memory that do not say what it says. Where it is not
// known which repository the vault's code is in there are none.
func (s *Session) staleTargets(ctx context.Context, id vault.ID) (names []string, err error) {
	d, err := s.Vault.Reading().Open(ctx, string(id))
	if err != nil {
		return nil, err
	}
	targets, err := s.projectTargets(decidedFor(d.Mem))
	switch vault.CodeOf(err) {
	case vault.CodeNoGit, vault.CodeInvalid:
		return nil, nil
	}
	for _, t := range targets {
		_, change, err := t.Section(core.Key(s.Settings.Project, id), core.Text(d.Mem))
		if err != nil || change {
			names = append(names, t.Name)
		}
	}
	return names, err
}

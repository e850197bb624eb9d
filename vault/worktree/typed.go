package worktree

import (
	"cmp"
	"slices"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/internal/files"
)

// checkTyped refuses steps that would replace what somebody has typed or staged and
// not committed. b is the text on disk.
func (p *planner) checkTyped(e *edit, b []byte) error {
	if p.mirrors || e.Whole || e.Outside || !slices.ContainsFunc(e.Steps, vault.Step.Replaces) {
		return nil
	}
	return p.s.versions(p.ctx, p.head.Commit, []vault.Path{e.Path}, func(path vault.Path, committed, staged []byte) error {
		typed, apart := vault.Loses(e.Steps, b, committed), ""
		if staged != nil && !sameLines(staged, b) && !sameLines(staged, committed) {
			apart = cmp.Or(vault.Loses(e.Steps, staged, committed), typed)
		}
		if typed == "" && apart == "" {
			return nil
		}
		return vault.ErrUncommitted(path, cmp.Or(apart, typed), apart != "")
	})
}

// digests returns those of what the steps take out of a text, for [edit.spares]: a person may
// save between the plan and the exchange of the file.
func digests(taken []string) []string {
	all := make([]string, len(taken))
	for i, text := range taken {
		all[i] = files.Digest([]byte(text))
	}
	return all
}

// spares reports whether a step would replace what was saved after the edit was
// planned. Intents of earlier versions do not say what they take.
func (e *edit) spares(s vault.Step, b []byte) bool {
	if e.Takes == nil {
		return false
	}
	taken := s.Takes(b)
	return taken != "" && !slices.Contains(e.Takes, files.Digest([]byte(taken)))
}

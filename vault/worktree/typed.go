package worktree

import (
	"slices"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/worktree/files"
)

// typed refuses steps that would replace what somebody has typed or staged and
// not committed. b is the text on disk.
func (p *planner) typed(e *edit, b []byte) error {
	if p.mirrors || e.Whole || e.Outside || !slices.ContainsFunc(e.Steps, vault.Step.Replaces) {
		return nil
	}
	return p.s.versions(p.ctx, p.head.Commit, []vault.Path{e.Path}, func(path vault.Path, committed, staged []byte) error {
		if what := vault.Loses(e.Steps, b, committed); what != "" {
			return vault.Typed(path, what, false)
		}
		if staged == nil || sameLines(staged, b) {
			return nil
		}
		if what := vault.Loses(e.Steps, staged, committed); what != "" {
			return vault.Typed(path, what, true)
		}
		return nil
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

package worktree

import (
	"slices"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/worktree/files"
)

// typed refuses steps that would replace what somebody has typed or staged and
// not committed. b is the text on disk; what the steps take out of it is noted,
// since a person may save between now and the exchange of the file.
func (p *planner) typed(e *edit, b []byte) error {
	e.Takes = takings(e.Steps, b)
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

// takings returns a digest for each step of the lines that it removes from a text, after
// the steps before it.
func takings(steps []vault.Step, b []byte) []string {
	all := []string{}
	for _, s := range steps {
		if taken := s.Takes(b); taken != "" {
			all = append(all, files.Digest([]byte(taken)))
		}
		if next, err := s.Apply(b); err == nil {
			b = next
		}
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

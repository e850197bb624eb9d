package converge

import (
	"bytes"
	"slices"

	"github.com/cp-memory/cp/vault"
)

// twoAtOnePath parts two memories that the two sides made at one path: the one with the
// smaller id keeps the path, the other one gets the next name. If a person joined the two,
// or chose one, that stands.
func (s *plan) twoAtOnePath() {
	for _, p := range s.Changed {
		first, second, ok := s.pair(p)
		if !ok || !s.isClean(p) {
			continue
		}
		if !s.asGitLeft(p) {
			s.leftByHand(p)
			continue
		}
		to := s.freePath(p)
		s.targets[first.ID], s.targets[second.ID] = p, to
		s.paired[p] = true
		if keep := s.textOf(first.ID, p); !bytes.Equal(keep, s.now.texts[p]) {
			s.setText(p, keep)
		}
		s.edits.Of(to).Create = s.textOf(second.ID, p)
		s.addDiscrepancy(SharedPath, second.ID, to, "made at "+string(p)+", like "+string(first.ID), "it was made at "+string(p)+" on one clone and "+string(first.ID)+" on another: it is here now")
	}
}

// setText plans that the file at p gets another text.
func (s *plan) setText(p vault.Path, text []byte) {
	s.edits.Add(p, vault.Step{Op: vault.OpSetText, Text: string(text)})
}

// leftByHand tells which of two memories a person left out, who settled what two sides
// made at p, and where its text is.
func (s *plan) leftByHand(p vault.Path) {
	for _, side := range s.sides {
		if id := side.mem[p].ID; !slices.Contains(s.now.at[id], p) && (!s.Quiet || s.Head == s.Commit) {
			s.addDiscrepancy(DeletedFile, id, p, "left out by hand", string(id)+", made at this path too, was left out by hand in the merge "+vault.Short(s.Commit)+"; "+vault.Short(side.commit)+" has it")
		}
	}
}

// pair returns the two memories that the sides made at p, the smaller id first,
// where the merge did not leave both.
func (s *plan) pair(p vault.Path) (first, second *vault.Memory, ok bool) {
	a, b, was := s.sides[0].mem[p], s.sides[1].mem[p], s.base.mem[p]
	if a == nil || b == nil || a.ID == "" || b.ID == "" || a.ID == b.ID || was != nil && (was.ID == a.ID || was.ID == b.ID) {
		return nil, nil, false
	}
	m, now := s.merged.texts[p], s.now.texts[p]
	if m == nil || !bytes.Equal(m, now) || s.isElsewhere(a.ID, p) || s.isElsewhere(b.ID, p) {
		return nil, nil, false
	}
	if b.ID < a.ID {
		a, b = b, a
	}
	return a, b, true
}

// isElsewhere reports whether the memory is at another path than p.
func (s *plan) isElsewhere(id vault.ID, p vault.Path) bool {
	if slices.ContainsFunc(s.now.at[id], func(at vault.Path) bool { return at != p }) {
		return true
	}
	at, ok := s.findUnchanged(id)
	return ok && at != p
}

// asGitLeft reports whether the two memories at p are as git left them: nobody has joined
// them or chosen one.
func (s *plan) asGitLeft(p vault.Path) bool {
	m := s.merged.texts[p]
	return s.Ours && (bytes.Equal(m, s.sides[0].texts[p]) || bytes.Equal(m, s.sides[1].texts[p])) || s.gits(p, m)
}

// textOf returns the text that the memory has at p on its side.
func (s *plan) textOf(id vault.ID, p vault.Path) []byte {
	for _, side := range s.sides {
		if m := side.mem[p]; m != nil && m.ID == id {
			return side.texts[p]
		}
	}
	return nil
}

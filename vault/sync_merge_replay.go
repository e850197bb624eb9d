package vault

import "bytes"

// gits reports whether the text at p is what git by itself made of it, with or
// without the markers of a conflict, and no person's decision.
func (s *settlement) gits(p Path, m, a, b []byte) (bool, error) {
	if len(sideMarks(m)) > 0 {
		return true, nil
	}
	if err := s.again(); err != nil {
		return false, err
	}
	if !s.open[p] && (bytes.Equal(m, a) || bytes.Equal(m, b)) || s.another(p, m, a, b) {
		return true, nil
	}
	if s.replay == nil {
		return false, nil
	}
	text, err := s.replay(p)
	return err == nil && bytes.Equal(m, text), err
}

// another reports whether m is, to the byte, a side's text of another memory, which
// is elsewhere too: git gave both places one text.
func (s *settlement) another(p Path, m, a, b []byte) bool {
	other := s.merged.mem[p]
	if other == nil || len(s.merged.at[other.ID]) < 2 || bytes.Equal(m, a) || bytes.Equal(m, b) {
		return false
	}
	return bytes.Equal(m, s.sides[0].own(other.ID)) || bytes.Equal(m, s.sides[1].own(other.ID))
}

// again merges the sides once more, as git does it by itself, where it can.
func (s *settlement) again() (err error) {
	if !s.replayed {
		s.replayed = true
		s.replay, s.open, err = s.v.Merges.Replay(s.ctx, s.m.Sides[0], s.m.Sides[1])
	}
	return err
}

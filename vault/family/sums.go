package family

// Sums are what a ranking by words needs to know of vaults as a whole, added up over those
// of a family: by them each vault scores its memories as if all lay in one.
type Sums struct {
	Rows  int64            // the files that can be found
	Terms int64            // the terms in them, with repetitions
	With  map[string]int64 // of each term of a question: the files that hold it

	Called bool // what links call a file holds one of the terms, in this vault; it is not added up
}

// Nothing reports whether no file holds any of the terms, or is called by it.
func (s *Sums) Nothing() bool {
	if s.Called {
		return false
	}
	for _, n := range s.With {
		if n > 0 {
			return false
		}
	}
	return true
}

// Add adds those of another vault, for the same question.
func (s *Sums) Add(of *Sums) {
	if s.With == nil {
		s.With = make(map[string]int64, len(of.With))
	}
	s.Rows, s.Terms = s.Rows+of.Rows, s.Terms+of.Terms
	for term, n := range of.With {
		s.With[term] += n
	}
}

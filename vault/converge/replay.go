package converge

import (
	"bytes"
	"strconv"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/merge"
)

// A commit does not record git's settings, so the text of a file in a merge has to show
// what made it: git merges the two sides once more, in each of its forms. If the text
// equals one of them to the byte, the names behind the markers aside, or our driver's
// merge of the versions, nobody has touched it, and it can be merged better. Any other
// text is a person's decision and stands.

// gits reports whether the text m, which the merge has at p, was made by git, as a text or
// with our driver, and not by a person.
func (s *plan) gits(p vault.Path, m []byte) bool {
	if asText, known := s.asText(p, m); asText || !known {
		return asText
	}
	v, _ := s.driverVersions(p)
	return v.driven(m)
}

// asText reports whether m is git's merge of the texts at p, with or without the markers
// of a conflict. known says that no question is open.
func (s *plan) asText(p vault.Path, m []byte) (is, known bool) {
	forms := []Replay{ReplayMerge}
	if merge.HasHunks(m) {
		forms = append(forms, ReplayDiff3, ReplayZdiff3)
	}
	for _, how := range forms {
		text, known := s.mergeAgain(how, p)
		if !known || text != nil && merge.WithoutMarkerNames(text) == merge.WithoutMarkerNames(m) {
			return known, known
		}
	}
	return false, true
}

// mergeAgain returns what git makes of a path where it merges the sides once more; nil
// where that is nothing, or where it cannot. known says that it was asked.
func (s *plan) mergeAgain(how Replay, p vault.Path) (text []byte, known bool) {
	r, known := s.Made.get(Made{how, p})
	s.blind = s.blind || r.Blind
	return r.Text, known
}

// gitLeavesFile reports whether git by itself leaves a file at p; sure is false where it
// cannot say so.
func (s *plan) gitLeavesFile(p vault.Path) (file, sure bool) {
	text, known := s.mergeAgain(ReplayMerge, p)
	return text != nil, known && !s.blind
}

// triple holds the three versions that git gives to a merge driver. It is empty if git
// does not ask one, since only one side changed the file.
type triple struct{ base, ours, theirs []byte }

// driverVersions returns what git gives to a driver for the file at p: of a file that moved,
// or of one that it takes for that, versions from elsewhere.
func (s *plan) driverVersions(p vault.Path) (v triple, known bool) {
	text, known := s.mergeAgain(ReplayVersions, p)
	return versionsIn(text), known
}

// driven reports whether m is our driver's merge of the versions, in a person's merge or
// in one of ours.
func (v triple) driven(m []byte) bool {
	if v.ours == nil {
		return false
	}
	for _, both := range [...]bool{false, true} {
		if merge.WithoutMarkerNames(merge.Merge(v.base, v.ours, v.theirs, merge.Options{Both: both}).Text) == merge.WithoutMarkerNames(m) {
			return true
		}
	}
	return false
}

// hasSides reports whether the two sides' versions are these.
func (v triple) hasSides(a, b []byte) bool {
	return v.ours != nil && (bytes.Equal(v.ours, a) && bytes.Equal(v.theirs, b) || bytes.Equal(v.ours, b) && bytes.Equal(v.theirs, a))
}

// versionsIn takes a text of [ReplayVersions] apart. For any other text it returns an
// empty triple.
func versionsIn(text []byte) triple {
	var sizes [3]int
	for i := range sizes {
		line, rest, found := bytes.Cut(text, []byte("\n"))
		n, err := strconv.Atoi(string(bytes.TrimSpace(line)))
		if !found || err != nil || n < 0 || n > len(rest) {
			return triple{}
		}
		sizes[i], text = n, rest
	}
	if len(text) != sizes[0]+sizes[1]+sizes[2] {
		return triple{}
	}
	ours := text[sizes[0]:]
	return triple{text[:sizes[0]], ours[:sizes[1]:sizes[1]], ours[sizes[1]:]}
}

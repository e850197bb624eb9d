package findings

import (
	"cmp"
	"slices"
	"strings"

	"github.com/cp-memory/cp/vault/recall"
)

// Near is how many lines two findings may lie apart and still be one.
const Near = 3

// Measure tells which texts say nearly the same, as `add` does. It keeps what it has read of
// each text. Without an analyser only equal texts are alike.
type Measure struct {
	analyse recall.Analyse
	terms   map[string]recall.Terms
}

// NewMeasure returns a measure that takes the words from an analyser, which may be nil.
func NewMeasure(analyse recall.Analyse) *Measure {
	return &Measure{analyse: analyse, terms: make(map[string]recall.Terms)}
}

// IsAlike reports whether two texts say nearly the same.
func (m *Measure) IsAlike(a, b string) bool {
	if strings.EqualFold(strings.Join(strings.Fields(a), " "), strings.Join(strings.Fields(b), " ")) {
		return true
	}
	return m.analyse != nil && m.termsOf(a).Overlap(m.termsOf(b)) >= recall.AlikeFrom
}

func (m *Measure) termsOf(text string) recall.Terms {
	t, ok := m.terms[text]
	if !ok {
		t = recall.TermsOf(text, m.analyse)
		m.terms[text] = t
	}
	return t
}

// Overlaps reports whether two findings overlap: they are of one category, in one file, at most
// [Near] lines apart, and their summaries say nearly the same.
func (m *Measure) Overlaps(a, b *Finding) bool {
	return isSamePlace(a, b) && m.IsAlike(a.Summary, b.Summary)
}

// isSamePlace reports whether two findings of one category are in the same place.
func isSamePlace(a, b *Finding) bool {
	return a.Category == b.Category && a.File == b.File && (a.Line == 0) == (b.Line == 0) && distance(a.Line, b.Line) <= Near
}

// distance is how many lines two lie apart.
func distance(a, b int) int { return max(a-b, b-a) }

// Merge makes overlapping findings one, and returns them with the worst first. The worst of
// those that overlap gives summary and place, the first one among equals; the others give
// their tags and the texts that it has not.
func (m *Measure) Merge(all []Finding) (out []Finding) {
	places := make(map[[2]string][]int) // in out, by category and file
	for _, f := range sortFindings(all) {
		key := [2]string{f.Category, f.File}
		i := slices.IndexFunc(places[key], func(i int) bool { return m.Overlaps(&out[i], &f) })
		if i >= 0 {
			out[places[key][i]].takeFinding(&f)
			continue
		}
		places[key] = append(places[key], len(out))
		out = append(out, f)
	}
	return out
}

// takeFinding adds what another finding says.
func (f *Finding) takeFinding(other *Finding) {
	f.Details, f.Remediation = both(f.Details, other.Details), both(f.Remediation, other.Remediation)
	f.Tags = slices.Clone(f.Tags)
	for _, t := range other.Tags {
		if !slices.Contains(f.Tags, t) {
			f.Tags = append(f.Tags, t)
		}
	}
}

// both returns two texts, one below the other; one that stands in the other already is left
// out.
func both(a, b string) string {
	switch {
	case strings.Contains(a, b):
		return a
	case strings.Contains(b, a):
		return b
	}
	return a + "\n\n" + b
}

// order tells which of two findings comes first: the worse one, then by category, place and text.
func order(a, b *Finding) int {
	return cmp.Or(Rank(a.Severity)-Rank(b.Severity), categoryRank(a.Category)-categoryRank(b.Category),
		strings.Compare(a.File, b.File), a.Line-b.Line, strings.Compare(a.Summary, b.Summary), strings.Compare(a.Details, b.Details))
}

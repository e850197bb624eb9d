package findings

import (
	"cmp"
	"slices"
	"strings"

	"github.com/cp-memory/cp/vault"
)

// Pattern is what reviews have found more than once.
type Pattern struct {
	Summary  string     `json:"summary"`
	Category string     `json:"category"`
	Severity string     `json:"severity"` // the worst of them
	Seen     int        `json:"seen"`     // how often: once for each finding, and once more for each later review that found it
	Open     int        `json:"open"`     // findings that are not resolved
	Files    []string   `json:"files"`
	IDs      []vault.ID `json:"ids"`
}

// Patterns gathers the findings of one category whose summaries say nearly the same, wherever
// they are, and returns those that were seen at least twice, the most frequent first.
func (m *Measure) Patterns(all []Known) []Pattern {
	groups := make(map[string][]*Pattern)
	var order []*Pattern
	for i := range all {
		k := &all[i]
		same := groups[k.Category]
		at := slices.IndexFunc(same, func(p *Pattern) bool { return m.IsAlike(p.Summary, k.Summary) })
		if at < 0 {
			p := &Pattern{Summary: k.Summary, Category: k.Category, Severity: k.Severity, Files: []string{}}
			groups[k.Category], order, at = append(same, p), append(order, p), len(same)
		}
		groups[k.Category][at].addFinding(k)
	}
	out := []Pattern{}
	for _, p := range order {
		if p.Seen > 1 {
			slices.Sort(p.Files)
			out = append(out, *p)
		}
	}
	slices.SortStableFunc(out, func(a, b Pattern) int {
		return cmp.Or(b.Seen-a.Seen, Rank(a.Severity)-Rank(b.Severity), strings.Compare(a.Summary, b.Summary))
	})
	return out
}

// addFinding adds a finding.
func (p *Pattern) addFinding(k *Known) {
	p.Seen += k.CountReviews()
	if k.Open() {
		p.Open++
	}
	if Rank(k.Severity) < Rank(p.Severity) {
		p.Severity = k.Severity
	}
	if k.File != "" && !slices.Contains(p.Files, k.File) {
		p.Files = append(p.Files, k.File)
	}
	p.IDs = append(p.IDs, k.ID)
}

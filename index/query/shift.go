package query

import (
	"cmp"
	"slices"
	"strings"

	"github.com/cp-memory/cp/vault"
)

// Offer is a memory that offers a name.
type Offer struct {
	Path vault.Path
	Rank int
}

// by says how the name is made.
func (o Offer) by() vault.By {
	whole := o.Path.Stem()
	if o.Rank > rankFolder && o.Rank < RankTitle {
		whole = o.Path.Dir()
	}
	switch {
	case o.Rank == RankID, o.Rank >= RankTitle:
		return vault.ByName
	case strings.Contains(string(whole), "/") && (o.Rank == RankPath || o.Rank == rankFolder+o.Path.FolderRank()):
		return vault.ByTop
	}
	return vault.ByEnd
}

// NamesShifted are the names of files that move, come or go: what they offer before and after.
type NamesShifted struct {
	rows    map[vault.Path]bool // whose names in the mirror do not count
	goes    map[vault.Path]vault.Path
	was, is map[int64][]Offer
}

// ShiftNames returns the names of shifts, of which none is a folder; each has its id and title.
func ShiftNames(all []vault.Shift) *NamesShifted {
	s := &NamesShifted{make(map[vault.Path]bool), make(map[vault.Path]vault.Path), make(map[int64][]Offer), make(map[int64][]Offer)}
	for _, f := range all {
		s.rows[f.Row], s.goes[f.Was] = true, f.Is
		for _, n := range NamesOf(f.Was, f.ID, f.Title) {
			s.was[n.Key] = append(s.was[n.Key], Offer{f.Was, n.Rank})
		}
		for _, n := range NamesOf(f.Is, f.ID, f.Title) {
			s.is[n.Key] = append(s.is[n.Key], Offer{f.Is, n.Rank})
		}
	}
	return s
}

// Keys returns the keys of all names.
func (s *NamesShifted) Keys() (keys []int64) {
	for key := range s.was {
		keys = append(keys, key)
	}
	for key := range s.is {
		if s.was[key] == nil {
			keys = append(keys, key)
		}
	}
	return keys
}

// Lead returns what a key means, given who offers it in the mirror.
func (s *NamesShifted) Lead(key int64, rows []Offer) (l vault.Lead) {
	rest := slices.DeleteFunc(slices.Clone(rows), func(o Offer) bool { return s.rows[o.Path] })
	if best, ok := bestOffer(slices.Concat(s.was[key], rest)); ok {
		l.Was, l.WasBy, l.Goes = best.Path, best.by(), best.Path
		if to, goes := s.goes[best.Path]; goes {
			l.Goes = to
		}
	}
	if best, ok := bestOffer(slices.Concat(s.is[key], rest)); ok {
		l.Is, l.IsBy = best.Path, best.by()
	}
	return l
}

// bestOffer returns the offer that a link means.
func bestOffer(all []Offer) (Offer, bool) {
	if len(all) == 0 {
		return Offer{}, false
	}
	return slices.MinFunc(all, func(a, b Offer) int { return cmp.Or(cmp.Compare(a.Rank, b.Rank), cmp.Compare(a.Path, b.Path)) }), true
}

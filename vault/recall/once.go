package recall

import "slices"

// weighNamesOnce returns the terms of a query in which a name of several parts counts once. It is asked for
// by its parts and as one word, since a text may have it otherwise: `ad-hoc` by ad, hoc and adhoc.
// Together these weigh what the rarest of them does. Else a text with the name would stand before
// one with all other words. The rank of the whole file in the index counts all of them.
func weighNamesOnce(terms []Term) []Term {
	terms = slices.Clone(terms)
	for i, whole := range terms {
		if whole.Parts == 0 {
			continue
		}
		name, most, all := terms[i-whole.Parts:i+1], 0.0, 0.0
		for _, t := range name {
			most, all = max(most, t.Rarity), all+t.Rarity
		}
		for j := range name {
			name[j].Rarity *= most / max(all, tiny)
		}
	}
	return terms
}

// inside tells of each term of a query whether it and the one before it are of one name. That
// these stand together in a text says nothing that the name does not say.
func inside(terms []Term) []bool {
	all := make([]bool, len(terms))
	for i, t := range terms {
		for j := i - t.Parts + 1; j <= i; j++ {
			all[j] = true
		}
	}
	return all
}

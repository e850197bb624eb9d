package fact

import "slices"

// Len counts the entries.
func (f *Facts) Len() int { return len(f.Entities) + len(f.Relations) }

// countUndecided counts the entries on which no person has a word.
func (f *Facts) countUndecided() int {
	return f.Len() - len(byHand(f.Entities)) - len(byHand(f.Relations))
}

// Fit drops drawn entries until the facts keep to the limits, relations first, and returns how
// many. What a person wrote or removed stays.
func (f *Facts) Fit() (dropped int) {
	f.sort()
	for drawn := f.countUndecided(); drawn > 0; drawn-- {
		over := f.Len() - MaxEntries
		if over <= 0 && len(f.Bytes()) <= MaxSize {
			break
		}
		if !dropDrawn(&f.Relations) {
			dropDrawn(&f.Entities)
		}
		dropped++
	}
	return dropped
}

// dropDrawn drops the last entry on which no person has a word, and reports whether there was one.
func dropDrawn[E entry](all *[]E) bool {
	for i, e := range slices.Backward(*all) {
		if rank(e) == 0 {
			*all = slices.Delete(*all, i, i+1)
			return true
		}
	}
	return false
}

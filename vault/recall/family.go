package recall

// The share of a relative's score that a memory gets: of its best child, its parent and
// its best sibling among the candidates.
const (
	fromChild   = 0.15
	fromParent  = 0.05
	fromSibling = 0.02
)

// shareFamilyScores gives each candidate its share of its relatives' scores.
func shareFamilyScores(all []candidate) {
	at := make(map[key]int, len(all))
	for i := range all {
		at[all[i].key()] = i
	}
	own := make([]float64, len(all))
	best := make(map[key][2]float64) // of a parent's children: the best score and the second best
	for i := range all {
		own[i] = all[i].score()
		if p := all[i].parentKey(); p.id != "" {
			best[p] = two(best[p], own[i])
		}
	}
	for i := range all {
		c := &all[i]
		c.parts.Family = fromChild * best[c.key()][0]
		if p := c.parentKey(); p.id != "" {
			sibling := best[p][0]
			if sibling == own[i] {
				sibling = best[p][1]
			}
			c.parts.Family += fromSibling * sibling
			if j, ok := at[p]; ok {
				c.parts.Family += fromParent * own[j]
			}
		}
	}
	series(all, own)
}

// parentKey is the key of the parent.
func (c *candidate) parentKey() key { return key{c.member, c.Parent} }

// two returns the best two of three scores, the best first.
func two(best [2]float64, score float64) [2]float64 {
	if score > best[0] {
		return [2]float64{score, best[0]}
	}
	return [2]float64{best[0], max(best[1], score)}
}

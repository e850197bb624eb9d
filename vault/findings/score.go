package findings

// Weights are the points that one open finding takes from the health of its category, by
// severity, the worst first.
var weights = [...]int{25, 10, 4, 1}

// Health is how well a category does.
type Health struct {
	Category string `json:"category"`
	Score    int    `json:"score"` // from 0 to 100
	Counts   [4]int `json:"counts"`
}

// Score returns the health of each category, and the health of the whole: the mean of the
// categories, rounded down. A category has 100 points; each open finding takes 25 if it is
// critical, 10 if it is high, 4 if it is medium and 1 if it is low; none has less than 0.
// Resolved findings take nothing.
func Score(all []Known) (each []Health, whole int) {
	for _, c := range Categories() {
		h := Health{Category: c, Score: 100}
		for i := range all {
			if r := Rank(all[i].Severity); all[i].Category == c && all[i].Open() && r < len(weights) {
				h.Counts[r]++
				h.Score -= weights[r]
			}
		}
		h.Score = max(h.Score, 0)
		whole += h.Score
		each = append(each, h)
	}
	return each, whole / len(each)
}

package passthrough

// Near returns the words that somebody may have meant who typed another one: those that
// begin with it, else those that are fewest edits away, two at the most and one for a
// short word.
func Near(typed string, words []string) (near []string) {
	for _, w := range words {
		if len(typed) > 2 && len(w) > len(typed) && w[:len(typed)] == typed {
			near = append(near, w)
		}
	}
	if len(near) > 0 {
		return near
	}
	least := 1
	if len(typed) > 3 {
		least = 2
	}
	for _, w := range words {
		switch d := edits(typed, w); {
		case d < least:
			near, least = append(near[:0:0], w), d
		case d == least:
			near = append(near, w)
		}
	}
	return near
}

// edits returns how many bytes have to be changed, added or dropped to turn a into b
// (Levenshtein).
func edits(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal, row[j+1] = row[j+1], min(cost, row[j+1]+1, row[j]+1)
		}
	}
	return row[len(b)]
}

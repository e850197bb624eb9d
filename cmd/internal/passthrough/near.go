package passthrough

import "github.com/cp-memory/cp/vault/spelling"

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
		switch d := spelling.Edits(typed, w); {
		case d < least:
			near, least = append(near[:0:0], w), d
		case d == least:
			near = append(near, w)
		}
	}
	return near
}

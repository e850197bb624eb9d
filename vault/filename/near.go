package filename

import "strings"

// NearWords returns the words that somebody may have meant who typed another one: those that
// begin with it, else those that are fewest edits away, two at the most and one for a
// short word.
func NearWords(typed string, words []string) (near []string) {
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
		switch d := Edits(typed, w); {
		case d < least:
			near, least = append(near[:0:0], w), d
		case d == least:
			near = append(near, w)
		}
	}
	return near
}

// longest bounds in bytes what a name is compared with.
const longest = 100

// WordMeant asks whether a near word was meant, with a space behind it: `did you mean "body"? `. A
// letter's case and - in the place of _ make no difference. It is empty where no word is near.
func WordMeant(typed string, words []string) string {
	plain := strings.NewReplacer("-", "_", " ", "_").Replace(strings.ToLower(typed[:min(len(typed), longest)]))
	near := NearWords(plain, words)
	for _, w := range words {
		if w == plain {
			near = []string{w}
		}
	}
	if len(near) == 0 {
		return ""
	}
	return `did you mean "` + strings.Join(near, `" or "`) + `"? `
}

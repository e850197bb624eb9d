package settings

import (
	"strings"

	"github.com/cp-memory/cp/vault"
)

// PrefixFor returns an id prefix of 2 to 4 letters for a project: the initials
// of its words (my-cool-app: mca), or the first letter of a single word and
// the consonant after it (penfold: pn). It is "mem" where that gives nothing.
func PrefixFor(project string) string {
	words := strings.FieldsFunc(strings.ToLower(project), func(r rune) bool { return r < 'a' || r > 'z' })
	var prefix string
	switch len(words) {
	case 0:
	case 1:
		prefix = letters(words[0])
	default:
		for _, w := range words[:min(len(words), 4)] {
			prefix += w[:1]
		}
	}
	if !vault.ValidPrefix(prefix) {
		return "mem"
	}
	return prefix
}

func letters(word string) string {
	if i := strings.IndexFunc(word[1:], func(r rune) bool { return !strings.ContainsRune("aeiou", r) }); i >= 0 {
		return word[:1] + word[1+i:2+i]
	}
	return word[:min(len(word), 2)]
}

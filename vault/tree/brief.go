package tree

import (
	"sort"

	"github.com/cp-memory/cp/vault"
)

// most are the characters that are left of a title or a phrase that is cut, at the most.
const most = 120

// BriefLine returns a title and a phrase with their ends cut so that they fit. It leaves out the
// phrase before the rest of the title. Where nothing fits one character of the title is left.
func BriefLine(title, phrase string, fits func(title, phrase string) bool) (string, string) {
	if fits(title, phrase) {
		return title, phrase
	}
	if n := longest(func(n int) bool { return fits(title, vault.Clip(phrase, n)) }); phrase != "" && n > 0 {
		return title, vault.Clip(phrase, n)
	}
	if phrase = vault.Clip(phrase, 0); fits(title, phrase) {
		return title, phrase
	}
	return vault.Clip(title, max(longest(func(n int) bool { return fits(vault.Clip(title, n), phrase) }), 1)), phrase
}

// longest returns the greatest number of characters up to most that fits, 0 for none.
func longest(fits func(characters int) bool) int {
	return sort.Search(most, func(n int) bool { return !fits(n + 1) })
}

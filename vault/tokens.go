package vault

import "unicode/utf8"

// Tokens estimates how many tokens a language model counts in text: a quarter
// of its ASCII bytes, and two thirds of a token for each other character, which
// is within a fifth of the usual byte-pair encodings for English prose, code
// and CJK text alike. It looks at each byte once and allocates nothing.
func Tokens(text string) int {
	ascii, other := 0, 0
	for i := 0; i < len(text); i++ {
		switch {
		case text[i] < utf8.RuneSelf:
			ascii++
		case utf8.RuneStart(text[i]):
			other++
		}
	}
	return (3*ascii + 8*other + 11) / 12
}

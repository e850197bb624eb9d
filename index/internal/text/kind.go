package text

import "unicode"

// kind says how a run of letters is cut into terms.
type kind int

const (
	space   kind = iota // between terms
	word                // a script with spaces, digits and the marks of names
	pairs               // Chinese, Japanese, Korean: pairs of letters
	triples             // Thai and other scripts without spaces: threes
	symbol              // an emoji: by itself
)

// kindOf tells what a run that begins with r is.
func kindOf(r rune) kind {
	switch {
	case r < 0x80:
		if asciiWord(r) {
			return word
		}
		return space
	case unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Bopomofo), r == 'ー':
		return pairs
	case unicode.In(r, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar, unicode.Tibetan, unicode.Javanese):
		if unicode.In(r, unicode.L, unicode.M, unicode.N) {
			return triples
		}
		return space
	case unicode.In(r, unicode.L, unicode.M, unicode.N):
		return word
	case unicode.Is(unicode.So, r):
		return symbol
	}
	return space
}

// holds reports whether r continues a run of this kind.
func (k kind) holds(r rune) bool {
	if k == word && (r == '_' || r == '-' || r == '.' || r == '+' || r == '#') {
		return true
	}
	return kindOf(r) == k
}

func asciiWord(r rune) bool {
	return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9'
}

// The parts that ASCII characters have in words. All others have none.
const (
	letter    = 1 << iota // a to z
	otherKind             // A to Z and digits
	trails                // what a sentence may leave at its end, and a name has within
	within                // what only a name has within
	starts    = letter | otherKind
)

// classes tells it of each byte.
var classes = func() (all [256]uint8) {
	for c := range all {
		switch {
		case c >= 'a' && c <= 'z':
			all[c] = letter
		case asciiWord(rune(c)):
			all[c] = otherKind
		case c == '_' || c == '-' || c == '.':
			all[c] = trails
		case c == '+' || c == '#':
			all[c] = within
		}
	}
	return all
}()

package secret

import (
	"bytes"
	"math"
	"slices"
)

// entropy returns the bits per byte of b: Shannon's, over the bytes it holds.
func entropy(b []byte) float64 {
	if len(b) == 0 {
		return 0
	}
	var count [256]int
	for _, c := range b {
		count[c]++
	}
	sum := 0.0
	for _, n := range count {
		if n > 0 {
			p := float64(n) / float64(len(b))
			sum -= p * math.Log2(p)
		}
	}
	return sum
}

// signs are the words that people write in place of a secret. They have four letters and
// more: a random token of 40 characters holds a given one by chance once in 25,000 times.
var signs = [...]string{
	"example", "sample", "dummy", "fake", "placeholder", "changeme", "change_me", "redacted", "your", "xxxx", "insert",
	"replace", "todo", "secret", "password", "passwd", "token", "foobar", "notreal", "deadbeef", "abc123", "censored", "...", "…",
}

// known are fragments of the examples in the services' own documents.
var known = [...]string{
	"4eC39HqLyjWDarjtT1zdp7dc", // Stripe
	"IiwibmFtZSI6IkpvaG4gRG9l", // jwt.io
}

// blanks are the signs that no token of a known form holds by chance.
var blanks = [...]string{"example", "placeholder", "changeme", "redacted", "your", "xxxxxx", "00000000", "..."}

// blank reports whether a token of a known form holds a word that says it is an example,
// or repeats one character, as 0 and x are written.
func blank(token []byte) bool {
	return holdsAny(bytes.ToLower(token), blanks[:]) || holdsAny(token, known[:])
}

// holdsAny reports whether b holds any of the texts.
func holdsAny(b []byte, texts []string) bool {
	return slices.ContainsFunc(texts, func(s string) bool { return bytes.Contains(b, []byte(s)) })
}

// placeholder reports whether b is plainly written in place of a secret.
func placeholder(b []byte) bool {
	lower := bytes.ToLower(b)
	return holdsAny(b, known[:]) || holdsAny(lower, signs[:]) || runs(lower)
}

const (
	sameRun = 5 // aaaaa
	stepRun = 6 // abcdef, 123456; 890123 too
)

// runs reports whether b counts up or repeats one character.
func runs(b []byte) bool {
	same, step := 1, 1
	for i := 1; i < len(b); i++ {
		if b[i] == b[i-1] {
			same++
		} else {
			same = 1
		}
		if b[i] == b[i-1]+1 && isAlnum(b[i]) || b[i] == '0' && b[i-1] == '9' {
			step++
		} else {
			step = 1
		}
		if same >= sameRun && isAlnum(b[i]) || step >= stepRun {
			return true
		}
	}
	return false
}

// random reports whether value has at least n characters and looks drawn, not written:
// characters of several kinds in one piece, which change from kind to kind more often than
// in words, versions and names.
func random(value []byte, n int) bool {
	if len(value) < n || bytes.ContainsAny(value, "<>{}") || placeholder(value) || isUUID(value) {
		return false
	}
	if hex := hexDigits(value); hex > 0 {
		return hex >= 32 && entropy(value) > 2.8
	}
	if isNameLike(value) {
		return false
	}
	kinds, changes := shifts(value)
	switch {
	case kinds >= 4:
		return changes >= 3
	case kinds == 3:
		return changes >= 4 || changes == 3 && len(value) >= 12
	case kinds == 2:
		return len(value) >= 16 && changes >= 5 && entropy(value) >= 3.2
	}
	return false
}

// hexDigits returns the length of b if it is hexadecimal in one case, else 0.
func hexDigits(b []byte) int {
	upper, lower := false, false
	for _, c := range b {
		switch {
		case isDigit(c):
		case 'a' <= c && c <= 'f':
			lower = true
		case 'A' <= c && c <= 'F':
			upper = true
		default:
			return 0
		}
	}
	if upper && lower {
		return 0
	}
	return len(b)
}

// isNameLike reports whether b consists of words and numbers with marks between them, as names,
// paths and versions do. In no piece do kinds mix more than in "v2", "Name" or "sha256".
func isNameLike(b []byte) bool {
	for piece := range bytes.FieldsFuncSeq(b, func(r rune) bool {
		return r == '-' || r == '_' || r == '.' || r == '/' || r == ':' || r == ',' || r == ';' || r == '(' || r == ')' || r == '[' || r == ']' || r == '\\'
	}) {
		if _, changes := shifts(piece); changes > 2 && !camel(piece) {
			return false
		}
	}
	return true
}

// camel reports whether b is WordsLikeThis, perhaps with a number at its end:
// every run of lower case is a syllable at least.
func camel(b []byte) bool {
	b = bytes.TrimRight(b, "0123456789")
	lower := 0
	for i, c := range b {
		switch {
		case 'a' <= c && c <= 'z':
			lower++
			continue
		case !('A' <= c && c <= 'Z'):
			return false
		case i > 0 && lower > 0 && lower < 2:
			return false
		}
		lower = 0
	}
	return lower == 0 || lower >= 2
}

// kinds of characters.
const (
	lower = 1 << iota
	upper
	digit
	mark
)

func kindOf(c byte) int {
	switch {
	case 'a' <= c && c <= 'z':
		return lower
	case 'A' <= c && c <= 'Z':
		return upper
	case isDigit(c):
		return digit
	}
	return mark
}

// shifts returns how many kinds of characters b has, and how often one kind
// follows another; a capital before a small letter is no change.
func shifts(b []byte) (kinds, changes int) {
	seen, last := 0, 0
	for i, c := range b {
		k := kindOf(c)
		if i > 0 && k != last && !(last == upper && k == lower) {
			changes++
		}
		seen |= k
		last = k
	}
	for ; seen > 0; seen &= seen - 1 {
		kinds++
	}
	return kinds, changes
}

// isUUID reports whether b is a UUID. Nearly every one in a text is an id, not a secret.
func isUUID(b []byte) bool {
	if len(b) != 36 {
		return false
	}
	for i, c := range b {
		dash := i == 8 || i == 13 || i == 18 || i == 23
		if dash != (c == '-') || !dash && !isDigit(c) && !('a' <= c|0x20 && c|0x20 <= 'f') {
			return false
		}
	}
	return true
}

package prose

import "unicode/utf8"

// BadLine returns the 1-based line of the first byte that is not UTF-8.
func BadLine(doc []byte) int {
	line := 1
	for len(doc) > 0 {
		r, size := utf8.DecodeRune(doc)
		switch {
		case r == utf8.RuneError && size == 1:
			return line
		case r == '\n':
			line++
		}
		doc = doc[size:]
	}
	return line
}

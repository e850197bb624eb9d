package tokens

import "unicode/utf8"

// The costs are in hundredths of a token. They are fitted to o200k by least squares, over 3,000
// English, Japanese and Chinese pages, dialogues, Thai paragraphs, Go, Python, C, JavaScript,
// JSON and YAML. What an encoding has in its table is a matter of words: a usual one is a token
// together with the space before it, and a longer one is more often two.
const (
	word   = 103 // letters from a capital on, or without one
	longer = 10  // each letter of it beyond the 6th
	long   = 30  // each one beyond the 12th, instead
	accent = 152 // each letter of it beyond ASCII, besides
	caps   = 79  // letters that are all capitals
	inCaps = 25  // each of them beyond the 3rd
	digits = 154 // three of them at the most
	sign   = 51  // the same one, however often
	lines  = 102 // the ends of lines that follow each other, with the blanks between them
	blanks = 79  // two or more of them
)

// A text of other scripts costs by the character.
const (
	han        = 86
	kana       = 74
	hangul     = 68
	wide       = 12 // punctuation of East Asia
	symbol     = 94
	cyrillic   = 39 // and Greek, Hebrew, Arabic
	thai       = 43
	devanagari = 42  // and the other scripts of India
	other      = 380 // emoji, and what is rare
)

// Count estimates the tokens of a text; only an empty one has none.
func Count(text string) int {
	cost := 0
	for i := 0; i < len(text); {
		n, c := measureRun(text[i:])
		i += n
		cost += c
	}
	return (cost + 99) / 100
}

// measureRun returns the length in bytes and the cost of what a text begins with.
func measureRun(text string) (n, cost int) {
	switch c := text[0]; {
	case lower(c) || upper(c):
		return letters(text)
	case c >= utf8.RuneSelf:
		r, size := utf8.DecodeRuneInString(text)
		if latin(r) {
			return letters(text)
		}
		return size, foreignCost(r)
	case digit(c):
		for n < len(text) && digit(text[n]) {
			n++
		}
		return n, digits * ((n + 2) / 3)
	case c == '\n':
		return newlines(text)
	case blank(c):
		for n < len(text) && blank(text[n]) {
			n++
		}
		if n == 1 {
			return n, 0 // it belongs to what follows
		}
		return n, blanks
	default:
		for n < len(text) && text[n] == c {
			n++
		}
		return n, sign
	}
}

// letters measures a word: capitals alone, or one that ends before the next capital.
func letters(text string) (n, cost int) {
	for n < len(text) && upper(text[n]) {
		n++
	}
	capitals, count, beyond := n, n, 0
	for n < len(text) {
		size := 1
		if text[n] >= utf8.RuneSelf {
			var r rune
			if r, size = utf8.DecodeRuneInString(text[n:]); !latin(r) {
				break
			}
			beyond++
		} else if !lower(text[n]) {
			break
		}
		n += size
		count++
	}
	if count == capitals && count > 1 {
		return n, caps + inCaps*max(count-3, 0)
	}
	return n, word + longer*max(min(count, 12)-6, 0) + long*max(count-12, 0) + accent*beyond
}

// newlines measures the ends of lines, and the indent of the line after them.
func newlines(text string) (n, cost int) {
	indent := 0
	for n < len(text) && (text[n] == '\n' || blank(text[n])) {
		if indent++; text[n] == '\n' {
			indent = 0
		}
		n++
	}
	if indent > 1 {
		return n, lines + blanks
	}
	return n, lines
}

func lower(c byte) bool { return c-'a' < 26 }
func upper(c byte) bool { return c-'A' < 26 }
func digit(c byte) bool { return c-'0' < 10 }
func blank(c byte) bool { return c == ' ' || c == '\t' || c == '\r' }

// latin reports whether a character is a letter of Latin script beyond ASCII.
func latin(r rune) bool { return 0xc0 <= r && r < 0x250 }

// foreignCost returns the cost of a character of another script.
func foreignCost(r rune) int {
	for _, s := range &scripts {
		if r < s.until {
			return s.cost
		}
	}
	return other
}

// scripts are ranges of Unicode, each from the end of the one before.
var scripts = [...]struct {
	until rune
	cost  int
}{
	{0x370, other}, {0x780, cyrillic}, {0x900, other}, {0xe00, devanagari}, {0xe80, thai}, {0x2000, other}, {0x2c00, symbol}, {0x3000, other},
	{0x3040, wide}, {0x3100, kana}, {0x3400, other}, {0x4dc0, han}, {0x4e00, other}, {0xa000, han}, {0xac00, other}, {0xd7b0, hangul}, {0xf900, other},
	{0xfb00, han}, {0xff00, other}, {0xfff0, wide},
}

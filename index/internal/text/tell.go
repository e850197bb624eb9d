package text

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// none is the script of what is no letter, and of scripts without spaces.
const none = -1

// scriptOf tells how a word that begins with r is cut: other for Latin letters, whose language
// the passage tells.
func scriptOf(r rune) int {
	switch {
	case r < utf8.RuneSelf:
		if r|0x20 >= 'a' && r|0x20 <= 'z' {
			return other
		}
		return none
	case !unicode.IsLetter(r), unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Bopomofo,
		unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar, unicode.Tibetan, unicode.Javanese), r == 'ー':
		return none
	case unicode.Is(unicode.Latin, r):
		return other
	case unicode.Is(unicode.Cyrillic, r):
		return russian
	case unicode.Is(unicode.Arabic, r):
		return arabic
	case unicode.Is(unicode.Tamil, r):
		return tamil
	}
	return unspaced
}

// passage is a part of a text that is of one language.
type passage struct {
	text     string
	language int
}

// passageBytes is the length from which a passage ends at the next blank line: a heading is
// of the language of what stands below it.
const passageBytes = 120

// passages cuts a text and tells the language of each passage, and of most of the text. A
// passage without stop words is of the language that most of the text is.
func passages(text string) (all []passage, most int) {
	var sizes [languages]int
	whole := text
	for len(text) > 0 {
		end := len(text)
		if end > passageBytes {
			if at := strings.Index(text[passageBytes:], "\n\n"); at >= 0 {
				end = passageBytes + at
			}
		}
		l, words := detectLanguage(text[:end])
		sizes[l] += words
		all, text = append(all, passage{text[:end], l}), text[end:]
	}
	sizes[unknown] = 0
	for l := range sizes {
		if sizes[l] > sizes[most] {
			most = l
		}
	}
	if most == unknown {
		if letters, accents := countLetters(whole); accents*50 > letters {
			most = other
		}
	}
	for i := range all {
		if all[i].language == unknown {
			all[i].language = most
		}
	}
	return all, most
}

// toldBy bounds the words of a passage that are looked at; so many that are English tell
// that it is.
const (
	toldBy = 60
	enough = 4
)

// detectLanguage returns the language of a passage in Latin letters by its stop words, and how many
// words were looked at. It is unknown where there are too few.
func detectLanguage(text string) (language, words int) {
	c := countStops(text)
	return c.language(), c.words
}

// tellQuestion is tell for a question, of which one stop word has to be enough. What so little
// tells is not certain.
func tellQuestion(text string) (language int, certain bool) {
	c := countStops(text)
	if l := c.language(); l != unknown {
		return l, true
	}
	for l := german; l < other; l++ {
		if c.hits[l] > 0 && c.hits[englishTongue] == 0 {
			return l, false
		}
	}
	return unknown, true
}

// countStops counts the stop words at the beginning of a text.
func countStops(text string) *counts {
	var c counts
	for i := 0; i < len(text) && c.words < toldBy && !c.plainly(); {
		if b := text[i]; b < utf8.RuneSelf && (b|0x20 < 'a' || b|0x20 > 'z') {
			i++
			continue
		} else if b >= utf8.RuneSelf {
			if r, size := utf8.DecodeRuneInString(text[i:]); scriptOf(r) != other {
				i += size
				continue
			}
		}
		end, plain := wordEnd(text, i)
		if c.words++; alone(text, i, end) {
			c.countWord(text[i:end], plain)
		}
		i = end
	}
	return &c
}

// alone reports whether a word is no part of a name, an address or a number. The words "io",
// "to" and "de" in those are of no language.
func alone(text string, start, end int) bool {
	before := start == 0 || strings.IndexByte(" \n\t(\"'*_>", text[start-1]) >= 0 && !suffix(text, start) || text[start-1] >= utf8.RuneSelf
	if !before || end == len(text) {
		return before
	}
	if strings.IndexByte(" \n\t,;!?)\"'*_", text[end]) >= 0 || text[end] >= utf8.RuneSelf {
		return true
	}
	return strings.IndexByte(".:", text[end]) >= 0 && (end+1 == len(text) || text[end+1] == ' ' || text[end+1] == '\n')
}

// suffix reports whether a word is the ending of a name, as Turkish sets it off: Tesla'in. What
// French sets off has a letter or two before it: l'est, qu'il.
func suffix(text string, start int) bool {
	if start < 4 || text[start-1] != '\'' {
		return false
	}
	for _, b := range []byte(text[start-4 : start-1]) {
		if b < utf8.RuneSelf && (b|0x20 < 'a' || b|0x20 > 'z') {
			return false
		}
	}
	return true
}

// wordEnd returns where the word that begins at i ends, and whether its letters are a to z.
func wordEnd(text string, i int) (end int, plain bool) {
	for end, plain = i, true; end < len(text); {
		if b := text[end] | 0x20; b >= 'a' && b <= 'z' {
			end++
			continue
		}
		if text[end] < utf8.RuneSelf {
			break
		}
		r, size := utf8.DecodeRuneInString(text[end:])
		if !unicode.In(r, unicode.L, unicode.M) {
			break
		}
		end, plain = end+size, false
	}
	return end, plain
}

// counts are the stop words that were met, of each language.
type counts struct {
	words   int
	accents bool
	hits    [languages]int
	kinds   [languages]int // different ones, two at the most
	first   [languages]string
}

// countWord counts a word.
func (c *counts) countWord(word string, plain bool) {
	c.accents = c.accents || !plain
	if n := len(word); n == 1 || n > 12 || plain && !maybe()[n][word[0]&31][word[n-1]&31] {
		return
	}
	in := stopsOf(word)
	if !plain && strings.ContainsFunc(word, isVietnamese) {
		in |= 1 << vietnamese
	}
	for l := englishTongue; in>>l != 0; l++ {
		if in>>l&1 == 0 {
			continue
		}
		if c.hits[l]++; c.hits[l] == 1 {
			c.first[l], c.kinds[l] = word, 1
		} else if c.first[l] != word {
			c.kinds[l] = 2
		}
	}
}

// isVietnamese reports whether no other language here has a letter. Unicode has a block of these.
func isVietnamese(r rune) bool { return r >= 'Ạ' && r <= 'ỹ' || r == 'ơ' || r == 'ư' }

// plainly reports whether it is English beyond doubt.
func (c *counts) plainly() bool {
	return c.hits[englishTongue] >= enough && c.words <= 5*c.hits[englishTongue] && !c.accents
}

// language is the one with the most stop words, at least two different ones and a tenth of the
// words: "die" and "des" are words of English texts, too.
func (c *counts) language() int {
	best := englishTongue
	for l := german; l < other; l++ {
		if c.hits[l] > c.hits[best] {
			best = l
		}
	}
	if c.hits[best] == 0 || best != englishTongue && (c.kinds[best] < 2 || 10*c.hits[best] < c.words) {
		return unknown
	}
	return best
}

// stopsOf returns the languages that have a word as a stop word.
func stopsOf(word string) set {
	var lower [16]byte
	for i := 0; i < len(word); i++ {
		b := word[i]
		if b >= utf8.RuneSelf {
			return stops()[strings.ToLower(word)]
		}
		lower[i] = b | 0x20
	}
	return stops()[string(lower[:len(word)])]
}

// countLetters counts the letters of a text that are Latin, and those of them with accents.
func countLetters(text string) (letters, accents int) {
	for _, r := range text {
		if scriptOf(r) == other {
			letters++
			if r >= utf8.RuneSelf {
				accents++
			}
		}
	}
	return letters, accents
}

// hasAccents reports whether a text has a Latin letter that English has not.
func hasAccents(text string) bool {
	_, accents := countLetters(text)
	return accents > 0
}

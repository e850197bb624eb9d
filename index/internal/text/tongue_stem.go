package text

import (
	"strings"

	snowball "github.com/blevesearch/snowballstem"
	sbArabic "github.com/blevesearch/snowballstem/arabic"
	sbDanish "github.com/blevesearch/snowballstem/danish"
	sbDutch "github.com/blevesearch/snowballstem/dutch"
	sbFinnish "github.com/blevesearch/snowballstem/finnish"
	sbFrench "github.com/blevesearch/snowballstem/french"
	sbGerman "github.com/blevesearch/snowballstem/german"
	sbHungarian "github.com/blevesearch/snowballstem/hungarian"
	sbItalian "github.com/blevesearch/snowballstem/italian"
	sbNorwegian "github.com/blevesearch/snowballstem/norwegian"
	sbPortuguese "github.com/blevesearch/snowballstem/portuguese"
	sbRomanian "github.com/blevesearch/snowballstem/romanian"
	sbRussian "github.com/blevesearch/snowballstem/russian"
	sbSpanish "github.com/blevesearch/snowballstem/spanish"
	sbSwedish "github.com/blevesearch/snowballstem/swedish"
	sbTamil "github.com/blevesearch/snowballstem/tamil"
	sbTurkish "github.com/blevesearch/snowballstem/turkish"
)

// stemmers are those of the languages that have one (https://snowballstem.org).
var stemmers = [languages]func(*snowball.Env) bool{
	german: sbGerman.Stem, french: sbFrench.Stem, spanish: sbSpanish.Stem, portuguese: sbPortuguese.Stem, italian: sbItalian.Stem,
	dutch: sbDutch.Stem, swedish: sbSwedish.Stem, danish: sbDanish.Stem, norwegian: sbNorwegian.Stem, finnish: sbFinnish.Stem,
	hungarian: sbHungarian.Stem, romanian: sbRomanian.Stem, turkish: sbTurkish.Stem, russian: sbRussian.Stem, arabic: sbArabic.Stem,
	tamil: sbTamil.Stem,
}

// tongueStems bounds the words whose stems are remembered: stemming costs 1 to 5 µs.
const tongueStems = 1 << 14

// stem returns the stem of a word in lower case, without its accents; "" where there is no stemmer.
func (c *Cutter) stem(word string, language int) string {
	stemmer := stemmers[language]
	if stemmer == nil {
		return ""
	}
	k := key{word, language}
	stem, ok := c.stems[k]
	if !ok {
		c.env.SetCurrent(word)
		c.env.LimitBackward, c.env.Bra, c.env.Ket = 0, 0, len(word)
		stemmer(c.env)
		if len(c.stems) >= tongueStems {
			clear(c.stems)
		}
		if stem = fold(c.env.Current()); language == german {
			stem = umlauts(stem)
		}
		c.stems[k] = stem
	}
	return stem
}

// umlauts shortens ae, oe and ue, by which ä, ö and ü are written where a keyboard has none, to
// the letter that stands for both: ueber is uber, as über is. It leaves ue alone after a vowel
// and q (neue, Quelle), as the Snowball stemmer german2 does.
func umlauts(word string) string {
	short := make([]byte, 0, len(word))
	for i := 0; i < len(word); i++ {
		short = append(short, word[i])
		if i+1 < len(word) && word[i+1] == 'e' && strings.IndexByte("aou", word[i]) >= 0 && (word[i] != 'u' || i == 0 || strings.IndexByte("aeiouq", word[i-1]) < 0) {
			i++
		}
	}
	return string(short)
}

// key is a word of a language.
type key struct {
	word     string
	language int
}

package text

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// maxTerm bounds a term in bytes: what is longer is a hash or a picture in base64.
const maxTerm = 64

// Analyser turns text into terms. It is not safe for concurrent use.
type Analyser struct {
	stems stems
	emit  func(term string)
	query bool
	parts []string // of the name that is being cut
	of    role     // what is emitted
	out   []byte   // of Text
}

// NewAnalyser returns an Analyser.
func NewAnalyser() *Analyser { return &Analyser{} }

// JoinTerms returns the terms of text, joined by single spaces, in order and with
// repetitions: what the index stores.
func (a *Analyser) JoinTerms(text string) string {
	a.out = a.out[:0]
	a.cutRuns(text, false, func(term string) {
		if len(a.out) > 0 {
			a.out = append(a.out, ' ')
		}
		a.out = append(a.out, term...)
	})
	return string(a.out)
}

// EachTerm calls emit with the terms of text, in order and with repetitions.
func (a *Analyser) EachTerm(text string, emit func(term string)) { a.cutRuns(text, false, emit) }

// cutRuns cuts text into runs of one kind and emits the terms of each.
func (a *Analyser) cutRuns(text string, query bool, emit func(string)) {
	a.query, a.emit = query, emit
	if IsASCII(text) {
		a.runASCII(text)
		return
	}
	a.cutFolded(Fold(text))
}

// cutFolded is run for any folded text.
func (a *Analyser) cutFolded(text string) {
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		k := kindOf(r)
		if k == space {
			i += size
			continue
		}
		end := i + size
		for end < len(text) && k != symbol {
			r, size = utf8.DecodeRuneInString(text[end:])
			if !k.holds(r) {
				break
			}
			end += size
		}
		a.terms(k, text[i:end])
		i = end
	}
}

// runASCII does what run does, for a text of which each byte is a character. Most words of
// most texts are small letters alone and need not be taken apart.
func (a *Analyser) runASCII(text string) {
	for i := 0; i < len(text); {
		if classes[text[i]]&starts == 0 {
			i++
			continue
		}
		start, h := i, uint64(0)
		for ; i < len(text) && classes[text[i]] == letter; i++ {
			h = hash(h, text[i])
		}
		plain := i
		for i < len(text) && classes[text[i]]&trails != 0 {
			i++
		}
		if i == len(text) || classes[text[i]] == 0 {
			if plain > start && plain-start <= maxTerm {
				a.emit(a.stems.term(text[start:plain], h))
				continue
			}
		}
		for i < len(text) && classes[text[i]] != 0 {
			i++
		}
		a.emitWord(text[start:i])
	}
}

func (a *Analyser) terms(k kind, run string) {
	switch k {
	case word:
		a.emitWord(run)
	case pairs:
		a.grams(run, 1, 2)
	case triples:
		a.grams(run, 2, 3)
	default:
		a.emit(run)
	}
}

// grams emits the overlapping sequences of small and large letters of a run.
// A query asks for the large ones only, unless the run is too short for one.
func (a *Analyser) grams(run string, small, large int) {
	runes := []rune(run)
	if len(runes) < small {
		a.emit(run)
		return
	}
	for n := small; n <= large; n++ {
		if a.query && n < large && len(runes) >= large {
			continue
		}
		for i := 0; i+n <= len(runes); i++ {
			a.emit(string(runes[i : i+n]))
		}
	}
}

// stem returns the English stem of a lower-case word; words of other
// languages and with digits pass as they are.
func (a *Analyser) stem(w string) string {
	if !letters(w) {
		return w
	}
	return a.stems.term(w, hashOf(w))
}

func letters(w string) bool {
	for i := 0; i < len(w); i++ {
		if w[i] < 'a' || w[i] > 'z' {
			return false
		}
	}
	return true
}

// Fold brings text to NFKC without the accents of Latin, Greek and Cyrillic
// letters and without invisible characters. It keeps case, which still tells
// where camelCase words begin.
func Fold(text string) string {
	return norm.NFKC.String(strings.Map(func(r rune) rune {
		if r >= 0x300 && r <= 0x36f || unicode.Is(unicode.Cf, r) {
			return -1
		}
		return r
	}, norm.NFKD.String(strings.ToValidUTF8(text, " "))))
}

// IsASCII reports whether a text has no other characters.
func IsASCII(text string) bool {
	for i := 0; i < len(text); i++ {
		if text[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

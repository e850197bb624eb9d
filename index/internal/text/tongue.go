package text

import (
	"strings"
	"unicode/utf8"

	snowball "github.com/blevesearch/snowballstem"
	"golang.org/x/text/unicode/norm"
)

// Cutter cuts texts into terms. It is not safe for concurrent use.
type Cutter struct {
	stems map[key]string
	env   *snowball.Env
	seen  map[string]bool
	terms []string

	rest *strings.Builder // the text without stop words; nil where nobody asks
	met  bool             // one has

	certain  bool // the language of what is in Latin letters
	scripted bool // there is a word in a script that tells its language
	words    []Word

	before string // the Vietnamese syllable before, in this text; "" for none
}

// NewCutter returns a Cutter.
func NewCutter() *Cutter { return &Cutter{stems: make(map[key]string), env: snowball.NewEnv("")} }

// MemoryTerms returns the terms of a memory, each once, separated by spaces: of its body, whose
// passages tell which language it is, and of its short texts, as its title. It returns ""
// where all is English.
func (c *Cutter) MemoryTerms(body string, short ...string) string {
	all, main := passages(body)
	c.resetTerms()
	for _, p := range all {
		c.cutScripts(p.text, p.language)
	}
	for _, text := range short {
		l, _ := detectLanguage(text)
		if l == unknown {
			l = main
		}
		c.cutScripts(text, l)
	}
	if len(c.terms) == 0 {
		return ""
	}
	return strings.Join(c.terms, " ")
}

// LanguageOf returns the language of most of a text, as a number for [Cutter.Short].
func LanguageOf(text string) int {
	_, most := passages(text)
	return most
}

// Short returns the terms of a short text, each once. It is of the language in which it stands
// unless its own words tell another one.
func (c *Cutter) Short(text string, language int) []string {
	if l, _ := detectLanguage(text); l != unknown {
		language = l
	}
	c.resetTerms()
	c.cutScripts(text, language)
	return c.terms
}

// Question is a question cut into terms.
type Question struct {
	Terms []string // each once; none where it is English
	Rest  string   // the question without the stop words of its language

	// Certain says that more than one word tells its language, or its script does. Else it may as
	// well be English: "os" is a stop word of Portuguese, "ai" one of Vietnamese, and accents are
	// in names. So Rest has such a word.
	Certain bool

	Words []Word // those with terms
}

// Word is a word of a question.
type Word struct {
	Written string
	Terms   []string // that no word before it has
}

// Query cuts a question.
func (c *Cutter) Query(text string) Question {
	l, certain := tellQuestion(text)
	if l == unknown && hasAccents(text) {
		l, certain = other, false
	}
	c.resetTerms()
	c.rest, c.certain = new(strings.Builder), certain
	c.cutScripts(text, l)
	q := Question{Terms: c.terms, Rest: text, Certain: certain || c.scripted, Words: c.words}
	if c.met {
		q.Rest = c.rest.String()
	}
	c.rest = nil
	return q
}

// IsForm reports whether a term is one of these, and not a word.
func IsForm(term string) bool { return term[0] == '#' || term[0] == '+' }

func (c *Cutter) resetTerms() {
	c.seen, c.terms, c.met, c.scripted, c.words, c.before = make(map[string]bool), nil, false, false, nil, ""
}

// longest bounds a word in letters: what is longer is a picture in base64.
const longest = 40

// cutScripts takes the terms of a text in which what is written in Latin letters is of a language.
func (c *Cutter) cutScripts(text string, latin int) {
	if plain := latin == englishTongue || latin == unknown; plain && IsASCII(text) {
		c.noteWord(text)
		return
	}
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		script := scriptOf(r)
		if script == none {
			c.noteWord(text[i : i+size])
			i += size
			continue
		}
		end, _ := wordEnd(text, i)
		end = max(end, i+size)
		if script == other {
			script = latin
		}
		if script != englishTongue && script != unknown {
			c.takeWord(text[i:end], script)
		} else {
			c.noteWord(text[i:end])
		}
		i = end
	}
}

// takeWord takes the terms of a word.
func (c *Cutter) takeWord(written string, language int) {
	word := norm.NFC.String(strings.ToLower(written))
	stop, scripted := stops()[word]>>language&1 != 0, language > other
	c.scripted = c.scripted || scripted
	if stop && (c.certain || scripted) {
		c.met = true
	} else {
		c.noteWord(written)
	}
	first := len(c.terms)
	switch n := utf8.RuneCountInString(word); {
	case n > longest:
	case language == vietnamese:
		c.syllable(word, stop)
	case n > 1 && !stop:
		c.cutWord(word, language)
	}
	if c.rest != nil && len(c.terms) > first {
		c.words = append(c.words, Word{written, c.terms[first:]})
	}
}

// cutWord takes the stem of a word and its sequences of three letters.
func (c *Cutter) cutWord(word string, language int) {
	if stem := c.stem(word, language); stem != "" {
		c.addTerm("#" + stem)
	}
	word = fold(word)
	if language == german {
		word = umlauts(word)
	}
	runes := []rune("." + word + ".")
	for i := 0; i+3 <= len(runes); i++ {
		c.addTerm("+" + string(runes[i:i+3]))
	}
}

// syllable takes a Vietnamese syllable with its accents, and the pair that it makes with the
// one before it. Syllables stand apart there and have no forms, most words are two of them, and
// without accents a dozen of them are one: sequences of letters find less than plain words.
func (c *Cutter) syllable(word string, stop bool) {
	if !stop {
		c.addTerm("#" + word)
	}
	if c.before != "" {
		c.addTerm("#" + c.before + "." + word)
	}
	c.before = word
}

// noteWord notes what is no stop word.
func (c *Cutter) noteWord(text string) {
	if c.rest != nil {
		c.rest.WriteString(text)
	}
}

func (c *Cutter) addTerm(term string) {
	if !c.seen[term] {
		c.seen[term] = true
		c.terms = append(c.terms, term)
	}
}

// fold takes the accents off the letters of a word.
func fold(word string) string {
	if IsASCII(word) {
		return word
	}
	return Fold(strings.ToValidUTF8(word, ""))
}

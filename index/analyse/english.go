package analyse

import "strings"

// The English stemmer of Snowball (snowballstem.org/algorithms/english/stemmer.html),
// in the version of 2012 that package kljensen/snowball has, for words of the
// letters a to z. That package looks for endings among runes and makes
// runes of each ending for it: 2 µs a word, and this one 0.2. A test holds the two
// together.

// stemmer is a word while it is stemmed. A y that is a consonant is a Y.
type stemmer struct {
	b      []byte
	r1, r2 int // where the regions begin: behind the first consonant after a vowel, and again
}

// stem returns the stem of a word of more than two letters.
func stem(word string) string {
	if s := irregular(word); s != "" {
		return s
	}
	var room [32]byte
	w := stemmer{b: append(room[:0], word...)}
	w.begin()
	w.plural()
	w.past()
	w.finalY()
	w.derived()
	w.derivedAgain()
	w.residual()
	w.finalE()
	for i, c := range w.b {
		if c == 'Y' {
			w.b[i] = 'y'
		}
	}
	if string(w.b) == word {
		return word
	}
	return string(w.b)
}

// irregular returns the stem of a word that goes by no rule; empty for others.
func irregular(word string) string {
	switch word {
	case "skis":
		return "ski"
	case "skies", "sky":
		return "sky"
	case "dying":
		return "die"
	case "lying":
		return "lie"
	case "tying":
		return "tie"
	case "idly":
		return "idl"
	case "gently":
		return "gentl"
	case "ugly":
		return "ugli"
	case "early":
		return "earli"
	case "only":
		return "onli"
	case "singly":
		return "singl"
	case "news", "howe", "atlas", "cosmos", "bias", "andes", "inning", "outing", "canning", "herring", "earring", "proceed", "exceed", "succeed":
		return word
	case "innings", "outings", "cannings", "herrings", "earrings", "proceeds", "exceeds", "succeeds":
		return word[:len(word)-1]
	case "proceeded", "exceeded", "succeeded":
		return word[:len(word)-2]
	case "proceeding", "exceeding", "succeeding":
		return word[:len(word)-3]
	}
	return ""
}

func vowel(c byte) bool {
	switch c {
	case 'a', 'e', 'i', 'o', 'u', 'y':
		return true
	}
	return false
}

// begin marks the consonants among the y and finds the regions.
func (w *stemmer) begin() {
	for i, c := range w.b {
		if c == 'y' && (i == 0 || vowel(w.b[i-1])) {
			w.b[i] = 'Y'
		}
	}
	w.r1 = w.region(0)
	for _, prefix := range [...]string{"gener", "commun", "arsen"} {
		if strings.HasPrefix(string(w.b), prefix) {
			w.r1 = len(prefix)
		}
	}
	w.r2 = w.region(w.r1)
}

func (w *stemmer) region(from int) int {
	for i := from + 1; i < len(w.b); i++ {
		if vowel(w.b[i-1]) && !vowel(w.b[i]) {
			return i + 1
		}
	}
	return len(w.b)
}

// ends returns the first of the endings that the word has, or none.
func (w *stemmer) ends(endings ...string) string {
	last := w.b[len(w.b)-1]
	for _, e := range endings {
		if n := len(w.b) - len(e); e[len(e)-1] == last && n >= 0 && string(w.b[n:]) == e {
			return e
		}
	}
	return ""
}

// in reports whether the last n letters lie in a region.
func (w *stemmer) in(region, n int) bool { return n <= len(w.b)-region }

// change puts another ending in the place of the last n letters.
func (w *stemmer) change(n int, ending string) {
	w.b = append(w.b[:len(w.b)-n], ending...)
	w.r1, w.r2 = min(w.r1, len(w.b)), min(w.r2, len(w.b))
}

// vowelBefore reports whether there is a vowel more than n letters before the end.
func (w *stemmer) vowelBefore(n int) bool {
	for i := range max(len(w.b)-n, 0) {
		if vowel(w.b[i]) {
			return true
		}
	}
	return false
}

func (w *stemmer) plural() {
	switch w.ends("sses", "ied", "ies", "us", "ss", "s") {
	case "sses":
		w.change(4, "ss")
	case "ied", "ies":
		if len(w.b) > 4 {
			w.change(3, "i")
		} else {
			w.change(3, "ie")
		}
	case "s":
		if w.vowelBefore(2) {
			w.change(1, "")
		}
	}
}

func (w *stemmer) past() {
	switch e := w.ends("eedly", "ingly", "edly", "ing", "eed", "ed"); e {
	case "eed", "eedly":
		if w.in(w.r1, len(e)) {
			w.change(len(e), "ee")
		}
	case "ed", "edly", "ing", "ingly":
		if w.vowelBefore(len(e)) {
			w.cut(len(e))
		}
	}
}

// cut takes n letters off, and gives back what they had changed: hoping is hope,
// hopping hop. The regions stay where they were.
func (w *stemmer) cut(n int) {
	r1, r2 := w.r1, w.r2
	w.change(n, "")
	switch w.ends("at", "bl", "iz", "bb", "dd", "ff", "gg", "mm", "nn", "pp", "rr", "tt") {
	case "at", "bl", "iz":
		w.b = append(w.b, 'e')
	case "":
		if w.r1 >= len(w.b) && w.short(len(w.b)) {
			w.b = append(w.b, 'e')
			r1, r2 = len(w.b), len(w.b)
		}
	default:
		w.change(1, "")
	}
	w.r1, w.r2 = min(r1, len(w.b)), min(r2, len(w.b))
}

// short reports whether the first n letters end in a short syllable.
func (w *stemmer) short(n int) bool {
	switch {
	case n == 2:
		return vowel(w.b[0]) && !vowel(w.b[1])
	case n > 2:
		c := w.b[n-1]
		return !vowel(c) && c != 'w' && c != 'x' && c != 'Y' && vowel(w.b[n-2]) && !vowel(w.b[n-3])
	}
	return false
}

func (w *stemmer) finalY() {
	n := len(w.b)
	if n > 2 && (w.b[n-1] == 'y' || w.b[n-1] == 'Y') && !vowel(w.b[n-2]) {
		w.b[n-1] = 'i'
	}
}

func (w *stemmer) derived() {
	e := w.ends("ational", "fulness", "iveness", "ization", "ousness", "biliti", "lessli", "tional", "alism", "aliti", "ation",
		"entli", "fulli", "iviti", "ousli", "anci", "abli", "alli", "ator", "enci", "izer", "bli", "ogi", "li")
	if e == "" || !w.in(w.r1, len(e)) {
		return
	}
	switch n := len(w.b); e {
	case "li":
		if n > 2 && strings.IndexByte("cdeghkmnrt", w.b[n-3]) >= 0 {
			w.change(2, "")
		}
	case "ogi":
		if n > 3 && w.b[n-4] == 'l' {
			w.change(3, "og")
		}
	default:
		w.change(len(e), derivations[e])
	}
}

var derivations = map[string]string{
	"tional": "tion", "enci": "ence", "anci": "ance", "abli": "able", "entli": "ent", "izer": "ize", "ization": "ize",
	"ational": "ate", "ation": "ate", "ator": "ate", "alism": "al", "aliti": "al", "alli": "al", "fulness": "ful",
	"ousli": "ous", "ousness": "ous", "iveness": "ive", "iviti": "ive", "biliti": "ble", "bli": "ble", "fulli": "ful", "lessli": "less",
}

func (w *stemmer) derivedAgain() {
	e := w.ends("ational", "tional", "alize", "icate", "ative", "iciti", "ical", "ful", "ness")
	if e == "" || !w.in(w.r1, len(e)) {
		return
	}
	switch e {
	case "ational":
		w.change(7, "ate")
	case "tional":
		w.change(6, "tion")
	case "alize":
		w.change(5, "al")
	case "icate", "iciti", "ical":
		w.change(len(e), "ic")
	case "ful", "ness":
		w.change(len(e), "")
	case "ative":
		if w.in(w.r2, 5) {
			w.change(5, "")
		}
	}
}

func (w *stemmer) residual() {
	e := w.ends("ement", "ance", "ence", "able", "ible", "ment", "ent", "ant", "ism", "ate", "iti", "ous", "ive", "ize", "ion", "al", "er", "ic")
	n := len(w.b)
	if e == "" || !w.in(w.r2, len(e)) || e == "ion" && (n < 4 || w.b[n-4] != 's' && w.b[n-4] != 't') {
		return
	}
	w.change(len(e), "")
}

func (w *stemmer) finalE() {
	last := len(w.b) - 1
	if w.r1 > last {
		return
	}
	switch {
	case w.b[last] == 'e' && (w.r2 <= last || !w.short(last)):
		w.change(1, "")
	case w.b[last] == 'l' && w.r2 <= last && last > 0 && w.b[last-1] == 'l':
		w.change(1, "")
	}
}

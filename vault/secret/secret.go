package secret

import (
	"bytes"
	"sync"
	"unicode/utf8"
)

// Finding is one credential in a text.
type Finding struct {
	Rule  string // what it looks like, for a sentence: "a GitHub token"
	Line  int    // 1-based
	Start int    // the credential's bytes are text[Start:End]
	End   int
	shown int // how many of its characters a message may show: the prefix that names the service
}

// maxShown bounds how many characters of a credential a message shows.
const maxShown = 4

// Hint returns the first characters of the credential in text, at most four. It is empty
// if they are part of the secret.
func (f Finding) Hint(text []byte) string {
	if f.shown == 0 {
		return ""
	}
	return string(text[f.Start:f.Start+min(f.shown, maxShown)]) + "…"
}

// String says what it looks like and how it begins.
func (f Finding) String(text []byte) string {
	if hint := f.Hint(text); hint != "" {
		return f.Rule + " (" + hint + ")"
	}
	return f.Rule
}

// FindCredentials returns the credentials in text, in their order.
func FindCredentials(text []byte) []Finding {
	var found []Finding
	begins := rules().begins
	line, counted := 1, 0
	for i := 0; i+1 < len(text); i++ {
		if begins[pairOf(text[i], text[i+1])] == 0 {
			continue
		}
		f, ok := tryRulesAt(text, i)
		if !ok {
			continue
		}
		line += bytes.Count(text[counted:f.Start], newline)
		counted, f.Line = f.Start, line
		found = append(found, f)
		i = f.End - 1
	}
	return found
}

var newline = []byte("\n")

// tryRulesAt tries the rules whose literal may stand at i.
func tryRulesAt(text []byte, i int) (Finding, bool) {
	t := rules()
	for _, r := range t.groups[t.begins[pairOf(text[i], text[i+1])]] {
		if f, ok := r.try(text, i); ok {
			return f, true
		}
	}
	return Finding{}, false
}

func pairOf(a, b byte) int { return int(a)<<8 | int(b) }

// table finds the rules to try: begins gives for a pair of bytes the number of
// the group of rules whose literals begin with it; group 0 is empty.
type table struct {
	begins *[1 << 16]uint8
	groups [][]rule
}

// rules is made when the first text is scanned: its 64 KB should not cost every command's
// start. It never changes.
var rules = sync.OnceValue(newTable)

func newTable() table {
	t := table{new([1 << 16]uint8), make([][]rule, 1)}
	enter := func(a, b byte, r rule) {
		n := &t.begins[pairOf(a, b)]
		if *n == 0 {
			*n = uint8(len(t.groups))
			t.groups = append(t.groups, nil)
		}
		t.groups[*n] = append(t.groups[*n], r)
	}
	for _, s := range shapes() {
		enter(s.literal[0], s.literal[1], s)
	}
	for _, k := range keys {
		enter(k.literal[0], k.literal[1], k)
	}
	enter(':', '/', login{})
	for _, w := range orderWords() {
		for _, a := range cases(w.word[0]) {
			for _, b := range cases(w.word[1]) {
				enter(a, b, w)
			}
		}
	}
	return t
}

func cases(c byte) []byte { return []byte{c, c - 'a' + 'A'} }

// rule tries to find a credential whose literal may stand at text[i:].
type rule interface {
	try(text []byte, i int) (Finding, bool)
}

// wordBefore reports whether the byte before i belongs to a word, so that i is in the
// middle of it.
func wordBefore(text []byte, i int) bool {
	if i == 0 {
		return false
	}
	c := text[i-1]
	if i > 1 && text[i-2] == '\\' && (c == 'n' || c == 't' || c == 'r') {
		return false // a line's end as JSON and code have it
	}
	return isAlnum(c) || c == '_' || c >= utf8.RuneSelf
}

func isAlnum(c byte) bool { return isLetter(c) || isDigit(c) }
func isDigit(c byte) bool { return '0' <= c && c <= '9' }
func isLetter(c byte) bool {
	c |= 0x20
	return 'a' <= c && c <= 'z'
}

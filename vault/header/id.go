package header

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// An identity stands under one of two keys. What a person's own id: line says is the
// identity if it can serve as one; the line is never rewritten. Beside a line that cannot
// (a list, a word with a slash, the id of another file) ours stands as cp_id:, and wins.
//
//	id: ADR-0007                 id: intro
//	                             cp_id: pf-7k2m9qx4
const (
	OwnID = "id"
	OurID = "cp_id"
)

// maxID bounds an id, in characters.
const maxID = 100

// standIn begins the ids that stand for none (new-…): no file can have one.
const standIn = "new-"

// ParseID returns s in the form in which ids are compared, kept and shown, and whether it
// can be one: at most 100 characters, a letter or digit first, then also marks and any of
// . _ : @ + -, and not new-…. The form is NFC; letters beyond ASCII are in lower case.
// Ids that differ in the case of ASCII letters are one ([pointer.FoldID]), each is shown as it
// is written.
func ParseID(s string) (id string, ok bool) {
	if len(s) > maxID*utf8.UTFMax || !utf8.ValidString(s) {
		return "", false
	}
	id = lowerBeyondASCII(norm.NFC.String(s))
	for i, r := range id {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) && (i == 0 || !unicode.IsMark(r) && !strings.ContainsRune("._:@+-", r)) {
			return "", false
		}
	}
	return id, id != "" && utf8.RuneCountInString(id) <= maxID && !StandIn(id)
}

// lowerBeyondASCII makes SQLite's NOCASE, which knows ASCII alone, compare ids as they are
// to be compared.
func lowerBeyondASCII(s string) string {
	if isASCII(s) {
		return s
	}
	return norm.NFC.String(strings.Map(func(r rune) rune {
		if r < utf8.RuneSelf {
			return r
		}
		return unicode.ToLower(r)
	}, s))
}

func isASCII(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r >= utf8.RuneSelf })
}

// Alphabet is Crockford's base32 alphabet in lower case: no i, l, o or u.
const Alphabet = "0123456789abcdefghjkmnpqrstvwxyz"

// Base32 maps each byte to one letter of [Alphabet] by its low five bits.
func Base32(b []byte) string {
	out := make([]byte, len(b))
	for i, c := range b {
		out[i] = Alphabet[c&31]
	}
	return string(out)
}

// StandIn reports whether an id begins as those do that stand for none.
func StandIn(id string) bool {
	return len(id) >= len(standIn) && strings.EqualFold(id[:len(standIn)], standIn)
}

// IdentityOf returns the identity that a header gives its file; empty for none. What is
// there of a broken header counts.
func IdentityOf(h *Header) string {
	for _, key := range [...]string{OurID, OwnID} {
		if value, ok := h.Get(key); ok {
			if id, ok := ParseID(value); ok {
				return id
			}
		}
	}
	return ""
}

// SetID returns doc with the identity id. It is written as cp_id: where that key is there,
// or where the id: line says something else; instead is the id of ours that it may say and
// that gives way. A file that has the identity is not changed.
func SetID(doc []byte, id, instead string) (_ []byte, err error) {
	h, _ := Split(doc)
	if h.Err() == nil && IdentityOf(h) == id {
		return doc, nil
	}
	key := OwnID
	if own, _ := h.Get(OwnID); h.Line(OurID) > 0 || h.Line(OwnID) > 0 && (instead == "" || own != instead) {
		key = OurID
	}
	if h.IsMixed(key) { // of our own key: a person's is never written
		doc, err = DropLines(doc, key)
		if err != nil {
			return nil, err
		}
		h, _ = Split(doc)
	}
	return h.Set(doc, key, id)
}

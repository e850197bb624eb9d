package vault

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// maxSlug bounds a slug; with .md and a number it stays far below what file systems allow.
const maxSlug = 63

// Slug returns a file name without extension for a title. It matches
// ^[a-z0-9][a-z0-9-]{0,62}$, is cut at a word, and is no name that Windows reserves.
// Accents are dropped. If nothing is left of the title (another script, emoji) it is made
// from the fallback, the suffix of the memory's id.
func Slug(title, fallback string) string {
	slug := cutWord(dashed(latin(title)))
	if slug == "" {
		slug = cutWord(dashed(fallback))
	}
	switch {
	case slug == "":
		return "memory"
	case reserved(slug):
		return slug + "-memory"
	}
	return slug
}

// letters are the Latin ones that do not decompose.
var letters = strings.NewReplacer("ß", "ss", "æ", "ae", "œ", "oe", "ø", "o", "ł", "l", "đ", "d", "ð", "d", "þ", "th", "ı", "i", "ħ", "h", "'", "", "’", "")

// latin returns s in lower case with accents dropped.
func latin(s string) string {
	return letters.Replace(strings.ToLower(strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) {
			return -1
		}
		return r
	}, norm.NFKD.String(strings.ToLower(s)))))
}

// dashed returns the words of a–z and 0–9 in s joined by dashes.
func dashed(s string) string {
	return strings.Join(strings.FieldsFunc(s, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < '0' || r > '9')
	}), "-")
}

// cutWord cuts a slug to its greatest length, at a dash if it has one.
func cutWord(slug string) string {
	if len(slug) <= maxSlug {
		return slug
	}
	if i := strings.LastIndexByte(slug[:maxSlug+1], '-'); i > 0 {
		return slug[:i]
	}
	return slug[:maxSlug]
}

// reserved reports whether Windows gives the name to a device, whatever its extension.
func reserved(slug string) bool {
	switch slug {
	case "con", "prn", "aux", "nul":
		return true
	}
	port, ok := strings.CutPrefix(slug, "com")
	if !ok {
		port, ok = strings.CutPrefix(slug, "lpt")
	}
	return ok && len(port) == 1 && port[0] >= '0' && port[0] <= '9'
}

// FoldName returns a name as file systems that know neither case nor Unicode
// forms see it; two names with one result are twins.
func FoldName(s string) string {
	if !strings.ContainsFunc(s, func(r rune) bool { return r >= utf8.RuneSelf || 'A' <= r && r <= 'Z' }) {
		return s // most names
	}
	return norm.NFC.String(cases.Fold().String(norm.NFC.String(s)))
}

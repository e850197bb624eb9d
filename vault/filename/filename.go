package filename

import (
	"cmp"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// Bounds of a slug in bytes; with .md and a number it stays far below the 255 that file
// systems allow.
const (
	maxSlug    = 63
	maxForeign = 120 // of other scripts, whose letters take two to four bytes
)

// Slug returns a file name without extension for a title. It matches
// ^[a-z0-9][a-z0-9-]{0,62}$, is cut at a word, and is no name that Windows reserves.
// Accents are dropped. A title without Latin letters keeps its own: letters, marks and
// digits of any script in NFC, at most 120 bytes. If nothing is left of the title (emoji)
// it is made from the fallback, the suffix of the memory's id.
func Slug(title, fallback string) string {
	slug := cutWord(joinWithDashes(latin(title)), maxSlug)
	if !strings.ContainsFunc(slug, func(r rune) bool { return 'a' <= r && r <= 'z' }) {
		slug = cmp.Or(scriptWords(title), slug, cutWord(joinWithDashes(fallback), maxSlug))
	}
	switch {
	case slug == "":
		return "memory"
	case isReserved(slug):
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

// scriptWords returns the words of a title in its own script, joined by dashes. A mark that no
// letter stands before is dropped, and so is what nobody sees.
func scriptWords(title string) string {
	lower := norm.NFKC.String(strings.ToLower(norm.NFKC.String(strings.ToValidUTF8(title, " "))))
	var b strings.Builder
	word := false
	for _, r := range lower {
		switch is := unicode.IsLetter(r) || unicode.IsDigit(r); {
		case is || word && unicode.IsMark(r):
			b.WriteRune(r)
			word = true
		case !unicode.Is(unicode.Cf, r):
			b.WriteByte(' ')
			word = false
		}
	}
	return cutWord(strings.Join(strings.Fields(norm.NFC.String(b.String())), "-"), maxForeign)
}

// joinWithDashes returns the words of a–z and 0–9 in s joined by dashes.
func joinWithDashes(s string) string {
	return strings.Join(strings.FieldsFunc(s, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < '0' || r > '9')
	}), "-")
}

// cutWord cuts a slug to at most so many bytes, at a dash if it has one, else before a
// letter.
func cutWord(slug string, most int) string {
	if len(slug) <= most {
		return slug
	}
	if i := strings.LastIndexByte(slug[:most+1], '-'); i > 0 {
		return slug[:i]
	}
	at := most
	for r, _ := utf8.DecodeRuneInString(slug[at:]); at > 0 && (!utf8.RuneStart(slug[at]) || unicode.IsMark(r)); r, _ = utf8.DecodeRuneInString(slug[at:]) {
		at--
	}
	return slug[:at]
}

// Portable returns why Windows cannot keep a file or folder of that name, or "".
func Portable(name string) string {
	stem, _, _ := strings.Cut(strings.ToLower(name), ".")
	switch {
	case strings.ContainsAny(name, `<>:"\|?*`):
		return "holds a character that Windows does not allow in names: one of < > : \" \\ | ? *"
	case isReserved(strings.TrimRight(stem, " ")):
		return "is the name of a device on Windows"
	case strings.HasSuffix(name, ".") || strings.HasSuffix(name, " "):
		return "ends in a dot or a space, which Windows drops"
	}
	return ""
}

// isReserved reports whether Windows gives the name to a device, whatever its extension.
func isReserved(slug string) bool {
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

// Fold returns a name as file systems that know neither case nor Unicode
// forms see it; two names with one result are twins.
func Fold(s string) string {
	if !strings.ContainsFunc(s, func(r rune) bool { return r >= utf8.RuneSelf || 'A' <= r && r <= 'Z' }) {
		return s // most names
	}
	return norm.NFC.String(cases.Fold().String(norm.NFC.String(s)))
}

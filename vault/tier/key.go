package tier

import (
	"bytes"
	"crypto/sha256"
	"strings"
	"unicode"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"

	"github.com/cp-memory/cp/vault"
)

// Normal returns the text of an observation in the form in which two are compared: its
// letters, marks and digits, without regard to case and width, and one space between words.
func Normal(text string) string {
	var b strings.Builder
	for _, r := range cases.Fold().String(norm.NFKC.String(strings.ToValidUTF8(text, " "))) {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) {
			b.WriteRune(r)
		} else if !unicode.Is(unicode.Cf, r) {
			b.WriteByte(' ')
		}
	}
	return norm.NFC.String(strings.Join(strings.Fields(b.String()), " "))
}

// Key returns the id of the observation with a text. It follows from the normal form, so
// every clone draws the same one. The error tells that no words are in the text.
func Key(prefix, text string) (vault.ID, error) {
	normal := Normal(text)
	if normal == "" {
		return "", vault.Errorf(vault.CodeInvalid, "say what was observed, in words", "the observation has no words")
	}
	sum := sha256.Sum256([]byte("observation\x00" + normal))
	return vault.NewID(prefix, bytes.NewReader(sum[:]))
}

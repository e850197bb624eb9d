package query

import (
	"strings"
	"sync"
	"unicode"

	"github.com/cp-memory/cp/index/internal/text"
	"github.com/cp-memory/cp/vault"
)

// perTarget bounds the texts by which one memory calls another one.
const perTarget = 8

// AnchorsIn returns what the links of a memory call their targets. Only what is in the tree and
// open calls others anything.
func AnchorsIn(m *vault.Memory) map[vault.Reference][]string {
	if !m.InTree() || m.Status == vault.StatusClosed {
		return nil
	}
	of := make(map[vault.Reference][]string)
	for _, a := range m.Anchors {
		if text := LinkSays(a.Text, a.Target); text != "" && len(of[a.Reference]) < perTarget {
			of[a.Reference] = append(of[a.Reference], text)
		}
	}
	return of
}

// LinkSays returns the text of a link, or "" where it says nothing of the target beside what that is
// called itself.
func LinkSays(text, target string) string {
	plain := squash(text)
	path := vault.Path(target).Stem()
	switch {
	case letters(plain) < 2 || empty()[plain] || strings.Contains(text, "://"):
		return ""
	case plain == squash(target), plain == squash(string(path)), plain == squash(path.Base()):
		return ""
	}
	return text
}

// squash leaves the letters and digits of a text, in small letters and without accents: of
// "Restart loop" and "restart-loop" the same.
func squash(words string) string {
	if !text.IsASCII(words) {
		words = text.Fold(words)
	}
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, words)
}

// letters counts the letters, but looks no further than it matters.
func letters(text string) (n int) {
	for _, r := range text {
		if unicode.IsLetter(r) {
			n++
		}
	}
	return n
}

// empty are the texts that tell nothing of any target, squashed.
var empty = sync.OnceValue(func() map[string]bool {
	all := make(map[string]bool)
	for _, w := range strings.Fields(`here clickhere seehere readhere this thispage thislink thisarticle thisdocument thisdoc thissection
		thisguide thisfile thisnote thistopic link links linkhere click more readmore seemore learnmore moreinfo moreinformation moredetails
		details detail see seealso above below page article document documentation doc docs source next previous prev back top up home note
		hier dort dies diese siehe siehehier mehr weiterlesen zurück zuruck seite quelle ici lien cliquezici plus liresuite aquí aqui enlace más mas
		leermas qui clicca questo hierzo lees здесь тут ссылка далее подробнее 这里 此处 链接 點此 点击这里 こちら ここ 여기 링크`) {
		all[w] = true
	}
	return all
})

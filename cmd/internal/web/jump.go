package web

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/tree"
)

// TitleIndex is the text of all titles, phrases and paths. Its zero value is empty. It may be used
// by many at once.
type TitleIndex struct {
	mu     sync.RWMutex
	of     vault.Generation
	filled bool
	text   []byte // of each memory title, phrase and path, with a 0 behind each
	rows   []row
}

// row is where the parts of a memory begin in the text; its id is the vault's.
type row struct {
	id                        vault.ID
	title, phrase, path, next uint32
}

// Generation returns the generation of the mirror that the index is of. ok is false if it is of none.
func (x *TitleIndex) Generation() (g vault.Generation, ok bool) {
	x.mu.RLock()
	defer x.mu.RUnlock()
	return x.of, x.filled
}

// Fill makes the index anew, of the memories that all goes through. The room that the last
// one took is the first guess at what this one takes.
func (x *TitleIndex) Fill(g vault.Generation, all func(func(tree.Titled)) error) error {
	x.mu.RLock()
	text, rows := make([]byte, 0, len(x.text)+1<<16), make([]row, 0, len(x.rows)+1<<8)
	x.mu.RUnlock()
	add := func(s string) uint32 {
		at := uint32(len(text))
		text = append(append(text, strings.ReplaceAll(strings.ToLower(s), "\x00", " ")...), 0)
		return at
	}
	err := all(func(n tree.Titled) {
		r := row{id: n.ID, title: add(n.Title), phrase: add(n.Phrase), path: add(string(n.Path))}
		r.next = uint32(len(text))
		rows = append(rows, r)
	})
	if err != nil {
		return err
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	x.of, x.filled, x.text, x.rows = g, true, text, rows
	return nil
}

// ShortestQuery is how many letters a question has at least.
const ShortestQuery = 2

// TitleHit is a memory with what speaks for it.
type TitleHit struct {
	ID    vault.ID
	Score int
	place int
}

// FindTitles returns the memories that hold all words of a question, as pieces of words, the best
// first. A question that is too short finds nothing.
func (x *TitleIndex) FindTitles(question string, limit int) []TitleHit {
	words := strings.Fields(strings.ToLower(strings.ReplaceAll(question, "\x00", " ")))
	if utf8.RuneCountInString(strings.Join(words, "")) < ShortestQuery || limit < 1 {
		return nil
	}
	slices.SortStableFunc(words, func(a, b string) int { return len(b) - len(a) }) // the longest is the rarest
	x.mu.RLock()
	defer x.mu.RUnlock()
	var best []TitleHit
	asked := make([][]byte, len(words))
	for i, w := range words {
		asked[i] = []byte(w)
	}
	place := 0
	for at := 0; ; at = int(x.rows[place].next) {
		hit := bytes.Index(x.text[at:], asked[0])
		if hit < 0 {
			break
		}
		place = x.rowAtOffset(place, uint32(at+hit))
		if score := x.score(x.rows[place], asked); score > 0 {
			best = insertBest(best, TitleHit{x.rows[place].id, score, place}, limit)
		}
	}
	return best
}

// rowAtOffset returns the row that holds the offset, which is not before the row at from. It looks
// ahead in steps that double, since the next hit is often near.
func (x *TitleIndex) rowAtOffset(from int, at uint32) int {
	step := 1
	for from+step < len(x.rows) && x.rows[from+step].title <= at {
		from += step
		step *= 2
	}
	end := min(from+step, len(x.rows))
	ahead, _ := slices.BinarySearchFunc(x.rows[from:end], at, func(r row, at uint32) int {
		if r.next <= at {
			return -1
		}
		return cmp.Compare(r.title, at)
	})
	if ahead < end-from && x.rows[from+ahead].title <= at {
		return from + ahead
	}
	return from + ahead - 1
}

// insertBest puts a memory among the best ones.
func insertBest(best []TitleHit, s TitleHit, limit int) []TitleHit {
	if len(best) == limit && best[limit-1].Score >= s.Score {
		return best
	}
	at, _ := slices.BinarySearchFunc(best, s, func(a, b TitleHit) int {
		return cmp.Or(b.Score-a.Score, a.place-b.place)
	})
	best = slices.Insert(best, at, s)
	return best[:min(len(best), limit)]
}

// What speaks for a memory, for each word of the question.
const (
	inTitle, inPhrase, inPath = 40, 10, 4
	wordStart                 = 2 // times as much
	whole                     = 60
)

// score returns what speaks for a row; 0 if a word is not there.
func (x *TitleIndex) score(r row, words [][]byte) (sum int) {
	title := x.text[r.title : r.phrase-1]
	for _, w := range words {
		s := piece(title, w) * inTitle
		if s == 0 { // what is further behind counts less than any piece before it
			s = piece(x.text[r.phrase:r.path-1], w) * inPhrase
		}
		if s == 0 {
			s = piece(x.text[r.path:r.next-1], w) * inPath
		}
		if s == 0 {
			return 0
		}
		sum += s
	}
	if len(words) == 1 && bytes.Equal(title, words[0]) {
		sum += whole
	}
	return sum*1000 - min(len(title), 999) // of two alike the shorter title
}

// piece returns 0 if a text does not hold a word, 1 if it does, wordStart if a word of the
// text begins so.
func piece(text, word []byte) int {
	at := bytes.Index(text, word)
	if at < 0 {
		return 0
	}
	for at == 0 || inWord(text[:at]) {
		if at == 0 {
			return wordStart
		}
		next := bytes.Index(text[at+1:], word)
		if next < 0 {
			return 1
		}
		at += 1 + next
	}
	return wordStart
}

// inWord reports whether a text ends within a word.
func inWord(text []byte) bool {
	if c := text[len(text)-1]; c < utf8.RuneSelf {
		return c >= 'a' && c <= 'z' || c >= '0' && c <= '9'
	}
	r, _ := utf8.DecodeLastRune(text)
	return unicode.IsLetter(r) || unicode.IsDigit(r)
}

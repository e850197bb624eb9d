package text

import (
	"strings"

	"github.com/kljensen/snowball/english"
)

// stemCache bounds the words whose stems are remembered: stemming costs 1 µs,
// a look into the table 15 ns, and a vault uses few words often.
const stemCache = 1 << 15

// stems remembers the terms of lower-case English words: a hash table with open
// addressing. Its hash is worked out while a word is cut from the text, which a map
// cannot do, and half of a rebuild's words cost nothing else.
type stems struct {
	slots []stemmed // a power of two, at most half of them taken
	words int
}

type stemmed struct{ word, term string }

// hash adds a byte to the hash of a word.
func hash(h uint64, c byte) uint64 { return (h ^ uint64(c)) * 0x9e3779b97f4a7c15 }

func hashOf(word string) (h uint64) {
	for i := range len(word) {
		h = hash(h, word[i])
	}
	return h
}

// term returns the term of a word of the letters a to z, h its hash.
func (s *stems) term(word string, h uint64) string {
	if 2*s.words >= len(s.slots) {
		s.grow()
	}
	at := s.findSlot(word, h)
	if at.word == "" {
		s.words++
		at.word = strings.Clone(word)
		at.term = stemOf(at.word)
		if strings.HasPrefix(at.word, at.term) {
			at.term = at.word[:len(at.term)] // in the same cache line
		}
	}
	return at.term
}

// findSlot returns the slot of a word, or the free one where it belongs.
func (s *stems) findSlot(word string, h uint64) *stemmed {
	last := uint64(len(s.slots) - 1)
	for i := h >> 32; ; i++ {
		if at := &s.slots[i&last]; at.word == word || at.word == "" {
			return at
		}
	}
}

// grow doubles the table, or empties it where it holds as much as it may.
func (s *stems) grow() {
	old := s.slots
	if s.words >= stemCache {
		clear(old)
		s.words = 0
		return
	}
	s.slots = make([]stemmed, max(256, 2*len(old)))
	for _, slot := range old {
		if slot.word != "" {
			*s.findSlot(slot.word, hashOf(slot.word)) = slot
		}
	}
}

// stemOf returns the English stem of a word; stop words and the shortest pass as
// they are.
func stemOf(word string) string {
	if len(word) <= 2 || stopWords[word] {
		return word
	}
	return clip(english.Stem(word, true))
}

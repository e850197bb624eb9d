package static

import (
	"fmt"
	"slices"
	"unicode/utf8"
)

// unigram splits a text into the pieces whose log probabilities add up to the
// most (Kudo 2018), found by dynamic programming.
type unigram struct {
	words
	longest int // bytes of a piece
	unknown int32
	rare    float64 // the score of a character that is in no piece
	bytes   bool    // spell such a character in bytes, <0x41>
}

// rareBelow is the distance of an unknown character's score from the rarest piece's, as in
// SentencePiece.
const rareBelow = 10

func (u *unigram) tokens(text string, ids []int32) []int32 {
	path := u.best(text)
	start := len(ids)
	for end := len(text); end > 0; end = path[end].from {
		id := path[end].id
		switch {
		case id == u.unknown && u.bytes:
			ids = u.spell(text[path[end].from:end], ids)
		case id == u.unknown && len(ids) > start && ids[len(ids)-1] == id: // unknown ones in a row are one
		default:
			ids = append(ids, id)
		}
	}
	slices.Reverse(ids[start:])
	return ids
}

// step is the last piece of the best split of a beginning of the text.
type step struct {
	from  int
	id    int32
	score float64
	there bool
}

func (u *unigram) best(text string) []step {
	path := make([]step, len(text)+1)
	path[0].there = true
	for at := range text {
		_, size := utf8.DecodeRuneInString(text[at:])
		one := at + size
		single := false
		for end := one; end <= len(text) && end-at <= u.longest; {
			if id, score, ok := u.find(text[at:end]); ok {
				path[end].offer(at, id, path[at].score+score)
				single = single || end == one
			}
			if end == len(text) {
				break
			}
			_, size := utf8.DecodeRuneInString(text[end:])
			end += size
		}
		if !single {
			path[one].offer(at, u.unknown, path[at].score+u.rare)
		}
	}
	return path
}

func (s *step) offer(from int, id int32, score float64) {
	if !s.there || score > s.score {
		*s = step{from: from, id: id, score: score, there: true}
	}
}

// spell appends the pieces of the bytes, the last first. If the vocabulary does not have
// them all it appends the unknown piece.
func (u *unigram) spell(s string, ids []int32) []int32 {
	before := len(ids)
	for i := len(s) - 1; i >= 0; i-- {
		id, _, ok := u.find(fmt.Sprintf("<0x%02X>", s[i]))
		if !ok {
			return append(ids[:before], u.unknown)
		}
		ids = append(ids, id)
	}
	return ids
}

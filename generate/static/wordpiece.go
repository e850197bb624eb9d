package static

import "unicode/utf8"

// wordPiece splits a word greedily: the longest piece of the vocabulary that it
// begins with, then the longest that goes on from there. A word that cannot be
// split so, or that is too long, is unknown as a whole.
type wordPiece struct {
	words
	unknown int32
	longest int // characters of a word
}

func (w *wordPiece) tokens(word string, ids []int32) []int32 {
	if utf8.RuneCountInString(word) > w.longest {
		return append(ids, w.unknown)
	}
	before := len(ids)
	known := w.begins
	for word != "" {
		end := len(word)
		for ; end > 0; end = lastStart(word, end) {
			if id, ok := known(word[:end]); ok {
				ids = append(ids, id)
				break
			}
		}
		if end == 0 {
			return append(ids[:before], w.unknown)
		}
		word, known = word[end:], w.inside
	}
	return ids
}

// begins returns the number of a piece at the start of a word.
func (w *wordPiece) begins(piece string) (int32, bool) {
	id, _, ok := w.find(piece)
	return id, ok
}

// lastStart returns where the last character of s[:end] begins.
func lastStart(s string, end int) int {
	_, size := utf8.DecodeLastRuneInString(s[:end])
	return end - size
}

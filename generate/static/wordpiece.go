package static

import "unicode/utf8"

// wordPiece splits a word greedily: the longest piece of the vocabulary that it
// begins with, then the longest that goes on from there. A word that cannot be
// split so, or that is too long, is unknown as a whole.
type wordPiece struct {
	begin, inside map[string]int32 // pieces at the start of a word, and after it without their prefix
	unknown       int32
	longest       int // characters of a word
}

func (w *wordPiece) tokens(word string, ids []int32) []int32 {
	if utf8.RuneCountInString(word) > w.longest {
		return append(ids, w.unknown)
	}
	before := len(ids)
	vocabulary := w.begin
	for word != "" {
		end := len(word)
		for ; end > 0; end = lastStart(word, end) {
			if id, ok := vocabulary[word[:end]]; ok {
				ids = append(ids, id)
				break
			}
		}
		if end == 0 {
			return append(ids[:before], w.unknown)
		}
		word, vocabulary = word[end:], w.inside
	}
	return ids
}

// lastStart returns where the last character of s[:end] begins.
func lastStart(s string, end int) int {
	_, size := utf8.DecodeLastRuneInString(s[:end])
	return end - size
}

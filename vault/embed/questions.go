package embed

import (
	"strings"
)

// question asks for a memory by one of its names.
type question struct {
	text   string
	at     int // of the item
	vector []float32
}

// A question has at least so many words, and so many has a body that answers one.
const (
	leastWords = 2
	leastBody  = 10
)

// makeQuestions returns the questions: of each memory the first of its phrase, title and headings that no
// other memory has, too; then the second, until there are enough.
func (t *trial) makeQuestions() (all []question) {
	times := make(map[string]int)
	for _, it := range t.items {
		for _, n := range it.names {
			times[strings.ToLower(n)]++
		}
	}
	left := make([][]string, len(t.items))
	for i, it := range t.items {
		if t.countWords(it.body) < leastBody {
			continue
		}
		for _, n := range it.names {
			if times[strings.ToLower(n)] == 1 && t.countWords(n) >= leastWords {
				left[i] = append(left[i], n)
			}
		}
	}
	for more := true; more; {
		more = false
		for i := range left {
			if len(all) == MostQuestions {
				return all
			}
			if len(left[i]) > 0 {
				all, left[i], more = append(all, question{text: left[i][0], at: i}), left[i][1:], true
			}
		}
	}
	return all
}

// countWords counts the different words of a text.
func (t *trial) countWords(text string) int {
	seen := make(map[string]bool)
	t.Lexicon.Analyser()(text, func(term string) { seen[term] = true })
	return len(seen)
}

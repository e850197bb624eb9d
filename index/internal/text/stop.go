package text

import "strings"

// stopWords are the English words that tell nothing about a text: articles,
// pronouns, prepositions, auxiliaries and the words of questions. They are
// indexed, and looked for only when a query has no other word.
var stopWords = func() map[string]bool {
	words := make(map[string]bool)
	for _, w := range strings.Fields(`
		a about above after again against all also am an and any are as at be because been before being below
		between both but by can cannot could did do does doing don down during each few for from further had has
		have having he her here hers herself him himself his how i if in into is it its itself just let me more
		most my myself no nor not now of off on once only or other our ours ourselves out over own same she should
		so some such t s than that the their theirs them themselves then there these they this those through to
		too under until up very was we were what when where which while who whom why will with would you your
		yours yourself yourselves`) {
		words[w] = true
	}
	return words
}()

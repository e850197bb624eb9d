package recall

import (
	"math"
	"strings"

	"github.com/cp-memory/cp/vault"
)

// The weights of the parts of a lexical score. Each part is a sum over the query's terms
// of their rarity times a factor from 0 to 2.2. They were fitted on the labelled queries of
// `make bench-recall` in one vault and in its subtrees, each task counting as much as the
// others, and rounded; testdata/benchrecall/WEIGHTS.md tells how, and what the fit does to a
// task that it does not see.
const (
	weightDocument = 0.5  // the whole file, as the index ranks it
	weightPassage  = 0.3  // the best passage with the headings above it
	weightTitle    = 0.15 // the title
	weightExact    = 0.5  // a title all of whose words are in the query
	weightPhrase   = 0.3  // the trigger phrase
	weightKeywords = 0.25 // the header's other words
	weightLinks    = 0.05 // what links of other memories call it, and its aliases
	weightCalled   = 0.15 // a text of a link all of whose words are in the query, by the share of the query that they are
	weightNear     = 0.3  // neighbours in the query that are near each other in a passage
	weightLead     = 0.1  // the first passage
	weightShort    = 0.1  // a text that is short, since a long one has more passages to be best with
)

// A text of shortBytes is not short any more. One without a letter counts as one of tinyBytes.
const (
	shortBytes = 1000
	tinyBytes  = 200
)

// BM25's constants: how soon a repeated term counts no more, and how much more often a long
// passage has to hold it than a short one.
const (
	k1     = 1.2
	bText  = 0.75
	bField = 0.5
)

// The usual lengths of a title, a phrase, keywords and a passage, in terms. A text of that
// length counts as neither long nor short.
const (
	usualTitle    = 5
	usualPhrase   = 12
	usualKeywords = 10
	usualLinks    = 6
	usualPassage  = 100
)

// headingWeight is the weight of a term in the headings above a passage.
const headingWeight = 2

// nearness is the greatest distance of two terms that count as near, in terms.
const nearness = 8

// Parts are the parts of a lexical score, weighted; their sum is the score.
type Parts struct {
	Document float64 `json:"document"`
	Passage  float64 `json:"passage"`
	Title    float64 `json:"title"`
	Phrase   float64 `json:"phrase"`
	Keywords float64 `json:"keywords"`
	Links    float64 `json:"links"`
	Near     float64 `json:"near"`
	Short    float64 `json:"short"`
	Family   float64 `json:"family"`
}

func (p *Parts) sum() float64 {
	return p.Document + p.Passage + p.Title + p.Phrase + p.Keywords + p.Links + p.Near + p.Short + p.Family
}

// scorer scores texts against one query.
type scorer struct {
	terms   []Term
	at      map[string]int // of a term in terms
	analyse func(text string, emit func(term string))

	title, phrase, keywords, links, line, body, heading []float64 // how often each term is there
	last                                                []int     // where a term was last
	near                                                []float64 // how often a term was near its neighbour in the query
}

func newScorer(terms []Term, analyse func(string, func(string))) *scorer {
	n := len(terms)
	s := &scorer{terms: terms, analyse: analyse, at: make(map[string]int, n), last: make([]int, n),
		title: make([]float64, n), phrase: make([]float64, n), keywords: make([]float64, n), links: make([]float64, n), line: make([]float64, n), body: make([]float64, n), heading: make([]float64, n), near: make([]float64, n)}
	for i, t := range terms {
		s.at[t.Text] = i
	}
	return s
}

// scored is a memory's text under a query.
type scored struct {
	Parts
	best string // the best passage
	link string // what links call the memory, where nothing else of it has a term
	in   []bool // which of the terms were seen in the text read, or in what links call it
}

// score scores a memory with its trigger phrase and with what links call it. document is its
// score in the index.
func (s *scorer) score(m *vault.Memory, phrase string, called []string, document float64) scored {
	out := scored{in: make([]bool, len(s.terms))}
	out.Document = weightDocument * document
	size, exact := s.count(m.Title, s.title)
	out.Title = weightTitle * s.bm25(s.title, size, usualTitle, bField)
	if exact {
		out.Title += weightExact * s.held(s.title)
	}
	size, _ = s.count(phrase, s.phrase)
	out.Phrase = weightPhrase * s.bm25(s.phrase, size, usualPhrase, bField)
	size, _ = s.count(m.Keywords, s.keywords)
	out.Keywords = weightKeywords * s.bm25(s.keywords, size, usualKeywords, bField)
	link := ""
	out.Links, link = s.called(called)
	s.passages(m.Prose, &out)
	held, own := 0.0, false
	for i := range out.in {
		own = own || out.in[i] || s.title[i]+s.phrase[i]+s.keywords[i] > 0
		if out.in[i] = out.in[i] || s.title[i]+s.phrase[i]+s.keywords[i]+s.links[i] > 0; out.in[i] {
			held += s.terms[i].Rarity
		}
	}
	if !own {
		out.link = link
	}
	out.Short = weightShort * held * max(0, math.Log(shortBytes/float64(tinyBytes+len(m.Prose))))
	return out
}

// called scores what links call a memory: all of it together, and the best text of which no word
// is missing in the query, the more of the query it is. A term counts once, however many texts
// have it. It returns the text with the rarest terms, too.
func (s *scorer) called(texts []string) (score float64, text string) {
	clear(s.links)
	size, best, most := 0, 0.0, 0.0
	for _, line := range texts {
		n, exact := s.count(line, s.line)
		for i := range s.line {
			s.links[i] = max(s.links[i], min(s.line[i], 1))
		}
		held := s.held(s.line)
		if size += n; exact {
			best = max(best, held)
		}
		if held > most {
			most, text = held, line
		}
	}
	rarity := 0.0
	for _, t := range s.terms {
		rarity += t.Rarity
	}
	return weightLinks*s.bm25(s.links, size, usualLinks, bField) + weightCalled*best*min(1, best/max(rarity, tiny)), text
}

// passages scores the passages of a text.
func (s *scorer) passages(prose string, out *scored) {
	var best, lead, near float64
	first := true
	chunks(prose, func(c chunk) {
		score, close := s.passage(c, out.in)
		if score > best || out.best == "" && strings.TrimSpace(c.text) != "" {
			best, out.best = max(best, score), c.text
		}
		if first {
			lead, first = score, false
		}
		near = max(near, close)
	})
	out.Passage = weightPassage*best + weightLead*lead
	out.Near = weightNear * near
}

// passage returns the BM25 score of one passage, and a score for neighbours in the query
// that are near each other in it.
func (s *scorer) passage(c chunk, in []bool) (score, near float64) {
	clear(s.body)
	clear(s.heading)
	clear(s.near)
	for i := range s.last {
		s.last[i] = -nearness - 1
	}
	place := 0
	s.analyse(c.heading, func(term string) { s.meet(term, place, s.heading); place++ })
	s.analyse(c.text, func(term string) { s.meet(term, place, s.body); place++ })
	for i := range s.body {
		in[i] = in[i] || s.body[i]+s.heading[i] > 0
		s.body[i] += headingWeight * s.heading[i]
		if i > 0 {
			near += (s.terms[i].Rarity + s.terms[i-1].Rarity) / 2 * s.near[i] / (s.near[i] + 1)
		}
	}
	return s.bm25(s.body, place, usualPassage, bText), near
}

// meet notes a term at a place of a passage.
func (s *scorer) meet(term string, place int, counts []float64) {
	i, ok := s.at[term]
	if !ok {
		return
	}
	counts[i]++
	if i > 0 && place-s.last[i-1] <= nearness {
		s.near[i]++
	}
	if i+1 < len(s.last) && place-s.last[i+1] <= nearness {
		s.near[i+1]++
	}
	s.last[i] = place
}

// count counts the query's terms in a text. size is the number of all its terms; all
// reports whether each of them is in the query.
func (s *scorer) count(text string, counts []float64) (size int, all bool) {
	clear(counts)
	all = true
	s.analyse(text, func(term string) {
		size++
		if i, ok := s.at[term]; ok {
			counts[i]++
		} else {
			all = false
		}
	})
	return size, all && size > 0
}

// bm25 weighs counts in a text of size terms.
func (s *scorer) bm25(counts []float64, size int, usual, b float64) float64 {
	sum, norm := 0.0, k1*(1-b+b*float64(size)/usual)
	for i, n := range counts {
		if n > 0 {
			sum += s.terms[i].Rarity * n * (k1 + 1) / (n + norm)
		}
	}
	return sum
}

// held returns the summed rarity of the terms with a count.
func (s *scorer) held(counts []float64) float64 {
	sum := 0.0
	for i, n := range counts {
		if n > 0 {
			sum += s.terms[i].Rarity
		}
	}
	return sum
}

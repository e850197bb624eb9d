package recall

import (
	"math"

	"github.com/cp-memory/cp/vault"
)

// Parts are the parts of a lexical score, weighted; their sum is the score.
type Parts struct {
	Document float64 `json:"document"`
	Passage  float64 `json:"passage"`
	Title    float64 `json:"title"`
	Path     float64 `json:"path"`
	Phrase   float64 `json:"phrase"`
	Keywords float64 `json:"keywords"`
	Links    float64 `json:"links"`
	Heading  float64 `json:"heading"`
	Near     float64 `json:"near"`
	Short    float64 `json:"short"`
	Family   float64 `json:"family"`
}

func (p *Parts) sumParts() float64 {
	return p.Document + p.Passage + p.Title + p.Path + p.Phrase + p.Keywords + p.Links + p.Heading + p.Near + p.Short + p.Family
}

// scorer scores texts against one query.
type scorer struct {
	terms   []Term
	at      map[string]int // of a term in terms
	rarity  float64        // of all terms together
	analyse func(text string, emit func(term string))

	title, path, phrase, keywords, links, line, body, heading []float64 // how often each term is there

	last   []int     // where a term was last
	near   []float64 // how often a term was near its neighbour in the query
	beside []bool    // whether it stood right behind the one before it in the query
	inside []bool    // whether it and the one before it are of one name
}

func newScorer(terms []Term, analyse func(string, func(string))) *scorer {
	s := &scorer{terms: terms, analyse: analyse, at: make(map[string]int, len(terms)), last: make([]int, len(terms)), beside: make([]bool, len(terms)), inside: inside(terms)}
	for _, counts := range []*[]float64{&s.title, &s.path, &s.phrase, &s.keywords, &s.links, &s.line, &s.body, &s.heading, &s.near} {
		*counts = make([]float64, len(terms))
	}
	for i, t := range terms {
		s.at[t.Text] = i
		s.rarity += t.Rarity
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

// about is what a memory is scored by besides its own text.
type about struct {
	path     vault.Path // of its file, below the topmost project that is asked, without the ending
	phrase   string     // its trigger phrase
	called   []string   // what links call it
	document float64    // its score in the index
}

// score scores a memory.
func (s *scorer) score(m *vault.Memory, a about) scored {
	out := scored{in: make([]bool, len(s.terms))}
	out.Document = weightDocument * a.document
	size, exact := s.countTerms(m.Title, s.title)
	out.Title = weightTitle * s.bm25(s.title, size, usualTitle, bField)
	if exact {
		out.Title += weightExact * s.sumRarity(s.title)
	}
	out.Path = weightPath*s.scoreField(pathWords(a.path), s.path, usualPath) + weightFolders*s.scoreField(pathWords(a.path.Dir()), s.line, usualPath)
	out.Phrase = weightPhrase * s.scoreField(a.phrase, s.phrase, usualPhrase)
	out.Keywords = weightKeywords * s.scoreField(m.Keywords, s.keywords, usualKeywords)
	link := ""
	out.Links, link = s.scoreLinks(a.called)
	s.passages(m.Prose, &out)
	held, own := 0.0, false
	for i := range out.in {
		field := s.title[i] + s.path[i] + s.phrase[i] + s.keywords[i]
		own = own || out.in[i] || field > 0
		if out.in[i] = out.in[i] || field+s.links[i] > 0; out.in[i] {
			held += s.terms[i].Rarity
		}
	}
	if !own {
		out.link = link
	}
	out.Short = s.scoreShort(held, size, len(m.Prose))
	return out
}

// scoreShort scores a short title of so many terms, and a short text of so many bytes, of a memory that
// holds so much rarity of the query.
func (s *scorer) scoreShort(held float64, title, text int) float64 {
	if held == 0 {
		return 0
	}
	return weightBrief*s.rarity*usualTitle/(usualTitle+float64(title)) +
		weightShort*held*max(0, math.Log(shortBytes/float64(tinyBytes+text)))
}

// scoreField returns the BM25 score of a field of the usual length.
func (s *scorer) scoreField(text string, counts []float64, usual float64) float64 {
	size, _ := s.countTerms(text, counts)
	return s.bm25(counts, size, usual, bField)
}

// share is a text's share of the query, of which it holds so much rarity.
func (s *scorer) share(held float64) float64 { return min(1, held/max(s.rarity, tiny)) }

// scoreLinks scores what links call a memory: all of it together, and the best text of which no word
// is missing in the query, the more of the query it is. A term counts once, however many texts
// have it. It returns the text with the rarest terms, too.
func (s *scorer) scoreLinks(texts []string) (score float64, text string) {
	clear(s.links)
	size, best, most := 0, 0.0, 0.0
	for _, line := range texts {
		n, exact := s.countTerms(line, s.line)
		for i := range s.line {
			s.links[i] = max(s.links[i], min(s.line[i], 1))
		}
		held := s.sumRarity(s.line)
		if size += n; exact {
			best = max(best, held)
		}
		if held > most {
			most, text = held, line
		}
	}
	return weightLinks*s.bm25(s.links, size, usualLinks, bField) + weightCalled*best*s.share(best), text
}

// countTerms counts the query's terms in a text. size is the number of all its terms; all
// reports whether each of them is in the query.
func (s *scorer) countTerms(text string, counts []float64) (size int, all bool) {
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

// sumRarity returns the summed rarity of the terms with a count.
func (s *scorer) sumRarity(counts []float64) float64 {
	sum := 0.0
	for i, n := range counts {
		if n > 0 {
			sum += s.terms[i].Rarity
		}
	}
	return sum
}

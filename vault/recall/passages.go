package recall

import "strings"

// passages scores the passages of a text.
func (s *scorer) passages(prose string, out *scored) {
	var best, lead, asked, near, beside float64
	first := true
	chunks(prose, func(c chunk) {
		p := s.passage(c, out.in)
		if p.score > best || out.best == "" && strings.TrimSpace(c.text) != "" {
			best, out.best = max(best, p.score), c.text
		}
		if first {
			lead, first = p.score, false
		}
		asked, near, beside = max(asked, p.heading), max(near, p.near), max(beside, p.beside)
	})
	out.Passage = weightPassage*best + weightLead*lead
	out.Heading = weightHeading * asked * s.share(asked)
	out.Near = weightNear*near + weightBeside*beside
}

// passaged is a passage under a query.
type passaged struct {
	score   float64 // BM25, its headings included
	heading float64 // the rarity of its headings, where all their words are in the query
	near    float64 // the rarity of neighbours in the query that are near each other, the more the more often
	beside  float64 // the rarity of those that stand side by side
}

// passage scores one passage, and notes which terms are in it.
func (s *scorer) passage(c chunk, in []bool) (p passaged) {
	clear(s.body)
	clear(s.heading)
	clear(s.near)
	clear(s.beside)
	for i := range s.last {
		s.last[i] = -nearness - 1
	}
	place, all := 0, true
	s.analyse(c.heading, func(term string) { all = s.noteTerm(term, place, s.heading) && all; place++ })
	s.analyse(c.text, func(term string) { s.noteTerm(term, place, s.body); place++ })
	if all {
		p.heading = s.sumRarity(s.heading)
	}
	for i := range s.body {
		in[i] = in[i] || s.body[i]+s.heading[i] > 0
		s.body[i] += headingWeight * s.heading[i]
	}
	p.score = s.bm25(s.body, place, usualPassage, bText)
	p.near, p.beside = s.together()
	return p
}

// noteTerm notes a term at a place of a passage. It reports whether the term is in the query.
func (s *scorer) noteTerm(term string, place int, counts []float64) bool {
	i, ok := s.at[term]
	if !ok {
		return false
	}
	counts[i]++
	if i > 0 && place-s.last[i-1] <= nearness {
		s.near[i]++
		s.beside[i] = s.beside[i] || place-s.last[i-1] == 1
	}
	if i+1 < len(s.last) && place-s.last[i+1] <= nearness {
		s.near[i+1]++
	}
	s.last[i] = place
	return true
}

// together scores what was met near each other, and side by side.
func (s *scorer) together() (near, beside float64) {
	for i := 1; i < len(s.terms); i++ {
		if s.inside[i] {
			continue
		}
		rarity := (s.terms[i].Rarity + s.terms[i-1].Rarity) / 2
		near += rarity * s.near[i] / (s.near[i] + 1)
		if s.beside[i] {
			beside += rarity
		}
	}
	return near, beside
}

package text

import "slices"

// Query returns the distinct terms to look for, at most limit of them, in
// order. Stop words are left out, unless the query consists of nothing else.
func (a *Analyser) Query(query string, limit int) []string {
	var all []string
	for _, t := range a.Terms(query, limit) {
		all = append(all, t.Text)
	}
	return all
}

// Term is a term of a query.
type Term struct {
	Text string

	// Parts is how many terms right before it are parts of the name that it is as one word: go
	// and git are two of gogit. Of any other term it is 0, and of a name that the query also has
	// in one word, or of which it has a part by itself.
	Parts int
}

// role is what a term is of the word that it was cut from.
type role int

const (
	standsAlone role = iota
	part             // of a name of several
	whole            // of such a name
)

// Terms returns the terms of Query, and which of them are one name.
func (a *Analyser) Terms(query string, limit int) []Term {
	t := terms{met: make(map[string]met), names: make(map[int][]string)}
	a.cutRuns(query, true, func(text string) { t.noteTerm(text, a.of) })
	if len(t.all) == 0 {
		t.all = t.stops
	}
	for i, parts := range t.names {
		if slices.ContainsFunc(parts, func(p string) bool { return t.met[p] == byItself }) {
			t.all[i].Parts = 0
		}
	}
	return t.all[:min(len(t.all), limit)]
}

// met is how a term was met in a query.
type met int

const (
	inName met = iota + 1
	byItself
)

// terms are those of a query that have been met.
type terms struct {
	all, stops []Term
	met        map[string]met
	names      map[int][]string // of each whole in all its parts, and itself
	parts      []string         // of the name that is being cut
	added      int              // how many of them are new
}

// noteTerm notes a term.
func (t *terms) noteTerm(text string, of role) {
	before, now := t.met[text], inName
	if of == standsAlone {
		now = byItself
	}
	if now > before {
		t.met[text] = now
	}
	known, stop := before > 0, stopWords[text]
	switch {
	case stop && !known:
		t.stops = append(t.stops, Term{Text: text})
	case !stop && !known:
		t.all = append(t.all, Term{Text: text})
	}
	switch fresh := !stop && !known; of {
	case part:
		if !stop {
			t.parts = append(t.parts, text)
		}
		if fresh {
			t.added++
		}
	case whole:
		if last := len(t.all) - 1; fresh {
			t.all[last].Parts, t.names[last] = t.added, append(t.parts, text)
		}
		t.parts, t.added = nil, 0
	}
}

package recall

import (
	"strconv"

	"github.com/cp-memory/cp/vault"
)

// The share of the score of a neighbour in a series that a memory gets: of the better one
// beside it, and of the better one two places away. What is said in a turn of a conversation
// is often asked for by the words of the turn before.
const (
	fromBeside = 0.3
	fromBeyond = 0.15
)

// spot is a place in a series: files of a folder whose names are numbers alone, as 001.md.
// Names that end in a number are no series: of error codes and releases the next one is about
// something else.
type spot struct {
	member int
	folder vault.Path
	n      int
}

// spotOf returns the place of a candidate; ok is false where its name is no number.
func spotOf(c *candidate) (at spot, ok bool) {
	stem := c.Path.Stem().Base()
	if len(stem) > 6 {
		return at, false
	}
	n, err := strconv.ParseUint(stem, 10, 32)
	return spot{c.member, c.Path.Dir(), int(n)}, err == nil
}

// series gives each candidate in a series its share of its neighbours' scores, own.
func series(all []candidate, own []float64) {
	scores := make(map[spot]float64)
	for i := range all {
		if at, ok := spotOf(&all[i]); ok {
			scores[at] = own[i]
		}
	}
	if len(scores) < 2 {
		return
	}
	better := func(at spot, away int) float64 {
		return max(scores[spot{at.member, at.folder, at.n - away}], scores[spot{at.member, at.folder, at.n + away}])
	}
	for i := range all {
		if at, ok := spotOf(&all[i]); ok {
			all[i].parts.Family += fromBeside*better(at, 1) + fromBeyond*better(at, 2)
		}
	}
}

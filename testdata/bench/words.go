package main

import (
	"math/rand/v2"
	"sort"
	"strings"
)

// seed makes every corpus the same corpus.
const seed = 20261121

// vocabulary draws words by Zipf's law: the k-th is used in proportion to 1/(k+2.7).
type vocabulary struct {
	words []string
	upTo  []float64 // upTo[k] is the chance of one of the words 0 to k
}

const vocabularySize = 30_000

// common are the first words, so that the most frequent is "the".
var common = strings.Fields("the of and to a in is that for it as was with be by on not he this are or his from at which but have an had they you were")

func newVocabulary() *vocabulary {
	v := &vocabulary{words: append([]string{}, common...), upTo: make([]float64, vocabularySize)}
	syllables := strings.Fields("ba ke li mo nu ra se ti vo zu dor fen gal hin jop kar lem nis pol qua rus sol tur vex win yor")
	n := len(syllables)
	for k := 0; len(v.words) < vocabularySize; k++ {
		v.words = append(v.words, syllables[k%n]+syllables[k/n%n]+syllables[k/n/n%n]+syllables[(k+k/n)%n])
	}
	sum := 0.0
	for k := range v.upTo {
		sum += 1 / (float64(k) + 2.7)
		v.upTo[k] = sum
	}
	for k := range v.upTo {
		v.upTo[k] /= sum
	}
	return v
}

func (v *vocabulary) draw(r *rand.Rand) string {
	return v.words[sort.SearchFloat64s(v.upTo, r.Float64())]
}

// sentence draws n words.
func (v *vocabulary) sentence(r *rand.Rand, n int) string {
	words := make([]string, n)
	for i := range words {
		words[i] = v.draw(r)
	}
	return strings.Join(words, " ")
}

// Marker words stand in one note of so many.
const (
	markPermille = "zebrapermille"
	markPercent  = "zebrapercent"
	markTenth    = "zebratenth"
)

// markers returns the marker words of note i.
func markers(i int) string {
	var out []string
	for _, m := range []struct {
		every int
		word  string
	}{{1000, markPermille}, {100, markPercent}, {10, markTenth}} {
		if i%m.every == 3 {
			out = append(out, m.word)
		}
	}
	return strings.Join(out, " ")
}

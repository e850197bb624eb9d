package embed

import (
	"slices"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/recall"
)

// score is what a way of answering got, question by question.
type score struct{ reciprocal, hit []float64 }

// countAnswer counts an answer in which the memory at is looked for.
func (s *score) countAnswer(list []vault.ID, at int) {
	reciprocal, hit := 0.0, 0.0
	if n := placeInList(list, at); n > 0 {
		reciprocal = 1 / float64(n)
		if n <= 10 {
			hit = 1
		}
	}
	s.reciprocal, s.hit = append(s.reciprocal, reciprocal), append(s.hit, hit)
}

func (s *score) figures() RankFigures { return RankFigures{mean(s.reciprocal), mean(s.hit)} }

// worth is what the answer to a question is worth.
func (s *score) worth(i int) float64 { return (s.reciprocal[i] + s.hit[i]) / 2 }

func mean(all []float64) float64 {
	sum := 0.0
	for _, x := range all {
		sum += x
	}
	return sum / float64(max(len(all), 1))
}

// compareWeights compares each weight with the default.
func compareWeights(mixed []score) []TriedWeight {
	base := &mixed[slices.Index(TriedWeights, recall.DefaultWeight)]
	all := make([]TriedWeight, len(mixed))
	for i := range mixed {
		differ := make([]float64, len(base.hit))
		for q := range differ {
			differ[q] = mixed[i].worth(q) - base.worth(q)
		}
		low, high := bounds(differ)
		all[i] = TriedWeight{Weight: TriedWeights[i], RankFigures: mixed[i].figures(), Low: low, High: high}
	}
	return all
}

// draws is how many samples tell the bounds of a mean.
const draws = 2000

// bounds returns the bounds of the mean of numbers, between which 95 % of the means lie of
// samples drawn with repetition (Efron's bootstrap). The same numbers give the same bounds.
func bounds(numbers []float64) (low, high float64) {
	rng := draw(len(numbers))
	means := make([]float64, draws)
	for i := range means {
		sum := 0.0
		for range numbers {
			sum += numbers[rng.next()%uint64(len(numbers))]
		}
		means[i] = sum / float64(len(numbers))
	}
	slices.Sort(means)
	return means[draws/40], means[draws-1-draws/40]
}

// draw is a sequence of numbers by splitmix64 (Steele 2014): the same from the same start.
type draw uint64

func (d *draw) next() uint64 {
	*d += 0x9e3779b97f4a7c15
	z := uint64(*d)
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// chooseWeight returns the default weight unless others are better by more than chance. Of these it
// takes the one that is surely better by most: the one with the greatest lower bound.
func chooseWeight(all []TriedWeight) float64 {
	best, most := recall.DefaultWeight, 0.0
	for _, t := range all {
		if t.Low > most {
			best, most = t.Weight, t.Low
		}
	}
	return best
}

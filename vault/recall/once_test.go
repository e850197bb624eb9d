package recall

import (
	"slices"
	"testing"

	"github.com/cp-memory/cp/vault"
)

// adhoc are the terms of "quick ad-hoc change".
func adhoc() []Term {
	return []Term{{Text: "quick", Rarity: 2}, {Text: "ad", Rarity: 2}, {Text: "hoc", Rarity: 4}, {Text: "adhoc", Rarity: 6, Parts: 2}, {Text: "change", Rarity: 1}}
}

func TestANameCountsOnce(t *testing.T) {
	terms := adhoc()
	var got []float64
	for _, term := range weighNamesOnce(terms) {
		got = append(got, term.Rarity)
	}
	if want := []float64{2, 1, 2, 3, 1}; !slices.Equal(got, want) {
		t.Errorf("the terms weigh %v, want %v", got, want)
	}
	if terms[1].Rarity != 2 {
		t.Error("the terms of the caller were changed")
	}
	for _, term := range weighNamesOnce([]Term{{Text: "go"}, {Text: "git"}, {Text: "gogit", Parts: 2}}) {
		if term.Rarity != 0 {
			t.Errorf("%s is in no file and weighs %v", term.Text, term.Rarity)
		}
	}
}

// The terms of one name are not near each other: a text that has it once has them all.
func TestANameIsNotNearItself(t *testing.T) {
	s := newScorer(weighNamesOnce(adhoc()), plainly)
	near := func(text string) float64 { return s.score(&vault.Memory{Prose: text}, about{}).Near }
	if got := near("ad hoc adhoc"); got != 0 {
		t.Errorf("a name alone is near itself by %v", got)
	}
	if before, after := near("quick ad hoc adhoc"), near("ad hoc adhoc change"); before <= 0 || after <= 0 {
		t.Errorf("the words before and after it are near it by %v and %v", before, after)
	}
}

// A text with the other words is before one that has the name alone.
func TestANameDoesNotStandForTheOtherWords(t *testing.T) {
	s := newScorer(weighNamesOnce([]Term{{Text: "quick", Rarity: 2}, {Text: "fix", Rarity: 2}, {Text: "ad", Rarity: 2}, {Text: "hoc", Rarity: 3}, {Text: "adhoc", Rarity: 4, Parts: 2}}), plainly)
	score := func(title, text string) float64 {
		found := s.score(&vault.Memory{Header: vault.Header{Title: title}, Prose: text}, about{})
		return found.sumParts()
	}
	if words, name := score("quick fix", "a quick fix of a worker"), score("other", "an ad hoc adhoc fix of it"); words <= name {
		t.Errorf("two words and the title give %v, the name and a word %v", words, name)
	}
}

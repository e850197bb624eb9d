package analyse

import (
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/kljensen/snowball/english"
)

// TestStemIsSnowballs compares our stems with the library's, for words that are
// put together at random from what the algorithm looks for and from letters.
func TestStemIsSnowballs(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 1))
	parts := []string{"gener", "commun", "arsen", "y", "ay", "sky", "e", "ee", "ing", "ed", "ly", "li", "ational", "ization", "fulness", "iveness", "ousness",
		"biliti", "lessli", "alism", "ator", "enci", "anci", "abli", "entli", "ogi", "log", "icate", "iciti", "ical", "ful", "ness", "ative", "alize", "ement", "ment", "ent",
		"able", "ible", "ion", "sion", "tion", "al", "ll", "er", "ic", "iz", "at", "bl", "tt", "pp", "ss", "sses", "ies", "ied", "us", "s", "hop", "fix", "tow", "o", "i", "u"}
	check := func(word string) {
		if len(word) <= 2 {
			return
		}
		if got, want := stem(word), english.Stem(word, true); got != want {
			t.Fatalf("%q: got %q, want %q", word, got, want)
		}
	}
	for _, word := range strings.Fields(`skis skies sky dying lying tying idly gently ugly early only singly news howe atlas cosmos bias andes
		inning innings outing outings canning cannings herring herrings earring earrings proceed proceeds proceeded proceeding
		exceed exceeds exceeded exceeding succeed succeeds succeeded succeeding`) {
		check(word)
	}
	for range 200_000 {
		word := ""
		for range 1 + random.IntN(5) {
			if random.IntN(2) == 0 {
				word += parts[random.IntN(len(parts))]
			} else {
				word += string("etaoinshrdlucmfwypvbgkjqxz"[random.IntN(26)])
			}
		}
		check(word)
	}
}

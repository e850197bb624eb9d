package query

import (
	"testing"

	"github.com/cp-memory/cp/vault/family"
)

// What a question that may be English has in other languages counts by the share of the rows with
// its words that can be in one.
func TestLikely(t *testing.T) {
	for _, row := range []struct {
		name, question string
		with           map[string]int64
		want           float64
	}{
		{"English", "how to upgrade", nil, 1},
		{"two stop words", "wo ist der Hut", map[string]int64{"hut": 9}, 1},
		{"a script", "OS сервер", map[string]int64{"сервер": 9}, 1},
		{"no row has it in another language", "OS hut", map[string]int64{"hut": 9, "#hut": 1}, 0},
		{"all rows have", "OS hut", map[string]int64{"hut": 9, "#hut": 12, "+.hu": 20, "+hut": 12, "+ut.": 30}, 1},
		{"some have all its forms", "OS hut", map[string]int64{"hut": 8, "#hut": 4, "+.hu": 2, "+hut": 4, "+ut.": 9}, .25},
		{"it is there in another form alone", "OS hut", map[string]int64{"#hut": 4, "+.hu": 2, "+hut": 4, "+ut.": 9}, 1},
		{"nobody has it", "OS hut", nil, 1},
		{"one word of two", "OS hut tor", map[string]int64{"hut": 8, "#hut": 8, "+.hu": 8, "+hut": 8, "+ut.": 8, "tor": 5}, .5},
	} {
		t.Run(row.name, func(t *testing.T) {
			if got := ParseQuestion(row.question, 64).likely(&family.Sums{Rows: 100, With: row.with}); got != row.want {
				t.Errorf("got %v, want %v", got, row.want)
			}
		})
	}
}

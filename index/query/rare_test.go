package query_test

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/cp-memory/cp/index/query"
	"github.com/cp-memory/cp/index/sqlite"
)

// world is a full-text index in which term(i) is in rows[i] rows.
func world(t *testing.T, rows []int, ask func(*sqlite.Tx)) {
	t.Helper()
	db, err := sqlite.Memory()
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	err = sqlite.Do(t.Context(), db, "BEGIN", func(tx *sqlite.Tx) error {
		tx.Exec(`CREATE VIRTUAL TABLE docs USING fts5(body)`)
		for i, n := range rows {
			for range n {
				tx.Exec(`INSERT INTO docs VALUES (?)`, term(i))
			}
		}
		if tx.Err() == nil {
			ask(tx)
		}
		return tx.Err()
	})
	if err != nil {
		t.Fatal(err)
	}
}

// plain is the definition: all rows are counted, the rarest terms are taken while they are in
// few enough rows together, and where no term is, one that is in too many.
func plain(rows []int, least int) (out []string) {
	var order []int
	common := -1
	for i, n := range rows {
		if n > query.RareRows && common < 0 {
			common = i
		}
		if n >= least && n <= query.RareRows {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(rows[a], rows[b]) })
	all := 0
	for _, i := range order[:min(len(order), 5)] {
		if all += rows[i]; all > query.RareRows {
			break
		}
		out = append(out, term(i))
	}
	if len(out) == 0 && common >= 0 {
		out = []string{term(common)}
	}
	return out
}

func TestTheRarestTerms(t *testing.T) {
	fixed := [][]int{
		{}, {0}, {1}, {2}, {700}, {700, 600}, {0, 700}, {1, 700}, {100, 101, 99, 100, 100, 1},
		{101, 101, 101, 101, 101}, {500, 1}, {500, 2}, {3, 3, 3, 700, 200, 150, 120}, {501, 500, 499},
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range 12 {
		rows := make([]int, r.IntN(9))
		for i := range rows {
			rows[i] = []int{r.IntN(4), r.IntN(120), r.IntN(700)}[r.IntN(3)]
		}
		fixed = append(fixed, rows)
	}
	for _, rows := range fixed {
		terms := make([]string, len(rows))
		for i := range rows {
			terms[i] = term(i)
		}
		world(t, rows, func(tx *sqlite.Tx) {
			var f query.RareFinder
			for _, there := range []bool{false, true, false} { // the last with what was kept
				least := 1
				if there {
					least = 2
				}
				got, err := f.Terms(tx, strings.Join(terms, " "), there)
				if want := plain(rows, least); err != nil || !slices.Equal(got, want) {
					t.Errorf("rows %v, there %v: %v, %v; want %v", rows, there, got, err, want)
				}
			}
		})
	}
}

// term is a word that the analyser leaves as it is.
func term(i int) string { return "kx" + string(rune('a'+i)) }

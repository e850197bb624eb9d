package query_test

import (
	"cmp"
	"database/sql"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/cp-memory/cp/index/internal/text"
	"github.com/cp-memory/cp/index/query"
	"github.com/cp-memory/cp/index/sqlite"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/family"
)

// words are terms of all sorts, the first ones common and the last ones rare.
var words = strings.Fields("the note run restart deploy c++ node.js 検索 索引 🚀 a.b+c worker alloc nomad gateway x1 café zz")

// corpus returns so many rows of random terms.
func corpus(r *rand.Rand, rows int) []query.DocRow {
	all := make([]query.DocRow, rows)
	for i := range all {
		all[i].N = int64(i + 1)
		for c := range all[i].Columns {
			var b strings.Builder
			for range r.IntN(1 + []int{6, 4, 3, 9, 60, 4}[c]) {
				b.WriteString(words[min(r.IntN(len(words)), r.IntN(len(words)))] + " ")
			}
			all[i].Columns[c] = b.String()
		}
	}
	return all
}

// table fills a full-text table as the mirror does. Every fifth row is written twice.
func table(t *testing.T, rows []query.DocRow) *sql.DB {
	t.Helper()
	if err := query.InstallScoring(); err != nil {
		t.Fatal(err)
	}
	schema, err := os.ReadFile("../schema.sql")
	if err != nil {
		t.Fatal(err)
	}
	_, made, ok := strings.Cut(string(schema), "-- Terms of package analyse")
	made, _, more := strings.Cut(made, "-- For people")
	if !ok || !more {
		t.Fatal("the table docs is not where it was in schema.sql")
	}
	db, err := sqlite.Memory()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	in(t, db, sqlite.Write, func(tx *sqlite.Tx) {
		tx.Exec("--" + made + query.AnchorTables)
		for _, r := range rows { // what links call some of them
			if called := strings.Fields(r.Columns[1]); len(called) > 0 && r.N%3 == 0 {
				tx.Exec(`INSERT INTO anchors (n, texts, size, made) VALUES (?, ?, ?, 1)`, r.N, r.Columns[1], len(called))
				tx.Exec(`INSERT INTO anchor_terms (rowid, terms) VALUES (?, ?)`, r.N, r.Columns[1])
			}
		}
		var b query.DocBatch
		for _, r := range rows {
			b.Add(tx, r)
		}
		b.Flush(tx)
		for _, r := range rows {
			if r.N%5 == 0 {
				b.Drop(r.N)
				b.Add(tx, r)
			}
		}
		b.Flush(tx)
	})
	return db
}

func in(t *testing.T, db *sql.DB, begin string, fn func(*sqlite.Tx)) {
	t.Helper()
	if err := sqlite.Do(t.Context(), db, begin, func(tx *sqlite.Tx) error { fn(tx); return tx.Err() }); err != nil {
		t.Fatal(err)
	}
}

type hit struct {
	n     int64
	score float64
}

// best returns all rows that match, the best first.
func best(t *testing.T, db *sql.DB, terms []string, s *family.Sums) (hits []hit) {
	t.Helper()
	in(t, db, sqlite.Read, func(tx *sqlite.Tx) {
		var asked query.AskedQuestion
		for _, term := range terms {
			asked.Words = append(asked.Words, text.Term{Text: term})
		}
		q, err := query.RankedQuery(tx, asked, vault.ListOptions{Sums: s})
		tx.Fail(err)
		hits, _ = sqlite.All(tx, `SELECT rowid, -rank `+q.From()+` ORDER BY rank, rowid`, q.Args(), func(r *sqlite.Row) hit { return hit{r.Int64(), r.Float()} })
	})
	return hits
}

func sumsOf(t *testing.T, db *sql.DB, terms []string) (s *family.Sums) {
	t.Helper()
	in(t, db, sqlite.Read, func(tx *sqlite.Tx) {
		var err error
		s, err = query.SumsOf(tx, terms)
		tx.Fail(err)
	})
	return s
}

// A table that is split in any way scores its rows as the whole does, to the last bit, and
// the whole by its own sums as bm25() does.
func TestTheSumsScoreAsOneTable(t *testing.T) {
	seed := rand.Uint64()
	r := rand.New(rand.NewPCG(seed, 1))
	rows := corpus(r, 300)
	whole := table(t, rows)
	parts := make([][]query.DocRow, 5) // of uneven size, one of them empty
	for i := range rows {
		p := min(r.IntN(4), r.IntN(4))
		parts[p] = append(parts[p], rows[i])
	}
	tables := make([]*sql.DB, len(parts))
	for i := range parts {
		tables[i] = table(t, parts[i])
	}
	for range 100 {
		terms := slices.Clone(words)
		r.Shuffle(len(terms), func(i, j int) { terms[i], terms[j] = terms[j], terms[i] })
		terms = append(terms[:1+r.IntN(6)], "nowhere")
		want := best(t, whole, terms, nil)
		if own := best(t, whole, terms, sumsOf(t, whole, terms)); !slices.Equal(own, want) {
			t.Fatalf("seed %d, %q: by its own sums %v, by bm25() %v", seed, terms, own, want)
		}
		sums := new(family.Sums)
		for _, db := range tables {
			sums.Add(sumsOf(t, db, terms))
		}
		var got []hit
		for _, db := range tables {
			got = append(got, best(t, db, terms, sums)...)
		}
		slices.SortFunc(got, func(a, b hit) int { return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.n, b.n)) })
		if !slices.Equal(got, want) {
			t.Fatalf("seed %d, %q:\ngot  %v\nwant %v", seed, terms, got, want)
		}
	}
}

// What stands in a file cannot call the function: a view there could otherwise do it.
func TestNothingInAFileCallsTheFunction(t *testing.T) {
	db := table(t, corpus(rand.New(rand.NewPCG(1, 1)), 3))
	err := sqlite.Do(t.Context(), db, sqlite.Write, func(tx *sqlite.Tx) error {
		tx.Exec(`CREATE VIEW v AS SELECT sums_ready()`)
		return tx.One(`SELECT * FROM v`, nil, new(int))
	})
	if err == nil || !strings.Contains(err.Error(), "unsafe use of sums_ready()") {
		t.Errorf("got %v", err)
	}
}

// A row that links call by a word stands before its equal, and one that has no word but by its
// links is found.
func TestWhatLinksCallARowCounts(t *testing.T) {
	row := func(n int64, body string) query.DocRow { return query.DocRow{N: n, Columns: [6]string{4: body}} }
	db := table(t, []query.DocRow{row(1, "restart worker"), row(2, "restart worker"), row(4, "nomad alloc"), row(7, "gateway alloc")})
	in(t, db, sqlite.Write, func(tx *sqlite.Tx) {
		var b query.DocBatch
		for n := range int64(20) { // in so many rows a word of two is rare
			b.Add(tx, row(10+n, "other words"))
		}
		b.Flush(tx)
		for _, n := range []int{2, 4} {
			tx.Exec(`INSERT INTO anchors (n, texts, size, made) VALUES (?, 'restart loop', 2, 1)`, n)
			tx.Exec(`INSERT INTO anchor_terms (rowid, terms) VALUES (?, 'restart loop #restart')`, n)
		}
	})
	var got []int64
	for _, h := range best(t, db, []string{"restart"}, nil) {
		got = append(got, h.n)
	}
	if !slices.Equal(got, []int64{2, 1, 4}) {
		t.Errorf("got %v", got)
	}
}

// Statistics for another number of terms are refused, and end the query alone.
func TestSumsOfAnotherQuestion(t *testing.T) {
	db := table(t, corpus(rand.New(rand.NewPCG(1, 1)), 20))
	for _, rank := range []string{"sums()", "sums(3, 4)", "sums(1, 2, 3, 4, 5, 6, 7, 8)", "sums(1, 2, 3, 4, 5, 6, 7, 8, 9, 10)"} {
		err := sqlite.Do(t.Context(), db, sqlite.Read, func(tx *sqlite.Tx) error {
			tx.Exec(`SELECT sums_ready()`)
			return tx.Each(`SELECT rowid, rank FROM docs WHERE docs MATCH '"the"' AND rank MATCH ? ORDER BY rank`, []any{rank}, func(*sqlite.Row) error { return nil })
		})
		if err == nil {
			t.Errorf("%s is taken", rank)
		}
	}
	if got := fmt.Sprint(len(best(t, db, []string{"the"}, nil))); got == "0" {
		t.Error("the connection finds nothing any more")
	}
}

package vectors

import (
	"context"
	_ "embed"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cp-memory/cp/index/sqlite"
	"github.com/cp-memory/cp/vault/embed"
)

var pair = embed.Space{Model: "test/pair", Dimension: 2, Scheme: "none"}

// noted puts vectors of two numbers and notes the texts that they are passages of.
func noted(t *testing.T, v *DB, vectors []embed.Vector, texts ...embed.Text) {
	t.Helper()
	if err := v.Put(t.Context(), pair, vectors, texts); err != nil {
		t.Fatal(err)
	}
}

// A content is as near as its nearest passage, and a passage may be one of several contents.
func TestTheNearestPassageCounts(t *testing.T) {
	v := New(filepath.Join(t.TempDir(), "vectors.db"))
	t.Cleanup(func() { _ = v.Close() })
	east, north, between := contentNamed(1), contentNamed(2), contentNamed(3)
	a, b, c := contentNamed(101), contentNamed(102), contentNamed(103)
	noted(t, v, []embed.Vector{{Passage: east, Numbers: []float32{1, 0}}, {Passage: north, Numbers: []float32{0, 1}}, {Passage: between, Numbers: []float32{.6, .8}}},
		embed.Text{Content: a, Passages: []string{north, "", east}}, embed.Text{Content: b, Passages: []string{between}}, embed.Text{Content: c, Passages: []string{east, north, east}},
		embed.Text{Content: contentNamed(104), Passages: []string{north, contentNamed(9)}}) // a vector of it has gone
	for _, row := range []struct {
		query []float32
		only  map[string]bool
		want  []embed.Near
	}{
		{[]float32{1, 0}, nil, []embed.Near{{Content: a, Part: 3, Score: 1}, {Content: c, Part: 1, Score: 1}, {Content: b, Part: 1, Score: .6}}},
		{[]float32{0, 1}, map[string]bool{b: true, c: true}, []embed.Near{{Content: c, Part: 2, Score: 1}, {Content: b, Part: 1, Score: .8}}},
	} {
		got, err := v.Nearest(t.Context(), pair, row.query, 5, row.only)
		for i := range got {
			got[i].Score = float64(int(got[i].Score*100+.5)) / 100
		}
		byContent := cmp.Transformer("", func(all []embed.Near) map[string]embed.Near {
			m := map[string]embed.Near{}
			for _, n := range all {
				m[n.Content] = n
			}
			return m
		})
		if diff := cmp.Diff(row.want, got, byContent); diff != "" || err != nil {
			t.Error(diff, err)
		}
	}

	t.Log("what is of no content goes, and what another one has stays")
	if n, err := v.Prune(t.Context(), map[string]bool{a: true}, false); n != 1 || err != nil {
		t.Errorf("dropped %d, %v", n, err)
	}
	held, err := v.ListHeld(t.Context(), pair, []string{east, north, between})
	if diff := cmp.Diff(map[string]bool{east: true, north: true}, held); diff != "" || err != nil {
		t.Error(diff, err)
	}
	stored, err := v.Spaces(t.Context())
	if diff := cmp.Diff([]embed.Stored{{Space: pair, Texts: 1, Passages: 2}}, stored); diff != "" || err != nil {
		t.Error(diff, err)
	}
}

// One long text whose passages are all near takes no place from the others.
func TestALongTextHidesNoOther(t *testing.T) {
	v := New(filepath.Join(t.TempDir(), "vectors.db"))
	t.Cleanup(func() { _ = v.Close() })
	space := embed.Space{Model: "test/one", Dimension: 64, Scheme: "none"}
	all := someVectors(5000, 64, 8)
	long := embed.Text{Content: contentNamed(90_000)}
	texts := []embed.Text{}
	for i := range all {
		if i < 4900 {
			long.Passages = append(long.Passages, all[i].Passage)
		} else {
			texts = append(texts, embed.Text{Content: all[i].Passage, Passages: []string{all[i].Passage}})
		}
	}
	if err := v.Put(t.Context(), space, all, append(texts, long)); err != nil {
		t.Fatal(err)
	}
	got, err := v.Nearest(t.Context(), space, all[0].Numbers, 101, nil)
	if len(got) != 101 || err != nil || got[0].Content != long.Content || got[0].Part != 1 {
		t.Errorf("%d found, %v", len(got), err)
	}
}

// The tables as version 1 made them.
//
//go:embed testdata/version1.sql
var version1 string

// A file of the version before stands as it is until something is written; then its vectors are
// those of passages with the same hash, and none is lost.
func TestAnOldFileIsRenewedByAWrite(t *testing.T) {
	path := filepath.Join(t.TempDir(), "vectors.db")
	db, err := sqlite.Open(path, wait, "&_journal_mode=WAL&_txlock=immediate")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.Exec(version1); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	was, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}

	v := New(path)
	t.Cleanup(func() { _ = v.Close() })
	first, long, fresh := "01010101010101010101010101010101", "02020202020202020202020202020202", contentNamed(3)
	stored, err := v.Spaces(t.Context())
	if diff := cmp.Diff([]embed.Stored{{Space: pair, Passages: 2, Old: true}}, stored); diff != "" || err != nil {
		t.Error(diff, err)
	}
	near, err := v.Nearest(t.Context(), pair, []float32{1, 0}, 5, nil)
	held, herr := v.ListHeld(t.Context(), pair, []string{first})
	for _, row := range []struct {
		keep map[string]bool
		want int
	}{{map[string]bool{first: true, long: true}, 0}, {map[string]bool{long: true}, 1}, {nil, 2}} {
		if n, err := v.Prune(t.Context(), row.keep, true); n != row.want || err != nil {
			t.Errorf("%v: a dry run counts %d, %v, want %d", row.keep, n, err, row.want)
		}
	}
	if len(near) > 0 || !held[first] || err != nil || herr != nil {
		t.Errorf("near %v, held %v, %v %v", near, held, err, herr)
	}
	if is, err := os.ReadFile(path); err != nil || string(is) != string(was) {
		t.Errorf("reading changed the file: %v", err)
	}

	if err := v.Put(t.Context(), pair, nil, nil); err != nil {
		t.Fatal(err)
	}
	held, err = v.ListHeld(t.Context(), pair, []string{first, long, fresh})
	if diff := cmp.Diff(map[string]bool{first: true, long: true}, held); diff != "" || err != nil {
		t.Fatal(diff, err)
	}
	noted(t, v, []embed.Vector{{Passage: fresh, Numbers: []float32{0, 1}}}, embed.Text{Content: first, Passages: []string{first}})
	if n, err := v.Prune(t.Context(), map[string]bool{first: true, long: true}, false); n != 1 || err != nil {
		t.Errorf("before the long one is noted %d went, %v", n, err)
	}
	noted(t, v, []embed.Vector{{Passage: fresh, Numbers: []float32{0, 1}}}, embed.Text{Content: long, Passages: []string{fresh}})
	if n, err := v.Prune(t.Context(), map[string]bool{first: true, long: true}, false); n != 1 || err != nil {
		t.Errorf("after it %d went, %v", n, err)
	}
	near, err = v.Nearest(context.Background(), pair, []float32{1, 0}, 5, nil)
	if len(near) != 2 || near[0].Content != first || err != nil {
		t.Errorf("near %v, %v", near, err)
	}
}

// The searches find their rows by a key, and never go through all of them.
func TestTheSearchesUseTheirKeys(t *testing.T) {
	v := New(filepath.Join(t.TempDir(), "vectors.db"))
	t.Cleanup(func() { _ = v.Close() })
	noted(t, v, nil)
	for _, query := range []string{
		`SELECT n, vectors FROM pages WHERE n IN (SELECT value FROM json_each('[]'))`,
		`SELECT vectors FROM pages WHERE n >= 1 AND n < 2 ORDER BY n`,
		`SELECT block, length(passages) / 16 FROM blocks WHERE s = 1 ORDER BY block DESC LIMIT 1`,
		`SELECT passage FROM vectors WHERE s = 1 AND passage IN (SELECT unhex(value) FROM json_each('[]'))`,
		`SELECT passage, content, part FROM parts WHERE s = 1 AND passage IN (SELECT unhex(value) FROM json_each('[]'))`,
		`SELECT passages FROM texts WHERE s = 1 AND content IN (SELECT unhex(value) FROM json_each('[]'))`,
	} {
		err := v.view(t.Context(), func(tx *sqlite.Tx) error {
			return tx.Each(`EXPLAIN QUERY PLAN `+query, nil, func(r *sqlite.Row) error {
				_, _, _ = r.Int(), r.Int(), r.Int()
				if plan := r.Text(); len(plan) > 4 && plan[:4] == "SCAN" && plan != "SCAN json_each VIRTUAL TABLE INDEX 1:" {
					t.Errorf("%s: %s", query, plan)
				}
				return nil
			})
		})
		if err != nil {
			t.Error(err)
		}
	}
}

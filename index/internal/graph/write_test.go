package graph_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/cp-memory/cp/index/internal/graph"
	"github.com/cp-memory/cp/index/sqlite"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/fact"
	"github.com/cp-memory/cp/vault/tree"
)

func ofHash(m *vault.Memory) string { return tree.HashOf(m)[:12] }

// says draws what a source says.
func says(rt *rapid.T) graph.Links {
	f := &fact.Facts{ID: "pf-x"}
	name := func() string { return rapid.SampledFrom([]string{"a", "A", "b", "c"}).Draw(rt, "name") }
	for range rapid.IntRange(0, 3).Draw(rt, "entities") {
		f.Entities = append(f.Entities, fact.Entity{Name: name(), Type: rapid.SampledFrom([]string{"host", "team"}).Draw(rt, "type"), Description: rapid.SampledFrom([]string{"", "x", "y"}).Draw(rt, "said"), Hand: rapid.Bool().Draw(rt, "hand")})
	}
	for range rapid.IntRange(0, 2).Draw(rt, "relations") {
		f.Relations = append(f.Relations, fact.Relation{From: name(), Relation: "knows", To: name()})
	}
	f, err := fact.Parse(f.Bytes()) // each entry once
	if err != nil {
		rt.Fatal(err)
	}
	return graph.LinksOf(f)
}

// dump returns all rows of the graph.
func dump(t *sqlite.Tx) (all []string, err error) {
	for _, query := range []string{
		`SELECT 'n ' || k || name || type || description || folded || sources FROM graph_node_rows`, `SELECT 'e ' || k || a || relation || b FROM graph_edge_rows`,
		`SELECT 's ' || k || at || source || name || description || hand FROM memory_nodes`, `SELECT 'l ' || k || source || hand FROM memory_edges`,
		`SELECT 't ' || rowid FROM nodes WHERE nodes MATCH 'a OR b OR c OR x OR y'`,
	} {
		rows, err := sqlite.All(t, query, nil, (*sqlite.Row).Text)
		if err != nil {
			return nil, err
		}
		all = append(all, rows...)
	}
	slices.Sort(all)
	return all, nil
}

// Whatever sources say in turn, the rows are those that a filler makes of what they say last.
func TestAWriterMakesTheRowsOfAFiller(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		last := map[string]graph.Links{}
		var sets []func(w *graph.Writer)
		at := func(source string) int64 {
			if source == "s3" {
				return graph.Undated
			}
			return int64(source[1])
		}
		for range rapid.IntRange(1, 12).Draw(rt, "steps") {
			source, l := fmt.Sprintf("s%d", rapid.IntRange(0, 3).Draw(rt, "source")), says(rt)
			settle := rapid.Bool().Draw(rt, "settle")
			last[source] = l
			sets = append(sets, func(w *graph.Writer) {
				if w.Set(source, at(source), l); settle {
					w.Settle()
				}
			})
		}
		got := filled(rt, func(tx *sqlite.Tx) {
			w := graph.NewWriter(tx)
			for _, set := range sets {
				set(w)
			}
			w.Settle()
		})
		want := filled(rt, func(tx *sqlite.Tx) {
			f := graph.NewFiller(tx)
			for source, l := range last {
				f.Set(source, at(source), l)
			}
			f.Write()
		})
		if !slices.Equal(got, want) {
			rt.Fatalf("got\n%q\nwant\n%q", got, want)
		}
	})
}

// A text that is longer than a block of a filler comes back whole, and those beside it.
func TestAFillerKeepsLongTexts(t *testing.T) {
	for _, sizes := range [][]int{{0, 1, 127, 128}, {1 << 20, 1}, {1, 3 << 20, 1}, {1<<20 - 16, 1, 1<<20 - 15, 1}} {
		var l graph.Links
		for i, size := range sizes {
			l.Nodes = append(l.Nodes, graph.Node{ID: int64(i + 1), Name: fmt.Sprint("n", i), Type: "host", Description: strings.Repeat(fmt.Sprint(i), size)})
		}
		write := func(tx *sqlite.Tx) { w := graph.NewWriter(tx); w.Set("s1", 1, l); w.Settle() }
		fill := func(tx *sqlite.Tx) { f := graph.NewFiller(tx); f.Set("s1", 1, l); f.Write() }
		if got, want := filled(t, fill), filled(t, write); !slices.Equal(got, want) {
			t.Errorf("%v: the rows of a filler and of a writer differ: %d and %d", sizes, len(got), len(want))
		}
	}
}

// filled returns the rows that fn makes in an empty database.
func filled(rt interface {
	Context() context.Context
	Fatal(...any)
}, fn func(*sqlite.Tx)) (rows []string) {
	db, err := sqlite.Memory()
	if err != nil {
		rt.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec(`CREATE TABLE memories (n INTEGER PRIMARY KEY, id TEXT, created INTEGER);` + graph.Tables + graph.Indexes); err != nil {
		rt.Fatal(err)
	}
	err = sqlite.Do(rt.Context(), db, sqlite.Write, func(tx *sqlite.Tx) (err error) {
		fn(tx)
		rows, err = dump(tx)
		return err
	})
	if err != nil {
		rt.Fatal(err)
	}
	return rows
}

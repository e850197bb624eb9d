package index

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/cp-memory/cp/testdata/testlevel"
	"github.com/cp-memory/cp/vault"
)

// answers writes what the mirror answers to questions whose order depends on
// every row: scores to the last bit, pages that end amid rows that score the same.
func answers(t testing.TB, d *DB) string {
	t.Helper()
	ctx := context.Background()
	var b strings.Builder
	must := func(err error) {
		if err != nil {
			t.Helper()
			t.Fatal(err)
		}
	}
	for _, query := range []string{"text", "title", "text title", "note b x", "3", "if 1 readme", "restart loop", "wo ist die Bestellung"} {
		for _, o := range []vault.ListOptions{
			{}, {Limit: 2}, {Limit: 3, Offset: 2}, {Limit: 4, Types: []string{"*"}, Status: []string{"*"}}, {Limit: 2, Labels: []string{"x"}}, {Limit: 1, Status: []string{"closed"}}, {Limit: 3, Hidden: true},
		} {
			hits, total, err := d.Search(ctx, query, o)
			must(err)
			fmt.Fprintf(&b, "search %q %+v: %d %+v\n", query, o, total, hits)
			found, err := d.Candidates(ctx, query, o)
			must(err)
			fmt.Fprintf(&b, "candidates %q: %+v\n", query, found)
		}
		weights, err := d.Weigh(ctx, query+" title", []string{"text", "title 3", "if x"}, nil)
		must(err)
		alike, err := d.Sharing(ctx, query+" [[a]] 3 if", true, 3)
		must(err)
		fmt.Fprintf(&b, "weigh %v, sharing %+v\n", weights, alike)
	}
	for _, o := range []vault.ListOptions{{}, {Limit: 3, Offset: 2}, {Types: []string{"*"}, Status: []string{"*"}, Since: time.Now().Add(-time.Hour)}} {
		listed, total, err := d.List(ctx, o)
		must(err)
		fmt.Fprintf(&b, "list of %d: %+v\n", total, listed)
		paths := make([]vault.Path, len(listed))
		for i := range listed {
			paths[i] = listed[i].Path
		}
		origins, err := d.Origins(ctx, paths)
		must(err)
		fmt.Fprintf(&b, "origins %v\n", origins)
	}
	nodes, err := d.Walk(ctx, vault.WalkOptions{})
	must(err)
	for _, n := range nodes {
		edges, err := d.Edges(ctx, n.ID, true)
		must(err)
		fmt.Fprintf(&b, "edges of %s: %+v\n", n.ID, edges)
	}
	return b.String()
}

// TestRanksDoNotAge: labels are changed, files come, go and change places, and
// the answers stay those of a mirror built anew. All files say the same, so that
// it is their lengths and the number of all files that decide, or nothing but
// their paths.
func TestRanksDoNotAge(t *testing.T) {
	testlevel.Check(t)
	f := newFolder(t, false)
	text := func(i, labels int) string {
		return fmt.Sprintf("---\nid: pf-%d\nlabels: [%s]\n---\nText of a note, title %d.%s\n", i, strings.TrimSuffix(strings.Repeat("x, ", labels), ", "), i%4, strings.Repeat(" More words.", i%3))
	}
	for i := range 30 {
		f.write(fmt.Sprintf("n%02d.md", i), text(i, 1))
	}
	d := f.caughtUp()
	for round := range 4 {
		for i := range 30 {
			f.write(fmt.Sprintf("n%02d.md", (i*7)%30), text((i*7)%30, 1+(i+round)%3))
			f.catchUp(d)
		}
		f.remove(fmt.Sprintf("n%02d.md", round))
		f.write(fmt.Sprintf("a%d.md", 9-round), text(round, round))
		f.catchUp(d)
		fresh := f.fresh()
		if diff := cmp.Diff(answers(t, fresh), answers(t, d)); diff != "" {
			t.Fatalf("round %d: the answers differ from a rebuild's (-rebuild +mirror):\n%s", round, diff)
		}
		_ = fresh.Close()
	}
}

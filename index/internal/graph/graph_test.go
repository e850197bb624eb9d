package graph_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/cp-memory/cp/index/internal/graph"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/fact"
	walk "github.com/cp-memory/cp/vault/graph"
)

// drawn tells a graph by names.
func drawn(g walk.Graph) (nodes, edges string) {
	var all, lines []string
	for _, n := range g.Nodes {
		all = append(all, fmt.Sprintf("%s/%d", n.Name, n.Depth))
	}
	for _, e := range g.Edges {
		lines = append(lines, g.Name(e.From)+" "+e.Relation+" "+g.Name(e.To))
	}
	slices.Sort(lines)
	return strings.Join(all, " "), strings.Join(lines, ", ")
}

func TestWalk(t *testing.T) {
	w := small(t)
	for _, row := range []struct {
		o            walk.Options
		nodes, edges string
	}{
		{walk.Options{From: "PostgreSQL", Depth: 1}, "PostgreSQL/0 db1/1 Caches/1 Databases/1", "Caches speaks of PostgreSQL, Databases speaks of PostgreSQL, PostgreSQL runs on db1"},
		{walk.Options{From: "pf-aa3", Depth: 1}, "db1/0 db1/1 Team/1 ops/1", "Team asks db1, db1 is db1, db1 labelled ops"},
		{walk.Options{From: "label:ops", Depth: 1}, "ops/0 db1/1 Databases/1 Caches/1", "Caches labelled ops, Databases labelled ops, db1 labelled ops"},
		{walk.Options{From: "pf-aa3", Type: "label", Depth: 1}, "db1/0 Team/1 ops/1", "Team asks db1, db1 labelled ops"},
		{walk.Options{From: "Redis", Depth: 1}, "Redis/0 Caches/1 Team/1", "Caches speaks of Redis, Redis is Team"},
		{walk.Options{From: "pf-aa4", Depth: 1}, "Team/0 Redis/1 db1/1", "Redis is Team, Team asks db1"},
		{walk.Options{From: "Lone"}, "Lone/0", ""},
		{walk.Options{From: "pf-aa2", Type: "host"}, "Caches/0 Databases/1 db1/2", "Databases link Caches, Databases speaks of db1"},
	} {
		g, err := walk.Walk(t.Context(), w.Vault, w.Reader, row.o)
		nodes, edges := drawn(g)
		if err != nil || nodes != row.nodes || edges != row.edges {
			t.Errorf("%+v: %v\n got %s: %s\nwant %s: %s", row.o, err, nodes, edges, row.nodes, row.edges)
		}
	}
	if _, err := walk.Walk(t.Context(), w.Vault, w.Reader, walk.Options{From: "nobody"}); vault.CodeOf(err) != vault.CodeNotFound {
		t.Errorf("a name that nobody has: %v", err)
	}
	all, err := walk.Walk(t.Context(), w.Vault, w.Reader, walk.Options{Depth: 5})
	if err != nil || len(all.Nodes) != all.Total || all.Total != 10 {
		t.Errorf("from everywhere: %d of %d nodes, %v", len(all.Nodes), all.Total, err)
	}
	few, err := walk.Walk(t.Context(), w.Vault, w.Reader, walk.Options{From: "PostgreSQL", Depth: 5, Limit: 3})
	if err != nil || len(few.Nodes) != 3 || few.Total <= 3 {
		t.Errorf("with a limit: %+v, %v", few, err)
	}
}

// A walk asks as often for many nodes as for few, and so does a search.
func TestQuestionsDoNotGrow(t *testing.T) {
	w := small(t)
	count := func() (walked, searched int) {
		w.asked = 0
		_, err := walk.Walk(t.Context(), w.Vault, w.Reader, walk.Options{From: "PostgreSQL"})
		w.Check(err)
		walked, w.asked = w.asked, 0
		_, err = walk.Search(t.Context(), w.Reader, "postgresql database", 100, true)
		w.Check(err)
		return walked, w.asked
	}
	walked, searched := count()
	for i := range 40 {
		w.note(fmt.Sprintf("pf-many%02d", i), fmt.Sprintf("Many %d", i), "", "[[Databases]]", []fact.Entity{{Name: "PostgreSQL", Type: "technology"}, {Name: fmt.Sprintf("database %d", i), Type: "host"}})
	}
	w.look()
	if more, found := count(); more != walked || found != searched || searched != 2 {
		t.Errorf("a walk asked %d and then %d times, a search %d and then %d", walked, more, searched, found)
	}
}

func TestLookAndSearch(t *testing.T) {
	w := small(t)
	all, err := walk.Look(t.Context(), w.Reader, "POSTGRESQL")
	if err != nil || len(all) != 1 {
		t.Fatalf("got %+v, %v", all, err)
	}
	e := all[0]
	if e.Name != "PostgreSQL" || e.Description != "the database; the store" || e.Sources != 2 || len(e.Relations) != 1 || e.Relations[0] != (walk.Relation{From: "PostgreSQL", Relation: "runs on", To: "db1"}) {
		t.Errorf("got %+v", e)
	}
	if len(e.Memories) != 2 || e.Memories[0] != (walk.Speaker{ID: "pf-aa2", Title: "Caches", Path: "Caches.md"}) {
		t.Errorf("the newest memory is not first: %+v", e.Memories)
	}
	if again, err := walk.Look(t.Context(), w.Reader, e.ID); err != nil || len(again) != 1 || again[0].Name != e.Name {
		t.Errorf("by its id: %+v, %v", again, err)
	}
	if _, err := walk.Look(t.Context(), w.Reader, "nobody"); vault.CodeOf(err) != vault.CodeNotFound {
		t.Errorf("nobody: %v", err)
	}

	hits, err := walk.Search(t.Context(), w.Reader, "store", 10, true)
	if err != nil || len(hits) != 1 || !slices.Equal(hits[0].MemoryIDs, []vault.ID{"pf-aa2", "pf-aa1"}) {
		t.Errorf("got %+v, %v", hits, err)
	}
	hits, err = walk.Search(t.Context(), w.Reader, "legacy", 10, true)
	if err != nil || len(hits) != 1 || hits[0].MemoryIDs == nil || len(hits[0].MemoryIDs) != 0 {
		t.Errorf("what no memory says: %+v, %v", hits, err)
	}
	if hits, err = walk.Search(t.Context(), w.Reader, "?!", 10, true); err != nil || len(hits) != 0 {
		t.Errorf("no word: %+v, %v", hits, err)
	}
}

func TestLists(t *testing.T) {
	w := small(t)
	for _, row := range []struct {
		q     walk.Query
		first string
		n     int
		total int
	}{{walk.Query{}, "PostgreSQL", 4, 4}, {walk.Query{Type: "host"}, "db1", 1, 1}, {walk.Query{Min: 2}, "PostgreSQL", 1, 1}, {walk.Query{Limit: 1}, "PostgreSQL", 1, 4}, {walk.Query{Offset: 9}, "", 0, 4}} {
		l, err := walk.List(t.Context(), w.Reader, row.q)
		if err != nil || l.Total != row.total || len(l.Entities) != row.n || row.n > 0 && l.Entities[0].Name != row.first {
			t.Errorf("%+v: %+v, %v", row.q, l, err)
		}
	}
	nodes, edges, err := w.Provenance(t.Context(), "pf-aa1")
	if err != nil || len(nodes) != 2 || len(edges) != 1 {
		t.Fatalf("provenance: %v %v %v", nodes, edges, err)
	}
	if alone, own, err := w.Alone(t.Context(), "pf-aa1"); err != nil || len(alone) != 1 || !slices.Contains(nodes, alone[0]) || !slices.Equal(own, edges) {
		t.Errorf("from no other memory: %v of %v, %v of %v, %v", alone, nodes, own, edges, err)
	}
	e, ok, err := w.Edge(t.Context(), edges[0])
	if err != nil || !ok || e.Relation != "runs on" {
		t.Errorf("edge: %+v %v %v", e, ok, err)
	}
	for _, id := range []string{nodes[0], "e-0000000000000001", "e-x", ""} {
		if _, ok, err := w.Edge(t.Context(), id); ok || err != nil {
			t.Errorf("%q is an edge: %v", id, err)
		}
	}
	if n, m, err := w.Counts(t.Context()); n != 4 || m != 1 || err != nil {
		t.Errorf("counts: %d %d %v", n, m, err)
	}
	w.Unlink("Caches.md")
	w.look()
	if ids, err := w.Strays(t.Context()); err != nil || !slices.Equal(ids, []vault.ID{"pf-aa2"}) {
		t.Errorf("strays: %v %v", ids, err)
	}
}

// Facts that no model has drawn, or from another text, are to be drawn.
func TestUndrawn(t *testing.T) {
	w := small(t)
	if ids, err := w.Undrawn(t.Context()); err != nil || len(ids) != 5 {
		t.Fatalf("nothing is drawn yet: %v, %v", ids, err)
	}
	n, err := w.DB.Find(t.Context(), "pf-aa5")
	w.Check(err)
	m := vault.Parse(n.Path, []byte(w.Disk(string(n.Path))))
	w.Write(fact.Path("pf-aa5"), string((&fact.Facts{ID: "pf-aa5", By: "x/y", Of: ofHash(m)}).Bytes()))
	w.look()
	if ids, err := w.Undrawn(t.Context()); err != nil || slices.Contains(ids, "pf-aa5") || len(ids) != 4 {
		t.Errorf("drawn: %v, %v", ids, err)
	}
	w.Write("Lone.md", w.Disk("Lone.md")+"More.\n")
	w.look()
	if ids, err := w.Undrawn(t.Context()); err != nil || !slices.Contains(ids, "pf-aa5") {
		t.Errorf("stale: %v, %v", ids, err)
	}
}

// Links are what a file says, each once; an end that is no entity becomes one.
func TestOf(t *testing.T) {
	l := graph.LinksOf(&fact.Facts{ID: "pf-1", Entities: []fact.Entity{{Name: "A", Type: "host"}, {Name: "B", Type: "host", Removed: true}},
		Relations: []fact.Relation{{From: "a", Relation: "Knows", To: "C"}, {From: "A", Relation: "knows", To: "B"}}})
	if len(l.Nodes) != 2 || len(l.Edges) != 1 || l.Nodes[1].Type != graph.Thing || l.Edges[0].Relation != "knows" || l.Edges[0].From != graph.NodeID("A", "host") {
		t.Errorf("got %+v", l)
	}
}

// Steps lead through what few have more than through what many have; filters hold.
func TestHops(t *testing.T) {
	w := small(t)
	for i := range 60 {
		w.note(fmt.Sprintf("pf-crowd%02d", i), fmt.Sprintf("Crowd %d", i), "labels: [ops]\n", "Text.", []fact.Entity{{Name: "everything", Type: "thing"}})
	}
	w.look()
	weights := func(from vault.ID, o vault.ListOptions) map[string]float64 {
		hops, err := w.Hops(t.Context(), []vault.ID{from}, o)
		w.Check(err)
		all := map[string]float64{}
		for _, h := range hops {
			if h.From != from || h.Weight <= 0 || h.Weight > 1 {
				t.Errorf("%+v", h)
			}
			all[string(h.To)+" "+h.Through] = h.Weight
		}
		return all
	}
	got := weights("pf-aa1", vault.ListOptions{})
	if len(got) != 3 || got["pf-aa2 PostgreSQL"] != 1 || got["pf-aa2 rare"] != 1 || got["pf-aa2 link"] != 1 {
		t.Errorf("got %v", got)
	}
	if got := weights("pf-crowd01", vault.ListOptions{}); len(got) != 0 {
		t.Errorf("what sixty memories have is a step: %v", got)
	}
	w.note("pf-aa6", "Third", "", "[[Caches]]", []fact.Entity{{Name: "PostgreSQL", Type: "technology"}})
	w.look()
	if more := weights("pf-aa1", vault.ListOptions{}); more["pf-aa2 PostgreSQL"] >= 1 || more["pf-aa6 PostgreSQL"] != more["pf-aa2 PostgreSQL"] || more["pf-aa2 link"] >= 1 {
		t.Errorf("what three have counts as what two have: %v", more)
	}
	if got := weights("pf-aa1", vault.ListOptions{Labels: []string{"none"}}); len(got) != 0 {
		t.Errorf("past the filter: %v", got)
	}
}

package graph_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/graph"
)

// drawing is a mirror of a graph that is drawn by hand.
type drawing struct {
	nodes map[string]graph.Node
	edges []graph.Edge
	asked int
	fails int // which question fails, from 1; 0 is none
}

var errAsked = errors.New("the index cannot be read")

// draw reads edges as in "a -knows-> b", where m1, m2 … are memories.
func draw(lines ...string) *drawing {
	d := &drawing{nodes: make(map[string]graph.Node)}
	for _, line := range lines {
		words := strings.Fields(line)
		e := graph.Edge{From: words[0], Relation: strings.Trim(words[1], "->"), To: words[2]}
		for _, id := range []string{e.From, e.To} {
			d.nodes[id] = graph.Node{ID: id, Name: strings.ToUpper(id), Type: "thing", Memory: strings.HasPrefix(id, "m")}
		}
		d.edges = append(d.edges, e)
	}
	return d
}

func (d *drawing) ask() error {
	if d.asked++; d.asked == d.fails {
		return errAsked
	}
	return nil
}

func (d *drawing) where(ok func(graph.Node) bool) (all []graph.Node) {
	for _, id := range slices.Sorted(maps.Keys(d.nodes)) {
		if n := d.nodes[id]; !n.Memory && ok(n) {
			all = append(all, n)
		}
	}
	return all
}

func (d *drawing) Entities(_ context.Context, q graph.Query) ([]graph.Node, int, error) {
	all := d.where(func(graph.Node) bool { return true })
	return all[:min(len(all), q.Limit)], len(all), d.ask()
}

func (d *drawing) FindNamed(_ context.Context, name string) ([]graph.Node, error) {
	return d.where(func(n graph.Node) bool { return n.Name == name || n.ID == name }), d.ask()
}

func (d *drawing) Around(_ context.Context, ids []string, _ string, _ int) (all []graph.Edge, err error) {
	for _, e := range d.edges {
		if slices.Contains(ids, e.From) || slices.Contains(ids, e.To) {
			all = append(all, e)
		}
	}
	return all, d.ask()
}

func (d *drawing) Nodes(_ context.Context, ids []string) (map[string]graph.Node, error) {
	all := maps.Clone(d.nodes)
	maps.DeleteFunc(all, func(id string, _ graph.Node) bool { return !slices.Contains(ids, id) })
	return all, d.ask()
}

func (d *drawing) Speaking(_ context.Context, ids []string, limit int) (map[string][]vault.ID, error) {
	all := make(map[string][]vault.ID)
	for _, e := range d.edges {
		if e.Relation == "speaks" && slices.Contains(ids, e.To) && len(all[e.To]) < limit {
			all[e.To] = append(all[e.To], vault.ID(e.From))
		}
	}
	return all, d.ask()
}

func (d *drawing) Search(_ context.Context, query string, limit int) ([]graph.Node, error) {
	all := d.where(func(n graph.Node) bool { return strings.Contains(n.Name, query) })
	return all[:min(len(all), limit)], d.ask()
}

// open knows the memories.
func (d *drawing) open(_ context.Context, ref string) (string, error) {
	if n, ok := d.nodes[ref]; ok && n.Memory {
		return ref, nil
	}
	return "", vault.Errorf(vault.CodeNotFound, "", "not found")
}

var hosts = []string{"m1 -speaks-> a", "m2 -speaks-> b", "m2 -speaks-> a", "a -runs-> b", "b -runs-> c", "c -runs-> d", "d -runs-> a", "x -runs-> y"}

// A walk goes breadth first from where it begins, and shows the first of what it meets.
func TestWalk(t *testing.T) {
	for _, row := range []struct {
		name  string
		o     graph.Options
		nodes string // with their depths
		edges int    // between them
		total int
	}{
		{"one step from an entity", graph.Options{From: "c", Depth: 1}, "c0 b1 d1", 2, 3},
		{"two steps, unless another depth is given", graph.Options{From: "c"}, "c0 b1 d1 m22 a2", 5, 5},
		{"from a memory", graph.Options{From: "m1", Depth: 1}, "m10 a1", 1, 2},
		{"no more than the limit", graph.Options{From: "c", Limit: 2}, "c0 b1", 1, 5},
		{"a circle ends", graph.Options{From: "a", Depth: 5}, "a0 m11 m21 b1 d1 c2", 7, 6},
		{"from those of which most speak", graph.Options{Depth: 1, Limit: 3}, "a0 m11 m21", 2, 5},
		{"of no type that is there", graph.Options{From: "a", Type: "person"}, "", 0, 0},
	} {
		d := draw(hosts...)
		g, err := graph.WalkWith(t.Context(), d.open, d, row.o)
		var nodes []string
		for _, n := range g.Nodes {
			nodes = append(nodes, fmt.Sprint(n.ID, n.Depth))
		}
		if got := strings.Join(nodes, " "); err != nil || got != row.nodes || len(g.Edges) != row.edges || g.Total != row.total || g.Nodes == nil || g.Edges == nil {
			t.Errorf("%s: got %s, %d edges, %d in all, %v; want %s, %d, %d", row.name, got, len(g.Edges), g.Total, err, row.nodes, row.edges, row.total)
		}
	}
	d := draw(hosts...)
	if _, err := graph.WalkWith(t.Context(), d.open, d, graph.Options{From: "nobody"}); vault.CodeOf(err) != vault.CodeNotFound {
		t.Errorf("nobody: %v", err)
	}
	if g := (&graph.Graph{Nodes: []graph.Node{{ID: "a", Name: "A"}}}); g.Name("a") != "A" || g.Name("z") != "z" {
		t.Error("a node is called by its name, and one that is not there by its id")
	}
}

// An entity is told with its relations to others and the memories that speak of it; the
// number of questions does not grow with them.
func TestLookAndSearch(t *testing.T) {
	d := draw(hosts...)
	found, err := graph.Look(t.Context(), d, "A")
	if err != nil || len(found) != 1 || fmt.Sprint(found[0].Relations) != "[{A runs B} {D runs A}]" || len(found[0].Memories) != 2 || found[0].Memories[0].ID != "m1" || d.asked != 4 {
		t.Errorf("got %+v after %d questions, %v", found, d.asked, err)
	}
	if _, err := graph.Look(t.Context(), d, "nobody"); vault.CodeOf(err) != vault.CodeNotFound {
		t.Errorf("nobody: %v", err)
	}
	for _, row := range []struct {
		query    string
		memories bool
		want     string
		asked    int
	}{{"", true, "a[m1 m2] b[m2] c[] d[] x[] y[]", 2}, {"B", false, "b[]", 1}, {"Q", true, "", 1}} {
		d := draw(hosts...)
		hits, err := graph.Search(t.Context(), d, row.query, 10, row.memories)
		var got []string
		for _, h := range hits {
			if h.MemoryIDs == nil {
				t.Errorf("%s: no list of memories", h.ID)
			}
			got = append(got, fmt.Sprint(h.ID, h.MemoryIDs))
		}
		if strings.Join(got, " ") != row.want || d.asked != row.asked || hits == nil || err != nil {
			t.Errorf("%q: got %v after %d questions, %v; want %s, %d", row.query, got, d.asked, err, row.want, row.asked)
		}
	}
	if l, err := graph.List(t.Context(), d, graph.Query{Limit: 2}); len(l.Entities) != 2 || l.Total != 6 || err != nil {
		t.Errorf("got %+v, %v", l, err)
	}
}

// Whichever question fails, the answer does.
func TestAQuestionFails(t *testing.T) {
	asks := map[string]func(d *drawing) error{
		"walk": func(d *drawing) error {
			_, err := graph.WalkWith(t.Context(), d.open, d, graph.Options{From: "a", Depth: 1})
			return err
		},
		"entities": func(d *drawing) error {
			_, err := graph.WalkWith(t.Context(), d.open, d, graph.Options{Depth: 1})
			return err
		},
		"look":   func(d *drawing) error { _, err := graph.Look(t.Context(), d, "a"); return err },
		"search": func(d *drawing) error { _, err := graph.Search(t.Context(), d, "A", 5, true); return err },
	}
	for name, ask := range asks {
		well := draw(hosts...)
		if err := ask(well); err != nil {
			t.Fatal(err)
		}
		for n := range well.asked {
			d := draw(hosts...)
			d.fails = n + 1
			if err := ask(d); !errors.Is(err, errAsked) {
				t.Errorf("%s, question %d: %v", name, n+1, err)
			}
		}
	}
}

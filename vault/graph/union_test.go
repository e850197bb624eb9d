package graph_test

import (
	"context"
	"fmt"
	"hash/crc32"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/cp-memory/cp/testdata/vaultmap"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/family"
	"github.com/cp-memory/cp/vault/graph"
)

// unionDrawing is the graph of one vault, drawn by hand.
type unionDrawing struct {
	nodes map[string]graph.Node
	edges []graph.Edge
}

// entity is the id of an entity of a name, the same in every vault.
func entity(name string) string { return fmt.Sprintf("n-%016x", crc32.ChecksumIEEE([]byte(name))) }

// drawUnion reads edges as in "pf-1 -speaks-> Nomad"; what begins with pf- is a memory, and lies in
// the file of its id.
func drawUnion(lines ...string) *unionDrawing {
	d := &unionDrawing{nodes: make(map[string]graph.Node)}
	for _, line := range lines {
		words := strings.Fields(line)
		e := graph.Edge{From: d.node(words[0]), Relation: strings.Trim(words[1], "->"), To: d.node(words[2])}
		if e.Relation == "speaks" {
			e.Relation = graph.SpeaksOf
			n := d.nodes[e.To]
			n.Sources++
			d.nodes[e.To] = n
		}
		d.edges = append(d.edges, e)
	}
	return d
}

func (d *unionDrawing) node(name string) string {
	n := graph.Node{ID: name, Name: name, Type: "memory", Memory: true, Path: vault.Path(name + ".md")}
	if !strings.HasPrefix(name, "pf-") {
		n = graph.Node{ID: entity(name), Name: name, Type: "thing"}
	}
	if _, there := d.nodes[n.ID]; !there {
		d.nodes[n.ID] = n
	}
	return n.ID
}

func (d *unionDrawing) where(ok func(graph.Node) bool) (all []graph.Node) {
	for _, id := range slices.Sorted(maps.Keys(d.nodes)) {
		if n := d.nodes[id]; !n.Memory && ok(n) {
			all = append(all, n)
		}
	}
	slices.SortStableFunc(all, func(a, b graph.Node) int { return b.Sources - a.Sources })
	return all
}

func (d *unionDrawing) Entities(context.Context, graph.Query) ([]graph.Node, int, error) {
	all := d.where(func(graph.Node) bool { return true })
	return all, len(all), nil
}

func (d *unionDrawing) FindNamed(_ context.Context, name string) ([]graph.Node, error) {
	return d.where(func(n graph.Node) bool { return n.Name == name || n.ID == name }), nil
}

func (d *unionDrawing) Around(_ context.Context, ids []string, _ string, _ int) (all []graph.Edge, err error) {
	for _, e := range d.edges {
		if slices.Contains(ids, e.From) || slices.Contains(ids, e.To) {
			all = append(all, e)
		}
	}
	return all, nil
}

func (d *unionDrawing) Nodes(_ context.Context, ids []string) (map[string]graph.Node, error) {
	all := maps.Clone(d.nodes)
	maps.DeleteFunc(all, func(id string, _ graph.Node) bool { return !slices.Contains(ids, id) })
	return all, nil
}

func (d *unionDrawing) Speaking(_ context.Context, ids []string, limit int) (map[string][]vault.ID, error) {
	all := make(map[string][]vault.ID)
	for _, e := range d.edges {
		if e.Relation == graph.SpeaksOf && slices.Contains(ids, e.To) && len(all[e.To]) < limit {
			all[e.To] = append(all[e.To], vault.ID(e.From))
		}
	}
	return all, nil
}

func (d *unionDrawing) Search(_ context.Context, query string, limit int) ([]graph.Node, error) {
	all := d.where(func(n graph.Node) bool { return strings.Contains(n.Name, query) })
	return all[:min(len(all), limit)], nil
}

// member is the vault of a project whose memories say what text says of each, by id.
func member(project string, d *unionDrawing, text func(id string) string) graph.UnionMember {
	files := vaultmap.Files{}
	for id, n := range d.nodes {
		if n.Memory {
			files[n.Path] = vaultmap.File(id, id, "", text(id))
		}
	}
	origin := family.Origin{Project: project, ProjectPath: "/p/" + project}
	return graph.UnionMember{Vault: vaultmap.New(files).Vault, Graph: d, Origin: func(vault.Path) family.Origin { return origin }}
}

// same is the text of every memory in a clone, of of those in a vault of its own.
func same(id string) string { return "The text of " + id + ".\n" }
func of(vault string) func(string) string {
	return func(id string) string { return same(id) + "In " + vault + ".\n" }
}

// unionDrawn is a walk as "from -relation-> to" by names and ids, in order.
func unionDrawn(t *testing.T, g graph.Graph) (lines []string) {
	t.Helper()
	name := map[string]string{}
	for _, n := range g.Nodes {
		name[n.ID] = n.Name
		if n.Memory {
			name[n.ID] = n.ID + " of " + n.Project
		}
	}
	for _, e := range g.Edges {
		if name[e.From] == "" || name[e.To] == "" {
			t.Errorf("the edge %v has an end that is no node", e)
		}
		lines = append(lines, name[e.From]+" -"+e.Relation+"-> "+name[e.To])
	}
	slices.Sort(lines)
	return lines
}

func TestAnEntityOfSeveralVaultsIsOneNode(t *testing.T) {
	a := member("a", drawUnion("pf-1 -speaks-> Nomad", "Nomad -runs-> Web"), of("a"))
	b := member("b", drawUnion("pf-2 -speaks-> Nomad", "Nomad -needs-> Consul", "pf-3 -speaks-> Consul"), of("b"))
	l, err := graph.JoinGraphs([]graph.UnionMember{a, b}).List(t.Context(), graph.Query{})
	if err != nil {
		t.Fatal(err)
	}
	if n := l.Entities[0]; n.Name != "Nomad" || n.Sources != 2 || n.Project != "a" || len(n.Projects) != 2 || n.Projects[1].Project != "b" {
		t.Errorf("got %+v", n)
	}
	if len(l.Entities) != 3 {
		t.Errorf("%d entities", len(l.Entities))
	}
	if n := l.Entities[1]; n.Name != "Consul" || n.Project != "b" || n.Projects != nil {
		t.Errorf("only b speaks of Consul: %+v", n)
	}
	w, err := graph.JoinGraphs([]graph.UnionMember{a, b}).Walk(t.Context(), graph.Options{From: "Nomad", Depth: 1})
	want := []string{"Nomad -needs-> Consul", "Nomad -runs-> Web", "pf-1 of a -" + graph.SpeaksOf + "-> Nomad", "pf-2 of b -" + graph.SpeaksOf + "-> Nomad"}
	if got := unionDrawn(t, w); err != nil || !slices.Equal(got, want) {
		t.Errorf("%v\ngot  %q\nwant %q", err, got, want)
	}
}

// Of a memory in two clones one node stands and one source counts, unless its texts differ: then
// the second has its project's path behind its id.
func TestMemoriesOfClones(t *testing.T) {
	lines := []string{"pf-1 -speaks-> Nomad", "pf-2 -speaks-> Nomad", "pf-1 -links-> pf-2"}
	edited := func(id string) string {
		if id == "pf-2" {
			return "Another text.\n"
		}
		return same(id)
	}
	members := []graph.UnionMember{member("a", drawUnion(lines...), same), member("clone", drawUnion(lines...), edited)}
	w, err := graph.JoinGraphs(members).Walk(t.Context(), graph.Options{From: "Nomad", Depth: 2})
	if err != nil {
		t.Fatal(err)
	}
	speaks := " -" + graph.SpeaksOf + "-> Nomad"
	want := []string{"pf-1 of a -links-> pf-2 of a", "pf-1 of a -links-> pf-2@/p/clone of clone", "pf-1 of a" + speaks, "pf-2 of a" + speaks, "pf-2@/p/clone of clone" + speaks}
	if got := unionDrawn(t, w); !slices.Equal(got, want) {
		t.Errorf("\ngot  %q\nwant %q", got, want)
	}
	all, err := graph.JoinGraphs(members).Look(t.Context(), "Nomad")
	if err != nil || len(all) != 1 || all[0].Sources != 3 || len(all[0].Memories) != 3 {
		t.Fatalf("%v, %+v", err, all)
	}
	for _, m := range all[0].Memories {
		if m.ID != "pf-1" && m.ID != "pf-2" {
			t.Errorf("an entity names its memories by their ids: %q", m.ID)
		}
	}
}

// Of a vault that is asked for a part, what the others speak of is not there.
func TestAShareHasItsOwnMemories(t *testing.T) {
	d := drawUnion("pf-in -speaks-> Nomad", "pf-out -speaks-> Nomad", "pf-out -speaks-> Consul", "Nomad -needs-> Consul", "pf-in -links-> pf-out")
	m := member("part", d, same)
	m.Share = family.Share{Areas: []family.Area{{File: "pf-in.md", Folder: "pf-in", In: true}}}
	l, err := graph.JoinGraphs([]graph.UnionMember{m}).List(t.Context(), graph.Query{})
	if err != nil || len(l.Entities) != 1 || l.Entities[0].Name != "Nomad" || l.Entities[0].Sources != 1 {
		t.Errorf("%v, %+v", err, l.Entities)
	}
	w, err := graph.JoinGraphs([]graph.UnionMember{m}).Walk(t.Context(), graph.Options{From: "Nomad", Depth: 3})
	if got, want := unionDrawn(t, w), []string{"pf-in of part -" + graph.SpeaksOf + "-> Nomad"}; err != nil || !slices.Equal(got, want) {
		t.Errorf("%v: got %q, want %q", err, got, want)
	}
	if hits, err := graph.JoinGraphs([]graph.UnionMember{m}).Search(t.Context(), "Consul", 5, false); err != nil || len(hits) != 0 {
		t.Errorf("%v: found %+v", err, hits)
	}
}

// A search takes the best of each member in turn, each entity once with the sources of all, and
// no more than were asked for.
func TestSearchTakesTheBestOfEachInTurn(t *testing.T) {
	a := member("a", drawUnion("pf-1 -speaks-> db", "pf-2 -speaks-> db", "pf-1 -speaks-> db2"), of("a"))
	b := member("b", drawUnion("pf-3 -speaks-> db3", "pf-4 -speaks-> db3", "pf-5 -speaks-> db"), of("b"))
	hits, err := graph.JoinGraphs([]graph.UnionMember{a, b}).Search(t.Context(), "db", 2, false)
	if err != nil || len(hits) != 2 {
		t.Fatalf("%v, %+v", err, hits)
	}
	got := map[string]int{}
	for _, h := range hits {
		got[h.Name] = h.Sources
	}
	if want := map[string]int{"db": 3, "db3": 2}; !maps.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// A walk from a memory looks for it in one member after the other; what none has is an error.
func TestAWalkFromAMemory(t *testing.T) {
	a := member("a", drawUnion("pf-1 -speaks-> Nomad"), of("a"))
	b := member("b", drawUnion("pf-2 -speaks-> Nomad"), of("b"))
	w, err := graph.JoinGraphs([]graph.UnionMember{a, b}).Walk(t.Context(), graph.Options{From: "pf-2", Depth: 2})
	speaks := " -" + graph.SpeaksOf + "-> Nomad"
	if got, want := unionDrawn(t, w), []string{"pf-1 of a" + speaks, "pf-2 of b" + speaks}; err != nil || !slices.Equal(got, want) {
		t.Errorf("%v: got %q, want %q", err, got, want)
	}
	if _, err := graph.JoinGraphs([]graph.UnionMember{a, b}).Walk(t.Context(), graph.Options{From: "pf-9"}); vault.CodeOf(err) != vault.CodeNotFound {
		t.Errorf("got %v", err)
	}
}

package render

import (
	"slices"
	"strings"

	"github.com/cp-memory/cp/cmd/internal/knowledge"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/graph"
)

// Graph writes a graph: each node with the edges that begin at it.
func Graph(s Screen, g graph.Graph) {
	if len(g.Nodes) == 0 {
		s.Println("Nothing is known of entities yet: `cp memory fact add` says what a memory speaks of.")
		return
	}
	of := origins(s, g.Nodes)
	for i := range g.Nodes {
		n := &g.Nodes[i]
		s.Printf("%s  %s (%s)%s\n", n.ID, Line(n.Name), Line(n.Type), of(n))
		for _, e := range g.Edges {
			if e.From == n.ID {
				s.Printf("  —%s→ %s\n", Line(e.Relation), Line(g.Name(e.To)))
			}
		}
	}
	s.Printf("%s, %s", vault.Plural(len(g.Nodes), "node", "nodes"), vault.Plural(len(g.Edges), "edge", "edges"))
	if g.Total > len(g.Nodes) {
		s.Printf("; %d more: --limit shows them", g.Total-len(g.Nodes))
	}
	s.Printf("\n")
}

// origins returns what names the projects of a node, where that has to be said.
func origins(s Screen, all []graph.Node) func(*graph.Node) string {
	_, several := whose(s, all, func(n graph.Node) (name, path string) { return n.Project, n.ProjectPath })
	several = several || slices.ContainsFunc(all, func(n graph.Node) bool { return len(n.Projects) > 1 })
	return func(n *graph.Node) string {
		if !several || n.Project == "" {
			return ""
		}
		names := []string{Line(n.Project)}
		for i := 1; i < len(n.Projects); i++ {
			names = append(names, Line(n.Projects[i].Project))
		}
		return " [" + strings.Join(names, ", ") + "]"
	}
}

// Entities writes a list of entities.
func Entities(s Screen, all []graph.Node) {
	if len(all) == 0 {
		s.Println("No entities found.")
		return
	}
	of := origins(s, all)
	for _, n := range all {
		s.Printf("%s  %3d  %s (%s)%s", n.ID, n.Sources, Line(n.Name), Line(n.Type), of(&n))
		if n.Description != "" {
			s.Printf(": %s", Line(vault.Clip(n.Description, 100)))
		}
		s.Printf("\n")
	}
}

// NodeHits writes what a search for entities has found.
func NodeHits(s Screen, hits []graph.Hit) {
	if len(hits) == 0 {
		s.Println("No entities found.")
		return
	}
	var nodes []graph.Node
	for _, h := range hits {
		nodes = append(nodes, h.Node)
	}
	of := origins(s, nodes)
	for _, h := range hits {
		s.Printf("%s  %s (%s)%s\n", h.ID, Line(h.Name), Line(h.Type), of(&h.Node))
		if h.Description != "" {
			s.Printf("  %s\n", Line(h.Description))
		}
		for i, id := range h.MemoryIDs {
			if i == 5 {
				s.Printf("  … and %d more: %s memory entity %s\n", len(h.MemoryIDs)-i, s.Name, h.ID)
				break
			}
			s.Printf("  in %s\n", id)
		}
	}
}

// EntityPages writes all that is known of entities.
func EntityPages(s Screen, all []graph.Entity) {
	var nodes []graph.Node
	for _, e := range all {
		nodes = append(nodes, e.Node)
	}
	of := origins(s, nodes)
	for i, e := range all {
		if i > 0 {
			s.Printf("\n")
		}
		s.Printf("%s (%s)  %s%s\n", Line(e.Name), Line(e.Type), e.ID, of(&e.Node))
		if e.Description != "" {
			s.Printf("  %s\n", Line(e.Description))
		}
		for _, r := range e.Relations {
			s.Printf("  %s —%s→ %s\n", Line(r.From), Line(r.Relation), Line(r.To))
		}
		for _, m := range e.Memories {
			s.Printf("  in %s  %s%s\n", m.ID, Line(m.Title), of(&graph.Node{Origin: m.Origin}))
		}
		if e.Sources > len(e.Memories) {
			s.Printf("  and %s\n", vault.Plural(e.Sources-len(e.Memories), "more source", "more sources"))
		}
	}
}

// WriteCollected writes what a garbage collection has taken away, or would.
func WriteCollected(s Screen, c knowledge.Collected, dryRun bool) {
	verb := "removed"
	if dryRun {
		verb = "would be removed"
	}
	for _, id := range c.Facts {
		s.Printf("facts of %s\n", id)
	}
	s.Printf("%s %s; %s and %s of the graph, %s, %s\n", vault.Plural(len(c.Facts), "facts file", "facts files"), verb, vault.Plural(c.Nodes, "node", "nodes"),
		vault.Plural(c.Edges, "edge", "edges"), vault.Plural(c.Vectors, "vector", "vectors"), vault.Plural(c.Intents, "record of a finished write", "records of finished writes"))
}

// WriteImportedGraph writes what an import of another program's graph has brought.
func WriteImportedGraph(s Screen, r graph.FactsImported) {
	verb := "Imported"
	switch {
	case r.DryRun:
		verb = "Would import"
	case r.Unchanged:
		verb = "Unchanged:"
	}
	s.Printf("%s %s and %s, %s\n", verb, vault.Plural(r.Entities, "entity", "entities"), vault.Plural(r.Relations, "relation", "relations"), r.Path)
	for i, skipped := range r.Skipped {
		if i == maxSkipped {
			s.Printf("and %d more lines were skipped\n", len(r.Skipped)-i)
			break
		}
		s.Printf("skipped line %d: %s\n", skipped.Line, Line(skipped.Why))
	}
}

// maxSkipped is how many skipped lines are named.
const maxSkipped = 20

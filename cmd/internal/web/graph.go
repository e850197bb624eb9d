package web

import (
	"context"
	"html/template"
	"net/url"
	"strconv"

	"github.com/cp-memory/cp/cmd/internal/app"
	"github.com/cp-memory/cp/cmd/internal/ask"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/graph"
)

// deepest bounds how far from its middle a picture goes.
const deepest = 3

// walk walks the graph as the address asks.
func (c *call) walk(ctx context.Context, fam *ask.Family) (graph.Graph, int, error) {
	q := c.r.URL.Query()
	depth, _ := strconv.Atoi(q.Get("depth"))
	if depth < 1 || depth > deepest {
		depth = 1
	}
	g, err := fam.Graph(ctx, graph.Options{From: q.Get("of"), Depth: depth, Type: q.Get("type"), Limit: graph.DefaultLimit})
	return g, depth, err
}

// leads returns the address of a node.
func (c *call) leads(n graph.Node) string {
	if n.Memory {
		return c.to(n.ProjectPath) + "/m/" + url.PathEscape(n.ID)
	}
	if label, ok := graph.LabelOf(n.ID); ok {
		return c.baseAddress() + "/search?label=" + url.QueryEscape(label)
	}
	return c.baseAddress() + "/entity?name=" + url.QueryEscape(n.ID)
}

// edgeRow is an edge in the list beside the picture.
type edgeRow struct{ From, Relation, To, FromHref, ToHref string }

// graphBody is the body of a page with a graph.
type graphBody struct {
	Of     string
	Depth  int
	Depths []int
	Shown  int
	Total  int
	SVG    template.HTML
	Nodes  []linked
	Edges  []edgeRow
}

// graphPage shows the graph around a memory or an entity, as a picture and as a list.
func graphPage(c *call, ctx context.Context, _ *app.Session, fam *ask.Family) error {
	g, depth, err := c.walk(ctx, fam)
	if err != nil {
		return err
	}
	body := graphBody{Of: c.r.URL.Query().Get("of"), Depth: depth, Depths: []int{1, 2, 3}, Shown: len(g.Nodes), Total: g.Total, SVG: template.HTML(graph.DrawPicture(&g, c.leads))}
	href := make(map[string]string)
	for _, n := range g.Nodes {
		href[n.ID] = c.leads(n)
		body.Nodes = append(body.Nodes, linked{n, href[n.ID]})
	}
	for _, e := range g.Edges {
		body.Edges = append(body.Edges, edgeRow{g.Name(e.From), e.Relation, g.Name(e.To), href[e.From], href[e.To]})
	}
	title := "Graph"
	if body.Of != "" && len(g.Nodes) > 0 {
		title = "Graph of " + g.Nodes[0].Name
	}
	return c.answer(g, c.frame(title, "/graph"), "graph", body)
}

type linked struct {
	graph.Node
	Href string
}

// graphSVG is the picture alone, the same as the command line writes.
func graphSVG(c *call, ctx context.Context, _ *app.Session, fam *ask.Family) error {
	g, _, err := c.walk(ctx, fam)
	if err != nil {
		return err
	}
	return c.picture(graph.DrawPicture(&g, nil))
}

func (c *call) picture(svg string) error {
	c.w.Header().Set("Content-Type", "image/svg+xml")
	_, err := c.w.Write([]byte(svg))
	return err
}

// mapBody is the body of the map.
type mapBody struct {
	SVG  template.HTML
	Rows []graph.Area
}

// mapPage shows the vault as a map: each memory as large as what it and all below it say.
func mapPage(c *call, ctx context.Context, s *app.Session, fam *ask.Family) error {
	all, err := c.knowledge(s).Areas(ctx, func(id vault.ID) string { return c.to(fam.Members[0].Held[0].Path) + "/m/" + string(id) })
	if err != nil {
		return err
	}
	shown := graph.LargestAreas(all, pageRows)
	return c.answer(shown, c.frame("Map", "/map"), "map", mapBody{template.HTML(graph.DrawTreemap(shown)), shown})
}

// mapSVG is the map alone.
func mapSVG(c *call, ctx context.Context, s *app.Session) error {
	all, err := c.knowledge(s).Areas(ctx, nil)
	if err != nil {
		return err
	}
	return c.picture(graph.DrawTreemap(graph.LargestAreas(all, pageRows)))
}

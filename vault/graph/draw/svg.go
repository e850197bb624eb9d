package draw

import (
	"fmt"
	"math"
	"strings"

	"github.com/cp-memory/cp/vault/graph"
)

// The measures of a picture, in pixels.
const (
	ring   = 190 // between two circles of nodes
	apart  = 46  // between two nodes of a circle, at least
	margin = 130
	across = 8 // of a letter
)

// point is a place in a picture.
type point struct{ x, y float64 }

// places puts the nodes on circles around the middle, one for each distance from where the
// walk began, in the order in which they were met. A single first node is the middle.
func places(g *graph.Graph) (at map[string]point, radius float64) {
	var rings [][]string
	for _, n := range g.Nodes {
		for len(rings) <= n.Depth {
			rings = append(rings, nil)
		}
		rings[n.Depth] = append(rings[n.Depth], n.ID)
	}
	at = make(map[string]point, len(g.Nodes))
	for depth, ids := range rings {
		if depth > 0 || len(ids) > 1 {
			radius = max(radius+ring, float64(len(ids))*apart/(2*math.Pi))
		}
		for i, id := range ids {
			angle := 2*math.Pi*float64(i)/float64(len(ids)) - math.Pi/2
			if radius == 0 {
				angle = 0
			}
			at[id] = point{radius * math.Cos(angle), radius * math.Sin(angle)}
		}
	}
	return at, radius
}

func svg(g *graph.Graph) string {
	at, radius := places(g)
	half := radius + margin
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="%.0f %.0f %.0f %.0f" width="%.0f" height="%.0f" role="img" font-family="sans-serif" font-size="12">`+"\n", -half, -half, 2*half, 2*half, 2*half, 2*half)
	fmt.Fprintf(&b, "<title>%d nodes, %d edges</title>\n", len(g.Nodes), len(g.Edges))
	b.WriteString(`<defs><marker id="end" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0L8 4L0 8z" fill="#667"/></marker></defs>` + "\n")
	b.WriteString(`<g stroke="#99a" fill="none" marker-end="url(#end)">` + "\n")
	for _, e := range g.Edges {
		p, q := at[e.From], at[e.To]
		fmt.Fprintf(&b, `<path d="M%.1f %.1fL%.1f %.1f"><title>%s</title></path>`+"\n", p.x, p.y, q.x, q.y, escape(label(g.Name(e.From)+" "+e.Relation+" "+g.Name(e.To))))
	}
	b.WriteString("</g>\n" + `<g fill="#556" font-size="10" text-anchor="middle">` + "\n")
	for _, e := range g.Edges {
		p, q := at[e.From], at[e.To]
		fmt.Fprintf(&b, `<text x="%.1f" y="%.1f">%s</text>`+"\n", (p.x+q.x)/2, (p.y+q.y)/2-3, escape(label(e.Relation)))
	}
	b.WriteString("</g>\n" + `<g stroke="#446" text-anchor="middle">` + "\n")
	for _, n := range g.Nodes {
		b.WriteString(box(n, at[n.ID]))
	}
	b.WriteString("</g>\n</svg>\n")
	return b.String()
}

// box draws a node: a memory with corners, an entity round.
func box(n graph.Node, p point) string {
	name := []rune(label(n.Name))
	if len(name) > 24 {
		name = append(name[:23], '…')
	}
	wide, round, fill := float64(len(name)*across+18), 12, "#eef6ff"
	if n.Memory {
		round, fill = 2, "#fff8e6"
	}
	return fmt.Sprintf(`<g><title>%s</title><rect x="%.1f" y="%.1f" width="%.1f" height="24" rx="%d" fill="%s"/><text x="%.1f" y="%.1f" stroke="none" fill="#112">%s</text></g>`+"\n",
		escape(label(n.Name)+" ("+label(n.Type)+")"), p.x-wide/2, p.y-12, wide, round, fill, p.x, p.y+4, escape(string(name)))
}

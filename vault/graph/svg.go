package graph

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// NodeLink returns the address to which a node of a picture leads; empty is none. A nil Link
// leads nowhere.
type NodeLink func(n Node) string

// The measures of a picture, in pixels.
const (
	wide    = 210 // of a node
	high    = 30
	gapX    = 70
	gapY    = 26
	band    = 60 // between two layers
	margin  = 24
	fits    = 25 // letters in a node
	abreast = 5  // nodes of a layer beside each other
)

// seat is a node's place: its layer, and its column, which is 0 for what stands above and
// below the first node, and counts what is beside it to the left and to the right.
type seat struct{ layer, column int }

// point is the middle of a node.
type point struct{ x, y int }

// childOf is the relation of a memory and the one above it.
const childOf = "child-of"

// layOutNodes puts each node beside the first one by which it was met: what is above it in the tree
// a layer higher, what is below it a layer lower, and what it refers to, or is referred to by,
// at its sides.
func layOutNodes(g *Graph) map[string]seat {
	near := make(map[string][]Edge)
	for _, e := range g.Edges {
		near[e.From], near[e.To] = append(near[e.From], e), append(near[e.To], e)
	}
	at := make(map[string]seat, len(g.Nodes))
	var queue []string
	put := func(id string, s seat) {
		if _, there := at[id]; !there {
			at[id] = s
			queue = append(queue, id)
		}
	}
	known := make(map[string]bool, len(g.Nodes))
	for _, n := range g.Nodes {
		if known[n.ID] = true; n.Depth == 0 {
			put(n.ID, seat{})
		}
	}
	for next := 0; ; next++ {
		for ; next < len(queue); next++ {
			id := queue[next]
			for _, e := range near[id] {
				other, s := otherEnd(e, id, at[id])
				if known[other] {
					put(other, s)
				}
			}
		}
		lost := ""
		for _, n := range g.Nodes {
			if _, there := at[n.ID]; !there {
				lost = n.ID
				break
			}
		}
		if lost == "" {
			return at
		}
		put(lost, seat{layer: 1}) // its way here was cut off by the limit
		next--
	}
}

// otherEnd returns the other end of an edge, and its seat.
func otherEnd(e Edge, id string, s seat) (string, seat) {
	switch {
	case e.Relation == childOf && e.From == id:
		return e.To, seat{s.layer - 1, s.column}
	case e.Relation == childOf:
		return e.From, seat{s.layer + 1, s.column}
	case e.From == id:
		return e.To, seat{s.layer, s.column + 1}
	}
	return e.From, seat{s.layer, s.column - 1}
}

// grid is the nodes by their seats.
type grid struct {
	cells                       map[seat][]string
	top, bottom, leftmost, last int
}

func gridOf(g *Graph) grid {
	at := layOutNodes(g)
	out := grid{cells: make(map[seat][]string)}
	for _, n := range g.Nodes {
		s := at[n.ID]
		out.cells[s] = append(out.cells[s], n.ID)
		out.top, out.bottom = min(out.top, s.layer), max(out.bottom, s.layer)
		out.leftmost, out.last = min(out.leftmost, s.column), max(out.last, s.column)
	}
	return out
}

// abreastOf is how many nodes of a column stand beside each other: several in the middle, one
// at the sides.
func (g grid) abreastOf(column int) (n int) {
	for s, ids := range g.cells {
		if s.column == column {
			n = max(n, len(ids))
		}
	}
	if column != 0 {
		return min(n, 1)
	}
	return min(n, abreast)
}

// placeNodes returns the middles of the nodes, and the size of the picture.
func (g grid) placeNodes() (at map[string]point, width, height int) {
	at = make(map[string]point)
	left := make(map[int]int)
	x := margin
	for column := g.leftmost; column <= g.last; column++ {
		left[column] = x
		if n := g.abreastOf(column); n > 0 {
			x += n*(wide+gapX/2) - gapX/2 + gapX
		}
	}
	y := margin
	for layer := g.top; layer <= g.bottom; layer++ {
		rows := 0
		for column := g.leftmost; column <= g.last; column++ {
			ids, n := g.cells[seat{layer, column}], max(g.abreastOf(column), 1)
			for i, id := range ids {
				lead := 0
				if row := min(len(ids)-i/n*n, n); row < n { // a row that is not full stands in the middle
					lead = (n - row) * (wide + gapX/2) / 2
				}
				at[id] = point{left[column] + lead + i%n*(wide+gapX/2) + wide/2, y + i/n*(high+gapY) + high/2}
			}
			rows = max(rows, (len(ids)+n-1)/n)
		}
		if rows > 0 {
			y += rows*(high+gapY) - gapY + band
		}
	}
	return at, max(x-gapX+margin, 2*margin), max(y-band+margin, 2*margin)
}

func svg(g *Graph) string { return DrawPicture(g, nil) }

// Dark are the rules of a style sheet for who has asked for dark colours. What a picture says of
// its colours itself is for all others.
const Dark = `@media (prefers-color-scheme: dark) { svg .paper { fill: #16181c } svg .edge { stroke: #7b8190 } svg .arrow, svg .word { fill: #a9adb6 } svg .box { stroke: #9aa3c0 } svg .name { fill: #e6e6e3 } svg .entity, svg .l0 { fill: #1f2f45 } svg .memory, svg .l1 { fill: #3a3320 } svg .l2 { fill: #22331f } }`

// DrawPicture draws a graph in layers: what is above the first node in the tree over it, what is
// below it under it, and references at its sides. An edge that is no part of the tree is
// dashed. With a link nodes lead somewhere, and the picture is a part of a page, whose style sheet
// has [Dark]; without one it is a file of its own, which has it itself.
func DrawPicture(g *Graph, link NodeLink) string {
	g = orderEdges(g)
	at, width, height := gridOf(g).placeNodes()
	role := "img"
	if link != nil {
		role = "group"
	}
	said := fmt.Sprintf("%d nodes, %d edges", len(g.Nodes), len(g.Edges))
	if g.Total > len(g.Nodes) {
		said = fmt.Sprintf("%d of %d nodes, %d edges", len(g.Nodes), g.Total, len(g.Edges))
	}
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" role="%s" aria-label="%s" font-family="sans-serif" font-size="13">`+"\n", width, height, width, height, role, said)
	fmt.Fprintf(&b, "<title>%s</title>\n", said)
	if link == nil {
		b.WriteString("<style>" + Dark + "</style>\n")
	}
	fmt.Fprintf(&b, `<rect class="paper" width="%d" height="%d" fill="#fff"/>`+"\n", width, height)
	b.WriteString(`<defs><marker id="end" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path class="arrow" d="M0 0L8 4L0 8z" fill="#556"/></marker></defs>` + "\n")
	for _, e := range g.Edges {
		b.WriteString(drawEdge(g, e, at[e.From], at[e.To]))
	}
	for _, n := range g.Nodes {
		b.WriteString(box(n, at[n.ID], link))
	}
	b.WriteString("</svg>\n")
	return b.String()
}

// orderEdges returns the graph with its edges in the order of its nodes, so that the picture does
// not depend on the ids, which are other ones in each vault.
func orderEdges(g *Graph) *Graph {
	place := make(map[string]int, len(g.Nodes))
	for i, n := range g.Nodes {
		place[n.ID] = i
	}
	out := *g
	out.Edges = slices.Clone(g.Edges)
	slices.SortStableFunc(out.Edges, func(a, b Edge) int {
		return cmp.Or(place[a.From]-place[b.From], place[a.To]-place[b.To], strings.Compare(a.Relation, b.Relation))
	})
	return &out
}

// drawEdge draws an edge, from the border of one node to that of the other.
func drawEdge(g *Graph, e Edge, from, to point) string {
	dash := ` stroke-dasharray="5 4"`
	if e.Relation == childOf {
		dash = ""
	}
	said := escape(label(g.Name(e.From) + " " + e.Relation + " " + g.Name(e.To)))
	switch {
	case e.From == e.To:
		return fmt.Sprintf(`<path class="edge" d="M%d %dc20 -26 46 -10 30 8" stroke="#889" fill="none" marker-end="url(#end)"%s><title>%s</title></path>`+"\n", from.x+wide/2-30, from.y-high/2, dash, said)
	case from.y == to.y:
		side := wide / 2
		if from.x > to.x {
			side = -side
		}
		from.x, to.x = from.x+side, to.x-side
	default:
		side := high / 2
		if from.y > to.y {
			side = -side
		}
		from.y, to.y = from.y+side, to.y-side
	}
	out := fmt.Sprintf(`<path class="edge" d="M%d %dL%d %d" stroke="#889" fill="none" marker-end="url(#end)"%s><title>%s</title></path>`+"\n", from.x, from.y, to.x, to.y, dash, said)
	if e.Relation == childOf {
		return out
	}
	return out + fmt.Sprintf(`<text class="word" x="%d" y="%d" fill="#445" font-size="10" text-anchor="middle">%s</text>`+"\n", (from.x+to.x)/2, (from.y+to.y)/2-4, escape(cutLetters(label(e.Relation), 14)))
}

// cutLetters returns at most n letters.
func cutLetters(s string, n int) string {
	runes := []rune(s)
	if len(runes) > n {
		return string(runes[:n-1]) + "…"
	}
	return s
}

// box draws a node: a memory with corners, an entity round, the first one with a thick line.
func box(n Node, p point, link NodeLink) string {
	kind, round, fill, thick := "entity", high/2, "#eef6ff", 1
	if n.Memory {
		kind, round, fill = "memory", 3, "#fff8e6"
	}
	if n.Depth == 0 {
		thick = 3
	}
	open, end := "<g>", "</g>"
	if link != nil && link(n) != "" {
		open, end = `<a href="`+escape(link(n))+`">`, "</a>"
	}
	return fmt.Sprintf(`%s<title>%s</title><rect class="box %s" x="%d" y="%d" width="%d" height="%d" rx="%d" fill="%s" stroke="#446" stroke-width="%d"/><text class="name" x="%d" y="%d" fill="#112" text-anchor="middle">%s</text>%s`+"\n",
		open, escape(label(n.Name)+" ("+label(n.Type)+")"), kind, p.x-wide/2, p.y-high/2, wide, high, round, fill, thick, p.x, p.y+5, escape(cutLetters(label(n.Name), fits)), end)
}

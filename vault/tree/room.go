package tree

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/cp-memory/cp/vault"
)

// room is what an answer may take, in tokens and in rows; 0 is without bounds.
type room struct{ tokens, rows int }

func (r room) endless() bool { return r == room{} }

// withBounds returns r with bounds that nothing reaches where there are none.
func (r room) withBounds() room {
	return room{cmp.Or(r.tokens, math.MaxInt), cmp.Or(r.rows, math.MaxInt)}
}

// takeRow takes the place of a row of that many tokens, and reports whether there was room.
func (r *room) takeRow(tokens int) bool {
	r.tokens, r.rows = r.tokens-tokens, r.rows-1
	return r.tokens >= 0 && r.rows >= 0
}

// affordable marks the nodes that there is room for, level by level from the top,
// so that what is left out is the deepest. Without bounds all fit. The folders of a
// level come first, then the memories that lie in none; heads are those that fit. Within a number
// of tokens they take half of it at the most. One row that would take more than a quarter of the
// tokens is cut to that; if it has no room then, it is left out with what is below it, and not the
// rest. Where no node fits, the first one is there with what is left of its title, without its
// folder if that is too long.
func affordable(nodes []vault.Node, left room) (kept []bool, heads map[vault.Path]bool) {
	kept, heads = make([]bool, len(nodes)), make(map[vault.Path]bool)
	if left.endless() {
		for i := range nodes {
			if kept[i] = true; nodes[i].In != "" {
				heads[nodes[i].In] = true
			}
		}
		return kept, heads
	}
	a := affording{nodes: nodes, above: parents(nodes), kept: kept, heads: heads, left: left.withBounds(), long: left.withBounds().tokens / 4}
	levels := byDepth(nodes)
	for depth := range len(levels) {
		if !a.level(levels[depth]) {
			break
		}
	}
	if left.tokens > 0 && len(nodes) > 0 && !slices.Contains(kept, true) {
		first := levels[0][0]
		if n := &nodes[first]; headTokens(n.In) > left.tokens/2 {
			n.In = "" // its folder has no room
		}
		shorten(&nodes[first], left.tokens)
		kept[first] = true
	}
	return kept, heads
}

// byDepth returns the places of the nodes of each level, those in no folder first.
func byDepth(nodes []vault.Node) map[int][]int {
	levels := make(map[int][]int)
	for i := range nodes {
		depth := nodes[i].Depth - nodes[0].Depth
		levels[depth] = append(levels[depth], i)
	}
	for _, level := range levels {
		slices.SortStableFunc(level, func(a, b int) int { return compareLoose(nodes[a].In, nodes[b].In) })
	}
	return levels
}

// leastRow are the tokens of a row that is cut and still says something.
const leastRow = vault.PointerCost + 8

// affording is what affordable does, under way.
type affording struct {
	nodes []vault.Node
	above []int // the place of each node's parent, or -1
	kept  []bool
	heads map[vault.Path]bool
	left  room
	long  int // tokens of a row that is cut
}

// level takes what there is room for of a level. It reports whether there may be room for more.
func (a *affording) level(level []int) bool {
	room := a.takeFolders(level)
	for _, i := range level {
		n := &a.nodes[i]
		if a.above[i] >= 0 && !a.kept[a.above[i]] {
			continue
		}
		if cost := n.PointerTokens(); cost > a.long && cost > a.left.tokens {
			if a.long < leastRow || a.long > a.left.tokens {
				continue
			}
			shorten(n, a.long)
		}
		if !a.left.takeRow(n.PointerTokens()) {
			return false
		}
		a.kept[i] = true
	}
	return room
}

// takeFolders takes the rows of a level's folders. It reports whether there was room for all.
func (a *affording) takeFolders(level []int) bool {
	most := room{a.left.tokens / 2, a.left.rows}
	if a.left.tokens == math.MaxInt {
		most.tokens = a.left.tokens
	}
	for _, i := range level {
		in := a.nodes[i].In
		if in == "" || a.heads[in] {
			continue
		}
		if !most.takeRow(headTokens(in)) {
			return false
		}
		a.left.takeRow(headTokens(in))
		a.heads[in] = true
	}
	return true
}

// shorten cuts what a row says, so that it costs at most so many tokens as far as it can be cut.
func shorten(n *vault.Node, tokens int) {
	n.Title, n.Summary = BriefLine(n.Title, n.Summary, func(title, phrase string) bool {
		return vault.PointerCost+vault.Tokens(title)+vault.Tokens(phrase) <= tokens
	})
}

// parents returns the place of each node's parent in a depth-first walk, or -1.
func parents(nodes []vault.Node) []int {
	above, way := make([]int, len(nodes)), []int{}
	for i := range nodes {
		for len(way) > 0 && nodes[way[len(way)-1]].Depth >= nodes[i].Depth {
			way = way[:len(way)-1]
		}
		if above[i] = -1; len(way) > 0 {
			above[i] = way[len(way)-1]
		}
		way = append(way, i)
	}
	return above
}

// compareLoose sorts what lies in no transparent folder before the rest, and that by depth.
func compareLoose(a, b vault.Path) int { return folderDepth(a) - folderDepth(b) }

func folderDepth(dir vault.Path) int { return min(len(dir), 1) + strings.Count(string(dir), "/") }

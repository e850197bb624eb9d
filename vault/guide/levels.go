package guide

import (
	"cmp"
	"context"
	"math"
	"path"
	"slices"

	"github.com/cp-memory/cp/vault"
)

// Folder is a level: the memories of one folder that weigh most, the best first.
type Folder struct {
	Folder   vault.Path `json:"folder"`              // "" is the vault's own
	Parent   vault.ID   `json:"parent_id,omitempty"` // the memory whose folder it is
	Weight   float64    `json:"weight,omitempty"`    // that of its best memory; absent within a budget
	Count    int        `json:"count"`               // open memories that lie in it
	Memories []Pointer  `json:"memories"`
}

// Pointer is what is told of a memory that was not read.
type Pointer struct {
	ID     vault.ID `json:"id"`
	Title  string   `json:"title"`
	Phrase string   `json:"phrase,omitempty"`
	Weight float64  `json:"weight,omitempty"`      // with two decimals
	New    bool     `json:"provisional,omitempty"` // as in Step
	vault.Mark
}

// Found is a memory that a ranking found, with its weight from 0 to 1.
type Found struct {
	ID     vault.ID
	Weight float64
}

// MostFound is how many memories a walk tells at the most, those it reads left out. More of
// a ranking is no use to it.
const MostFound = 100

const (
	usualPointers = 20  // without a budget
	pointed       = 10  // a forest is flat if at most one root of so many has a pointer block
	faint         = 0.1 // of the best weight; a memory below that is not told
)

// flat reports whether pointers lead to next to nothing, so that folders are the levels.
func flat(roots []vault.Node) bool {
	blocks := 0
	for i := range roots {
		if roots[i].HasBlock {
			blocks++
		}
	}
	return blocks*pointed <= len(roots)
}

// ranked is a memory with its weight.
type ranked struct {
	candidate
	below vault.ID // its parent, if it lies in that one's own folder
}

// level notes all open memories that weigh anything, the heaviest first: those that a
// ranking found before those whose titles, phrases, file names and folders weigh.
func (g *walker) level(ctx context.Context) error {
	nodes, err := g.tree.Walk(ctx, vault.WalkOptions{Root: g.o.Under, Dir: g.o.Dir, Outline: true, Uncounted: true})
	if err != nil {
		return err
	}
	nodes = slices.DeleteFunc(nodes, func(n vault.Node) bool { return n.Status == vault.StatusClosed || n.ID == g.o.Under })
	weights, err := g.weigh(ctx, nodes)
	if err != nil {
		return err
	}
	g.rank(nodes, weights)
	return nil
}

// rank orders what weighs anything.
func (g *walker) rank(nodes []vault.Node, weights []float64) {
	found := make(map[vault.ID]float64, len(g.o.Found))
	for _, f := range g.o.Found {
		found[f.ID] = f.Weight
	}
	g.in = make(map[vault.Path]int)
	owns := make(map[vault.ID]vault.Path)
	for i := range nodes {
		owns[nodes[i].ID] = nodes[i].Folder()
	}
	least := faint * slices.Max(append(weights, 0))
	for i := range nodes {
		n, dir := &nodes[i], nodes[i].Path.Dir()
		g.in[dir]++
		w, ok := found[n.ID]
		if !ok && (weights[i] == 0 || weights[i] < least) {
			continue
		}
		r := ranked{candidate: candidate{*n, weights[i], 0}}
		if owns[n.Parent] == dir {
			r.below = n.Parent
		}
		if ok {
			r.weight, r.before = w, 1
		}
		g.ranked = append(g.ranked, r)
	}
	slices.SortStableFunc(g.ranked, func(a, b ranked) int { return cmp.Compare(b.rank(), a.rank()) })
	g.walk.Weighed += len(nodes)
	for _, r := range g.ranked {
		g.atHand = append(g.atHand, r.candidate)
	}
}

// weigh weighs memories: each by its title, phrase and file name, and by half of what the
// folders above it weigh, as the walk adds half of a parent's weight.
func (g *walker) weigh(ctx context.Context, nodes []vault.Node) ([]float64, error) {
	texts := make([]string, len(nodes))
	at := make(map[vault.Path]int)
	var dirs []vault.Path
	for i := range nodes {
		n := &nodes[i]
		texts[i] = n.Title + "\n" + n.Summary + "\n" + n.Path.Base()
		for dir := n.Path.Dir(); dir != ""; dir = dir.Dir() {
			if _, ok := at[dir]; ok {
				break
			}
			at[dir] = len(nodes) + len(dirs)
			dirs = append(dirs, dir)
		}
	}
	for _, dir := range dirs {
		texts = append(texts, path.Base(string(dir)))
	}
	weights, err := g.tree.Weigh(ctx, g.o.Question, texts, nil)
	if err != nil {
		return nil, err
	}
	var above func(vault.Path) float64
	above = func(dir vault.Path) float64 {
		if dir == "" {
			return 0
		}
		return weights[at[dir]] + inherited*above(dir.Dir())
	}
	for i := range nodes {
		weights[i] += inherited * above(nodes[i].Path.Dir())
	}
	return weights[:len(nodes)], nil
}

// tell tells the first n of the ranked memories by folder, with the phrases of the first of them.
func (g *walker) tell(n, phrases int) {
	type place struct {
		dir    vault.Path
		parent vault.ID
	}
	at := make(map[place]int)
	g.walk.Folders, g.walk.Phrases = nil, 0
	for i, r := range g.ranked[:n] {
		in := place{r.Path.Dir(), r.below}
		if i >= phrases {
			r.Summary = ""
		}
		if g.o.Budget > 0 {
			r.weight = 0 // the order says enough
		}
		k, ok := at[in]
		if !ok {
			k = len(g.walk.Folders)
			at[in] = k
			g.walk.Folders = append(g.walk.Folders, Folder{Folder: in.dir, Parent: in.parent, Weight: short(r.weight), Count: g.in[in.dir]})
		}
		g.walk.Phrases += r.PointerTokens()
		f := &g.walk.Folders[k]
		f.Memories = append(f.Memories, Pointer{ID: r.ID, Title: r.Title, Phrase: r.Summary, Weight: short(r.weight), New: r.ID.Provisional(), Mark: g.marks[r.ID]})
	}
	g.walk.Tokens = g.walk.Phrases + g.read
}

// short is a weight with two decimals.
func short(weight float64) float64 { return math.Round(weight*100) / 100 }

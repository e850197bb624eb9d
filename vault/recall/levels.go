package recall

import (
	"cmp"
	"context"
	"math"
	"path"
	"slices"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/tree"
)

// WalkFolder is a level: the memories of one folder that weigh most, the best first.
type WalkFolder struct {
	Folder   vault.Path    `json:"folder"`              // "" is the vault's own
	Parent   vault.ID      `json:"parent_id,omitempty"` // the memory whose folder it is
	Weight   float64       `json:"weight,omitempty"`    // that of its best memory; absent within a budget
	Count    int           `json:"count"`               // open memories that lie in it
	Memories []WalkPointer `json:"memories"`
}

// WalkPointer is what is told of a memory that was not read.
type WalkPointer struct {
	ID     vault.ID `json:"id"`
	Title  string   `json:"title"`
	Phrase string   `json:"phrase,omitempty"`
	Weight float64  `json:"weight,omitempty"`      // with two decimals
	New    bool     `json:"provisional,omitempty"` // as in Step
	vault.Mark
}

// Ranked is a memory that a ranking found, with its weight from 0 to 1.
type Ranked struct {
	Path   vault.Path
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

// flat reports whether pointers lead to next to nothing, so that folders are the levels. blocks
// is how many of the roots have a pointer block.
func flat(roots, blocks int) bool { return blocks*pointed <= roots }

// blocks counts memories, and those with a pointer block.
func blocks(nodes []vault.Node) (all, with int) {
	for i := range nodes {
		if nodes[i].HasBlock {
			with++
		}
	}
	return len(nodes), with
}

// ranked is a memory with its weight.
type ranked struct {
	walkCandidate
	below vault.ID // its parent, if it lies in that one's own folder
}

// level notes the memories of a forest that weigh most, the heaviest first: those that a
// ranking found before those whose titles, phrases, file names and folders weigh.
func (g *walker) level(ctx context.Context, forest []tree.Titled) error {
	weights, err := g.weigh(ctx, forest)
	if err != nil {
		return err
	}
	g.walk.Weighed += len(forest)
	best := g.rank(forest, weights)
	nodes, err := g.loadMemories(ctx, forest, best)
	if err != nil {
		return err
	}
	for _, b := range best {
		n, ok := nodes[forest[b.at].Path]
		if !ok {
			continue
		}
		n.Summary = forest[b.at].Phrase
		r := ranked{walkCandidate: walkCandidate{n, b.weight, b.before}}
		if n.In == "" {
			r.below = n.Parent
		}
		g.ranked = append(g.ranked, r)
		g.atHand = append(g.atHand, r.walkCandidate)
	}
	return nil
}

// loadMemories loads memories whole.
func (g *walker) loadMemories(ctx context.Context, forest []tree.Titled, best []weighty) (map[vault.Path]vault.Node, error) {
	files := make([]vault.Path, len(best))
	for i, b := range best {
		files[i] = forest[b.at].Path
	}
	nodes, err := g.tree.Nodes(ctx, files)
	at := make(map[vault.Path]vault.Node, len(nodes))
	for _, n := range nodes {
		at[n.Path] = n
	}
	return at, err
}

// weighty is a memory of a forest with its weight.
type weighty struct {
	at             int // its place in the forest
	weight, before float64
}

func (w weighty) rank() float64 { return w.before + w.weight }

// heavier orders by weight, and what weighs alike by path.
func heavier(a, b weighty) int { return cmp.Or(cmp.Compare(b.rank(), a.rank()), a.at-b.at) }

// rank returns what weighs most, the heaviest first: as many memories as a walk can tell of.
// It counts those that weigh less, and how many memories lie in each folder.
func (g *walker) rank(forest []tree.Titled, weights []float64) []weighty {
	found := make(map[vault.Path]float64, len(g.o.Found))
	for _, f := range g.o.Found {
		found[f.Path] = f.Weight
	}
	g.in = make(map[vault.Path]int)
	best := heaviest{most: MostFound + g.o.Steps}
	least := faint * slices.Max(append(weights, 0))
	for i := range forest {
		g.in[forest[i].Path.Dir()]++
		if w, ok := found[forest[i].Path]; ok {
			best.addWeighty(weighty{i, w, 1})
		} else if weights[i] > 0 && weights[i] >= least {
			best.addWeighty(weighty{i, weights[i], 0})
		}
	}
	all := best.sortKept()
	g.more = best.all - len(all)
	return all
}

// heaviest keeps the heaviest of many memories.
type heaviest struct {
	most int
	kept []weighty
	all  int
}

// addWeighty adds a memory. What is kept is sorted each time that it has doubled.
func (h *heaviest) addWeighty(w weighty) {
	h.all++
	h.kept = append(h.kept, w)
	if len(h.kept) >= 2*h.most {
		h.sortKept()
	}
}

func (h *heaviest) sortKept() []weighty {
	slices.SortFunc(h.kept, heavier)
	h.kept = h.kept[:min(len(h.kept), h.most)]
	return h.kept
}

// weigh weighs memories: each by its title, phrase and file name, and by half of what the
// folders above it weigh, as the walk adds half of a parent's weight.
func (g *walker) weigh(ctx context.Context, forest []tree.Titled) ([]float64, error) {
	texts := make([]string, len(forest))
	at := make(map[vault.Path]int)
	var dirs []vault.Path
	for i := range forest {
		n := &forest[i]
		texts[i] = n.Title + "\n" + n.Phrase + "\n" + n.Path.Base()
		for dir := n.Path.Dir(); dir != ""; dir = dir.Dir() {
			if _, ok := at[dir]; ok {
				break
			}
			at[dir] = len(forest) + len(dirs)
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
	for i := range forest {
		weights[i] += inherited * above(forest[i].Path.Dir())
	}
	return weights[:len(forest)], nil
}

// tellRanked tells the first n of the ranked memories by folder, with the phrases of the first of them.
func (g *walker) tellRanked(n, phrases int) {
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
			told := in.dir
			if g.clipped {
				told = vault.Path(vault.Clip(string(in.dir), longFolder))
			}
			g.walk.Folders = append(g.walk.Folders, WalkFolder{Folder: told, Parent: in.parent, Weight: roundWeight(r.weight), Count: g.in[in.dir]})
		}
		g.walk.Phrases += r.PointerTokens()
		f := &g.walk.Folders[k]
		f.Memories = append(f.Memories, WalkPointer{ID: r.ID, Title: r.Title, Phrase: r.Summary, Weight: roundWeight(r.weight), New: r.ID.Provisional(), Mark: g.marks[r.ID]})
	}
	g.walk.Tokens = g.walk.Phrases + g.read
}

// roundWeight is a weight with two decimals.
func roundWeight(weight float64) float64 { return math.Round(weight*100) / 100 }

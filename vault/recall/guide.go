package recall

import (
	"cmp"
	"context"
	"slices"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/tree"
)

// WalkOptions say what to look for. The zero value asks nothing.
type WalkOptions struct {
	Question string
	Steps    int `flag:"steps" help:"<memories> to read at the most"`                        // 0 means 5, within a budget 20, and 3 beside folders
	Budget   int `flag:"budget" help:"<tokens> of the answer at the most, as it is printed"` // 0 is unlimited

	// Measure returns the tokens of an answer as it is printed; nil is an estimate.
	Measure func(Walk) int

	Under vault.ID   // only below this memory; empty is the whole vault
	Dir   vault.Path // only in this folder

	// Found is what a ranking found, such as that of recall; it is told with its folders,
	// before what titles and phrases lead to.
	Found []Ranked

	Titles tree.ReadTitles // of the vault
}

// Walk is the way that was taken.
type Walk struct {
	Question string     `json:"question"`
	Steps    []WalkStep `json:"steps"`

	// Folders are the levels of a flat forest, or those of what was found: the folders whose
	// memories weigh most.
	Folders []WalkFolder `json:"folders,omitempty"`

	Stopped string `json:"stopped"`
	Weighed int    `json:"weighed"` // phrases in all
	Tokens  int    `json:"tokens"`  // read in all, as vault.Tokens estimates
	Phrases int    `json:"phrase_tokens"`

	within bool // a budget, which is spent on folders
}

// HasFolderLines reports whether a program gets the walk with a line for each of its folders, since it
// is within a budget.
func (w Walk) HasFolderLines() bool { return w.within && len(w.Folders) > 0 }

// WalkStep is one memory that was read.
type WalkStep struct {
	ID      vault.ID     `json:"id"`
	Title   string       `json:"title"`
	Path    vault.Path   `json:"path"`
	Depth   int          `json:"depth"`
	Phrase  string       `json:"phrase"`
	Weight  float64      `json:"weight"`
	Tokens  int          `json:"tokens"`                // of its text
	Passed  []WalkPassed `json:"passed"`                // what weighed most of the rest that was at hand
	Weighed int          `json:"weighed"`               // how many that were
	New     bool         `json:"provisional,omitempty"` // it has no id of its own yet
	vault.Mark
}

// WalkPassed is a memory that was at hand and not taken.
type WalkPassed struct {
	ID     vault.ID `json:"id"`
	Title  string   `json:"title"`
	Phrase string   `json:"phrase"`
	Weight float64  `json:"weight"`
	New    bool     `json:"provisional,omitempty"` // as in Step
}

// The reasons why a walk ends. They are promises: add, never change.
const (
	StoppedSteps   = "enough was read"
	StoppedNothing = "no phrase at hand has a word of the question"
	StoppedWeak    = "what is left at hand weighs less than half of the best"
	StoppedEnd     = "there is nothing below"
	StoppedBudget  = "the budget is spent"
	StoppedEmpty   = "the vault is empty"
)

const (
	usualSteps  = 5
	budgetSteps = 20 // within a budget, since a line of each costs little
	levelSteps  = 3  // within one beside folders, whose lines cost less
	passedMost  = 3
	inherited   = 0.5 // of the parent's weight
	enough      = 0.5 // of the best weight; a memory below that is not read
)

// walker is a walk under way.
type walker struct {
	vault   *vault.Vault
	tree    vault.Tree
	o       WalkOptions
	walk    Walk
	best    float64 // the greatest weight of a memory that was read
	atHand  []walkCandidate
	wide    bool               // folders are the levels
	ranked  []ranked           // the best of what weighs anything, if so
	more    int                // how many weigh less than those, but something
	read    int                // tokens of the texts on the way
	clipped bool               // there is no room for a whole line
	in      map[vault.Path]int // how many memories lie in a folder
	marks   map[vault.ID]vault.Mark
}

type walkCandidate struct {
	vault.Node
	weight float64
	before float64 // 1 if a ranking found it, so that it comes before the others
}

// rank is what candidates are ordered by.
func (c *walkCandidate) rank() float64 { return c.before + c.weight }

// TakeWalk walks. It reads the files of the memories on the way. These do not count as read,
// since no person or agent has read them.
func TakeWalk(ctx context.Context, v *vault.Vault, o WalkOptions) (Walk, error) {
	if o.Measure == nil {
		o.Measure = walkEstimate
	}
	g := walker{vault: v, o: o, walk: Walk{Question: o.Question, Steps: []WalkStep{}}}
	if err := v.View(ctx, vault.Scope{}, func(t vault.Tree) error { return g.walkInView(ctx, t) }); err != nil {
		return g.walk, err
	}
	return g.walk, g.shorten()
}

// walkInView walks in a view of the vault.
func (g *walker) walkInView(ctx context.Context, t vault.Tree) error {
	g.tree = t
	roots, forest, err := g.beginWalk(ctx)
	if err != nil {
		return err
	}
	g.wide = g.o.Dir != "" || len(forest) > 0
	if !g.wide && len(roots) == 0 {
		if g.walk.Stopped = StoppedEmpty; g.o.Under != "" {
			g.walk.Stopped = StoppedEnd
		}
		return nil
	}
	if g.marks, err = g.vault.Marks(ctx, t); err != nil {
		return err
	}
	g.o.Steps = cmp.Or(g.o.Steps, g.usual())
	if !g.wide {
		if err := g.addAtHand(ctx, roots, 0); err != nil {
			return err
		}
		return g.steps(ctx)
	}
	g.walk.within = g.o.Budget > 0
	if err := g.level(ctx, forest); err != nil {
		return err
	}
	return g.spread(func() error { return g.steps(ctx) })
}

// beginWalk returns where the walk begins: roots, or where folders are the levels all memories of
// the forest.
func (g *walker) beginWalk(ctx context.Context) (roots []vault.Node, forest []tree.Titled, err error) {
	scope := tree.TitleScope{Dir: g.o.Dir}
	switch {
	case g.o.Under != "":
		if roots, err = g.tree.Children(ctx, g.o.Under); err != nil {
			return nil, nil, err
		}
		if roots = slices.DeleteFunc(roots, shut); len(roots) == 0 || !flat(blocks(roots)) && len(g.o.Found) == 0 {
			return roots, nil, nil
		}
		top, err := g.tree.Find(ctx, string(g.o.Under))
		if err != nil {
			return nil, nil, err
		}
		scope.Dir = top.Folder()
	case g.o.Dir == "" && len(g.o.Found) == 0:
		scope.If = flat
	}
	err = g.o.Titles(ctx, scope, func(n tree.Titled) {
		if g.o.Under == "" || n.ID != g.o.Under {
			forest = append(forest, n)
		}
	})
	if err == nil && len(forest) == 0 && g.o.Dir == "" {
		roots, err = g.tree.Roots(ctx)
	}
	return roots, forest, err
}

// usual is how many memories are read unless the options say so.
func (g *walker) usual() int {
	switch {
	case g.o.Budget == 0:
		return usualSteps
	case g.wide:
		return levelSteps
	}
	return budgetSteps
}

// steps reads until the walk ends.
func (g *walker) steps(ctx context.Context) error {
	for g.walk.Stopped == "" {
		if err := g.step(ctx); err != nil {
			return err
		}
	}
	return nil
}

// addAtHand puts memories at hand.
func (g *walker) addAtHand(ctx context.Context, nodes []vault.Node, above float64) error {
	phrases := make([]string, len(nodes))
	for i, n := range nodes {
		phrases[i] = n.Title + "\n" + n.Summary
		cost := n.PointerTokens()
		g.walk.Phrases += cost
		g.walk.Tokens += cost
	}
	g.walk.Weighed += len(nodes)
	weights, err := g.tree.Weigh(ctx, g.o.Question, phrases, nil)
	if err != nil {
		return err
	}
	for i, n := range nodes {
		weight := weights[i]
		if weight > 0 || above > 0 {
			weight += inherited * above
		}
		g.atHand = append(g.atHand, walkCandidate{n, weight, 0})
	}
	slices.SortStableFunc(g.atHand, func(a, b walkCandidate) int { return cmp.Compare(b.weight, a.weight) })
	return nil
}

// step reads the memory that weighs most, or says why the walk ends.
func (g *walker) step(ctx context.Context) error {
	switch {
	case len(g.walk.Steps) == g.o.Steps:
		g.walk.Stopped = StoppedSteps
	case len(g.atHand) == 0 && g.wide && len(g.walk.Steps) == 0 && g.walk.Weighed > 0:
		g.walk.Stopped = StoppedNothing
	case len(g.atHand) == 0:
		g.walk.Stopped = StoppedEnd
	case g.atHand[0].rank() == 0:
		g.walk.Stopped = StoppedNothing
	case g.atHand[0].rank() < enough*g.best:
		g.walk.Stopped = StoppedWeak
	}
	if g.walk.Stopped != "" {
		return nil
	}
	best := g.atHand[0]
	doc, _, err := g.vault.Store.Read(best.Path)
	if err != nil {
		return err
	}
	g.noteStep(best, vault.Tokens(vault.Parse(best.Path, doc).Prose))
	if !g.fitBudget() {
		g.walk.Stopped = StoppedBudget
		return nil
	}
	if g.wide {
		return nil
	}
	children, err := g.tree.Children(ctx, best.ID)
	if err != nil {
		return err
	}
	return g.addAtHand(ctx, slices.DeleteFunc(children, shut), best.weight)
}

// shut reports whether a memory is out of use.
func shut(n vault.Node) bool { return n.Status == vault.StatusClosed || !n.InTree() }

// noteStep notes the step.
func (g *walker) noteStep(best walkCandidate, tokens int) {
	g.atHand = g.atHand[1:]
	s := WalkStep{ID: best.ID, New: best.ID.Provisional(), Title: best.Title, Path: best.Path, Depth: best.Depth, Phrase: best.Summary, Weight: best.weight,
		Tokens: tokens, Weighed: len(g.atHand) + g.more + 1, Passed: []WalkPassed{}, Mark: g.marks[best.ID]}
	for _, c := range g.atHand[:min(passedMost, len(g.atHand))] {
		if c.weight > 0 && !g.wide {
			s.Passed = append(s.Passed, WalkPassed{ID: c.ID, New: c.ID.Provisional(), Title: c.Title, Phrase: c.Summary, Weight: c.weight})
		}
	}
	g.walk.Steps, g.best = append(g.walk.Steps, s), max(g.best, best.rank())
	g.walk.Tokens, g.read = g.walk.Tokens+tokens, g.read+tokens
}

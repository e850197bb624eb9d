package tree

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/tier"
)

// PrimeBudget is the number of tokens that Prime takes unless told otherwise.
const PrimeBudget = 1000

// Prime asks for what an agent loads at its start.
type Prime struct {
	Budget int // estimated tokens of the whole answer at the most; 0 means PrimeBudget
}

// Primed is the top of the tree, as much of it as the budget holds.
type Primed struct {
	Memories int            `json:"memories"`
	Folders  []PrimedFolder `json:"folders,omitempty"` // those without a memory of their own in which roots lie
	Roots    []PrimedRow    `json:"roots"`
	LeftOut  int            `json:"left_out,omitempty"` // roots
	Hottest  []PrimedRow    `json:"hottest"`            // read most, roots that are told above left out
	Tokens   int            `json:"tokens"`             // of the answer as text
	Brief    bool           `json:"-"`                  // there is no room for more than the pointers
	Bare     bool           `json:"-"`                  // nor for the lines that say that they are data
}

// PrimedRow is a pointer.
type PrimedRow struct {
	ID         vault.ID   `json:"id"`
	Title      string     `json:"title"`
	Folder     vault.Path `json:"folder,omitempty"` // as in ListRow
	Summary    string     `json:"summary"`
	Phraseless bool       `json:"placeholder,omitempty"` // as in ListRow
	Children   int        `json:"child_count,omitempty"`
	Quiet      bool       `json:"unlisted,omitempty"`    // as in OutlineNode
	Waiting    int        `json:"to_review,omitempty"`   // likewise
	New        bool       `json:"provisional,omitempty"` // as in ListRow
	vault.Mark
}

// PrimedFolder is a folder with the number of roots in it and in the folders below.
type PrimedFolder struct {
	Folder vault.Path `json:"folder"`
	Count  int        `json:"count"`
}

// The tokens of the text around the rows: its head, and the lines with the next commands.
const (
	primeFrame = 150
	primeFence = 26 // the lines that say that it is data, where there is no frame
	primeTurn  = 20 // the hint at folders
	primeHot   = 5
)

// Read returns the roots with their trigger phrases, and the memories that are read most.
// Folders without a memory are named first, as deep as a quarter of the budget holds. What a
// person has denied is left out, though what lies below it is not.
// It looks only at the files at the vault's top; counts of deeper files are those of the
// last look.
func (o Prime) Read(ctx context.Context, v *vault.Vault) (Primed, error) {
	budget := o.Budget
	if budget == 0 {
		budget = PrimeBudget
	}
	if budget < 0 {
		return Primed{}, vault.Errorf(vault.CodeInvalid, "use --budget 1000, say", "the budget cannot be negative")
	}
	out := Primed{Roots: []PrimedRow{}, Hottest: []PrimedRow{}}
	err := v.View(ctx, vault.Scope{Shallow: true}, func(t vault.Tree) error {
		all, err := overview(ctx, v, t, budget/vault.PointerCost+1)
		if err != nil {
			return err
		}
		marks, err := v.Marks(ctx, t)
		if err != nil {
			return err
		}
		out.Memories = all.Memories
		out.takeRows(all, marks, budget)
		return nil
	})
	return out, err
}

// overview returns the top of the tree, or that of the part of the vault that the question is
// about: its memory, and what hangs below that.
func overview(ctx context.Context, v *vault.Vault, t vault.Tree, roots int) (all vault.Overview, err error) {
	if all, err = t.Overview(ctx, roots, 2*primeHot); err != nil || v.Part == "" {
		return all, err
	}
	part, err := t.Find(ctx, v.Part)
	if err != nil {
		return all, err
	}
	children, err := t.Children(ctx, part.ID)
	if err != nil {
		return all, err
	}
	_, below, err := t.List(ctx, vault.ListOptions{Under: part.ID, Limit: 1})
	out := vault.Overview{Memories: 1 + below, Roots: []vault.Node{part}}
	for _, n := range children {
		if n.Status != vault.StatusClosed && !tier.IsDenied(&n.Header) {
			out.Roots = append(out.Roots, n)
		}
	}
	out.RootCount = len(out.Roots)
	for _, n := range all.Hottest {
		if n.Path.Within(part.Folder()) {
			out.Hottest = append(out.Hottest, n)
		}
	}
	return out, err
}

// takeRows takes rows while they fit: first the roots, then what is read most.
func (p *Primed) takeRows(all vault.Overview, marks map[vault.ID]vault.Mark, budget int) {
	p.Brief, p.Bare = budget < 2*primeFrame, budget < 3*primeFence
	switch {
	case p.Bare:
	case p.Brief:
		p.Tokens = primeFence
	default:
		p.Tokens = primeFrame
		p.heads(all.RootsIn, budget/4)
	}
	told := map[vault.ID]bool{}
	take := func(rows *[]PrimedRow, n *vault.Node, most int) {
		if vault.Tokens(string(n.In)) > budget/4 {
			n.In = ""
		}
		if cost := n.PointerTokens(); cost > budget/4 && p.Tokens+cost > budget {
			shorten(n, min(budget/4, budget-p.Tokens)) // one that is too long does not end it
		}
		cost := n.PointerTokens()
		if p.Tokens+cost > budget || len(*rows) == most {
			return
		}
		p.Tokens, told[n.ID] = p.Tokens+cost, true
		*rows = append(*rows, PrimedRow{ID: n.ID, New: n.ID.Provisional(), Title: n.Title, Folder: n.In, Summary: n.Summary, Phraseless: n.Placeheld(), Children: n.Children, Quiet: n.Quiet(), Waiting: n.Waiting, Mark: marks[n.ID]})
	}
	reserve := 0
	if len(all.Hottest) > 0 {
		reserve = budget / 5 // what is read most is told even where the roots alone would fill it all
	}
	budget -= reserve
	for i := range all.Roots {
		take(&p.Roots, &all.Roots[i], len(all.Roots))
	}
	budget += reserve
	p.LeftOut = all.RootCount - len(p.Roots)
	for i := range all.Hottest {
		if n := &all.Hottest[i]; !told[n.ID] {
			take(&p.Hottest, n, primeHot)
		}
	}
}

// heads takes the folders in which roots lie: as many levels of them as fit, else the
// fullest of the topmost.
func (p *Primed) heads(in map[vault.Path]int, budget int) {
	if len(in) == 0 {
		return
	}
	for levels := deepest(in); levels > 0; levels-- {
		cost := primeTurn
		p.Folders = upTo(in, levels)
		for i, f := range p.Folders {
			if cost += headTokens(f.Folder); cost <= budget {
				continue
			}
			if levels == 1 {
				p.Folders, cost = p.Folders[:i], cost-headTokens(f.Folder)
			}
			break
		}
		if cost <= budget || levels == 1 && len(p.Folders) > 0 {
			p.Tokens += cost
			break
		}
	}
	slices.SortFunc(p.Folders, func(a, b PrimedFolder) int { return strings.Compare(string(a.Folder), string(b.Folder)) })
}

// deepest returns how many levels the deepest of the folders has, at most as many as a
// vault may have.
func deepest(in map[vault.Path]int) (levels int) {
	for dir := range in {
		levels = max(levels, 1+strings.Count(string(dir), "/"))
	}
	return min(levels, vault.MaxDepth)
}

// upTo sums up folders below so many levels, the fullest first.
func upTo(in map[vault.Path]int, levels int) (all []PrimedFolder) {
	sum := make(map[vault.Path]int)
	for dir, n := range in {
		parts := strings.SplitN(string(dir), "/", levels+1)
		sum[vault.Path(strings.Join(parts[:min(len(parts), levels)], "/"))] += n
	}
	for dir, n := range sum {
		all = append(all, PrimedFolder{dir, n})
	}
	slices.SortFunc(all, func(a, b PrimedFolder) int {
		return cmp.Or(b.Count-a.Count, strings.Compare(string(a.Folder), string(b.Folder)))
	})
	return all
}

// Head returns the folder among p's under which a root stands; false for none.
func (p *Primed) Head(root PrimedRow) (at vault.Path, ok bool) {
	for _, f := range p.Folders {
		if root.Folder != "" && root.Folder.Within(f.Folder) && len(f.Folder) >= len(at) {
			at, ok = f.Folder, true
		}
	}
	return at, ok
}

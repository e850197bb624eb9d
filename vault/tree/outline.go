package tree

import (
	"context"
	"time"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/family"
	"github.com/cp-memory/cp/vault/tier"
)

// OutlineNode is one memory of an outline with its subtree.
type OutlineNode struct {
	ID           vault.ID   `json:"id"`
	Title        string     `json:"title"`
	Folder       vault.Path `json:"folder,omitempty"` // as in ListRow
	Depth        int        `json:"depth"`
	AccessCount  int        `json:"access_count"`
	LastAccessed *time.Time `json:"last_accessed,omitempty"`
	Summary      *string    `json:"summary,omitempty"`       // on a root only where it has one
	Phraseless   bool       `json:"placeholder,omitempty"`   // as in ListRow
	Status       string     `json:"status,omitempty"`        // only when not open
	Deferred     time.Time  `json:"deferred_until,omitzero"` // as in ListRow
	Orphan       bool       `json:"orphan,omitempty"`
	Denied       bool       `json:"denied,omitempty"`    // by a person's last word
	Protected    string     `json:"protected,omitempty"` // as in ListRow
	Superseded   vault.ID   `json:"superseded_by,omitempty"`
	Provisional  bool       `json:"provisional,omitempty"` // the file carries no id yet
	Left         bool       `json:"-"`                     // and sync gives it none: it is empty, no text or holds a secret, say
	vault.Mark
	family.Origin                // on roots, where several projects answer
	ChildCount    int            `json:"child_count"`
	Quiet         bool           `json:"unlisted,omitempty"`  // it keeps no pointers: its children are counted, and listed where one asks for it
	Waiting       int            `json:"to_review,omitempty"` // of them, how many wait for a person's decision
	Tokens        int            `json:"tokens"`              // of its text, as Tokens estimates
	Children      []*OutlineNode `json:"children"`
	Hot           bool           `json:"-"` // read more often than its parent
	Loose         Loose          `json:"-"` // how its children lie
}

// Outline asks for the tree, or a subtree.
type Outline struct {
	Root     string
	Dir      vault.Path // or the folder without a memory to show
	MaxDepth int        `flag:"max-depth" help:"<levels> below the roots, 1-10 (default all)"`
	Budget   int        `flag:"budget" help:"<tokens> of the answer at the most, as it is printed"` // estimated; 0 is unlimited
	Rows     int        // memories and folders at the most; 0 is unlimited

	Uncounted bool // without the readings, which take a look into another file
}

// Outlined is the answer: the roots, and how many memories it leaves out.
type Outlined struct {
	Roots   []*OutlineNode
	Loose   Loose // how the roots lie
	LeftOut int
}

// Read returns the tree, or with Root that memory's subtree, its depth counted
// from there. With Budget or Rows the levels nearest to the roots come first.
func (q Outline) Read(ctx context.Context, v *vault.Vault) (Outlined, error) {
	var view Outlined
	var root vault.ID
	scope := vault.Scope{Dir: q.Dir}
	if q.Root != "" {
		p, err := v.Reading().OpenMemory(ctx, q.Root)
		if err != nil {
			return view, err
		}
		root, scope.Dir = p.ID, p.Folder()
	}
	err := v.View(ctx, scope, func(t vault.Tree) error {
		nodes, err := t.Walk(ctx, vault.WalkOptions{Root: root, Dir: q.Dir, MaxDepth: q.MaxDepth, Outline: true, Unplaced: true, Uncounted: q.Uncounted})
		if err != nil {
			return err
		}
		view = grow(nodes, q.Dir, room{q.Budget, q.Rows})
		left, err := findWithoutID(ctx, v.Reading(), nodes)
		if err != nil {
			return err
		}
		markLeft(left, nodes, view.Roots)
		marks, err := v.Marks(ctx, t, idsOf(view.Roots)...)
		if len(marks) > 0 {
			markTree(marks, view.Roots)
		}
		return err
	})
	return view, err
}

// markLeft marks what sync leaves alone.
func markLeft(left map[vault.Path]bool, nodes []vault.Node, roots []*OutlineNode) {
	if len(left) == 0 {
		return
	}
	byID := make(map[vault.ID]bool)
	for i := range nodes {
		byID[nodes[i].ID] = left[nodes[i].Path]
	}
	var mark func([]*OutlineNode)
	mark = func(nodes []*OutlineNode) {
		for _, n := range nodes {
			n.Left = byID[n.ID]
			mark(n.Children)
		}
	}
	mark(roots)
}

// grow builds the tree from a depth-first walk.
func grow(nodes []vault.Node, dir vault.Path, left room) Outlined {
	kept, heads := affordable(nodes, left)
	view := Outlined{Roots: []*OutlineNode{}, Loose: Loose{Home: dir}}
	var way descent
	for i := range nodes {
		n := &nodes[i]
		parent := way.upTo(n.Parent)
		switch {
		case parent != nil:
			parent.Loose.countChild(n, heads)
		case n.Depth == nodes[0].Depth: // else the parent is left out
			view.Loose.countChild(n, heads)
		}
		if !kept[i] {
			view.LeftOut++
			way = append(way, step{id: n.ID})
			continue
		}
		node := treeNode(n, nodes[0].Depth)
		way = append(way, step{n.ID, node})
		if parent == nil {
			view.Roots = append(view.Roots, node)
			continue
		}
		node.Hot = node.AccessCount > parent.AccessCount
		parent.Children = append(parent.Children, node)
	}
	return view
}

// descent leads from a root to the node that was met last in a depth-first walk.
type descent []step

type step struct {
	id   vault.ID
	node *OutlineNode // nil where it is left out
}

// upTo cuts the descent behind the memory id and returns its node; nil where there is none.
func (d *descent) upTo(id vault.ID) *OutlineNode {
	for last := len(*d) - 1; last >= 0; last-- {
		if (*d)[last].id == id {
			return (*d)[last].node
		}
		*d = (*d)[:last]
	}
	return nil
}

func treeNode(n *vault.Node, base int) *OutlineNode {
	out := &OutlineNode{ID: n.ID, Title: n.Title, Folder: n.In, Loose: Loose{Home: n.Folder()}, Depth: n.Depth - base, AccessCount: n.Reads.Count, Deferred: n.Deferred, Orphan: n.Orphan, Denied: tier.IsDenied(&n.Header), Protected: n.Protected, Superseded: n.Superseded,
		ChildCount: n.Children, Quiet: n.Quiet(), Waiting: n.Waiting, Tokens: n.Tokens, Provisional: n.ID.Provisional(), Children: []*OutlineNode{}}
	if !n.Reads.Last.IsZero() {
		out.LastAccessed = &n.Reads.Last
	}
	if n.Parent != "" || n.Summary != "" {
		out.Summary, out.Phraseless = &n.Summary, n.Placeheld()
	}
	if n.Status != vault.StatusOpen {
		out.Status = n.Status
	}
	return out
}

// idsOf returns the ids of all nodes of a tree.
func idsOf(nodes []*OutlineNode) (all []vault.ID) {
	for _, n := range nodes {
		all = append(append(all, n.ID), idsOf(n.Children)...)
	}
	return all
}

// markTree marks the nodes of a tree that are in no commit yet.
func markTree(marks map[vault.ID]vault.Mark, nodes []*OutlineNode) {
	for _, n := range nodes {
		n.Mark = marks[n.ID]
		markTree(marks, n.Children)
	}
}

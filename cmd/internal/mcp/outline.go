package mcp

import (
	"context"
	"slices"
	"strings"

	"github.com/cp-memory/cp/cmd/internal/families"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/tree"
)

// treeArgs are the parameters of memory_tree.
type treeArgs struct {
	Root     string `json:"root" about:"id or folder"`
	MaxDepth whole  `json:"max_depth" about:"levels; default all"`
	Project  string `json:"project"`
	Budget   whole  `json:"budget" default:"1500" about:"tokens of the answer"`
}

// maxDepth bounds max_depth; 0 is all levels.
const maxDepth = 10

func (s *Server) tree(ctx context.Context, who caller, in treeArgs) (string, error) {
	if err := between("max_depth", in.MaxDepth, 0, maxDepth); err != nil {
		return "", err
	}
	if err := between("budget", in.Budget, minBudget, maxBudget); err != nil {
		return "", err
	}
	c := call{caller: who, project: in.Project, verb: "tree"}
	if in.Root != "" {
		c.refs = []string{in.Root}
	}
	return s.reading(ctx, c, func(h *held, t *text) error {
		return h.family(ctx, func(fam *families.Family) error { return t.outlines(ctx, fam, in) })
	})
}

// leastTree is the least budget of one tree among several, in tokens.
const leastTree = 40

// outlines writes the trees of a family within the budget. Where that is too much for all, each
// gets less, and then the last ones nothing.
func (t *text) outlines(ctx context.Context, fam *families.Family, in treeArgs) error {
	budget, opened := int(in.Budget)-vault.Tokens(notice)-30, fam.Warnings
	for size := budget; ; {
		fam.Warnings = slices.Clone(opened)
		views, err := fam.Trees(ctx, in.Root, tree.Outline{MaxDepth: int(in.MaxDepth), Budget: size, Uncounted: true})
		if err != nil {
			return err
		}
		cost := t.views(views, 0)
		switch {
		case len(views) < 2 || cost <= int(in.Budget):
			return nil
		case size <= leastTree:
			for left := 0; len(views) > 1 && cost > int(in.Budget); cost = t.views(views, left) {
				last := views[len(views)-1]
				left, views = left+len(last.Roots)+last.LeftOut, views[:len(views)-1]
			}
			return nil
		}
		size = max(min(size*budget/cost, size*9/10), leastTree)
	}
}

// views writes trees anew, each of another project under its name, and returns what they cost.
// left are memories that are not shown beside those that the trees leave out.
func (t *text) views(views []families.View, left int) int {
	t.Reset()
	all := left
	for _, v := range views {
		all, left = all+len(v.Roots)+v.LeftOut, left+v.LeftOut
	}
	if all == 0 {
		t.printf("There are no memories here yet. memory_add makes the first one.\n")
		return 0
	}
	t.WriteString(notice)
	for _, v := range views {
		if len(v.Roots) == 0 {
			continue
		}
		l := label{}
		if len(views) > 1 {
			l.project = v.Of.Name
		}
		t.open(l)
		t.folder(v.Loose.Group(v.Roots), 0)
		t.close()
	}
	if left > 0 {
		t.printf("%d more not shown; a larger budget, a max_depth or a root shows others.\n", left)
	}
	return vault.Tokens(t.String())
}

// folder writes the memories of a folder, then the folders in it.
func (t *text) folder(f *tree.Folder, depth int) {
	for _, n := range f.Nodes {
		t.node(n, depth)
	}
	for _, sub := range f.Folders {
		t.indented(depth, sub.Name+" ("+vault.Plural(sub.Count, "memory", "memories")+")")
		t.folder(sub, depth+1)
	}
}

// node writes a memory and what lies below it: "title (id): phrase".
func (t *text) node(n *tree.OutlineNode, depth int) {
	line := n.Title + " (" + string(n.ID) + ")"
	if n.Status != "" {
		line += " [" + n.Status + "]"
	}
	if n.Superseded != "" {
		line += " [superseded by " + string(n.Superseded) + "]"
	}
	if n.Quiet {
		line += " [" + vault.Plural(n.ChildCount, "entry", "entries") + "]"
	}
	line += state(n.Mark)
	if n.Summary != nil && *n.Summary != "" {
		line += ": " + *n.Summary
	}
	t.indented(depth, line)
	t.folder(n.Loose.Group(n.Children), depth+1)
}

func (t *text) indented(depth int, line string) {
	t.WriteString(strings.Repeat("  ", depth))
	t.line(line)
}

package mcp

import (
	"context"
	"strings"

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
	return s.reading(ctx, call{who, in.Project}, func(h *held, t *text) error {
		frame := vault.Tokens(notice) + 30
		view, err := h.Tree(ctx, in.Root, tree.Outline{MaxDepth: int(in.MaxDepth), Budget: int(in.Budget) - frame, Uncounted: true})
		if err != nil {
			return err
		}
		if len(view.Roots) == 0 {
			t.printf("There are no memories here yet. memory_add makes the first one.\n")
			return nil
		}
		t.WriteString(notice)
		t.open(label{})
		t.folder(view.Loose.Group(view.Roots), 0)
		t.close()
		if view.LeftOut > 0 {
			t.printf("%d more not shown; a larger budget, a max_depth or a root shows others.\n", view.LeftOut)
		}
		return nil
	})
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

package mcp

import (
	"context"
	"slices"
	"strings"

	"github.com/cp-memory/cp/cmd/internal/app"
	"github.com/cp-memory/cp/cmd/internal/ask"
	"github.com/cp-memory/cp/cmd/internal/target"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/tree"
)

// treeArgs are the parameters of memory_tree.
type treeArgs struct {
	Root     string `tool:"root" about:"id or folder"`
	MaxDepth int    `tool:"max_depth" within:"0 10" about:"levels; default all"`
	Project  string `tool:"project" about:"of the family, or all"`
	Budget   int    `tool:"budget" default:"1500" within:"100 100000" about:"tokens of the answer"`
}

func (s *Server) tree(ctx context.Context, who caller, in treeArgs) (string, error) {
	c := call{caller: who, project: in.Project, verb: "tree", sought: target.Subtree}
	if in.Root != "" {
		c.refs = []string{in.Root}
	}
	return s.reading(ctx, c, func(h *held, t *text) error {
		return h.family(ctx, func(fam *ask.Family) error { return h.outlines(ctx, t, fam, in) })
	})
}

// outlines writes the trees of a family within the budget, warnings included. Where nothing
// has room beside the warnings, these are left out.
func (h *held) outlines(ctx context.Context, t *text, fam *ask.Family, in treeArgs) error {
	opened, warned := fam.Warnings, h.warned
	write := func(views, leftOut []ask.View) int {
		t.views(views, leftOut)
		t.writeWarnings(warned)
		return vault.Tokens(t.String())
	}
	trees := func() ([]ask.View, []ask.View, error) {
		return app.FitTrees(in.Budget, func(size int) ([]ask.View, error) {
			fam.Warnings = slices.Clone(opened)
			views, err := fam.Trees(ctx, in.Root, tree.Outline{MaxDepth: in.MaxDepth, Budget: size, Uncounted: true})
			if warned != nil {
				warned = slices.Concat(h.warned, fam.Warnings)
			}
			return views, err
		}, func(views []ask.View) int { return write(views, nil) })
	}
	views, leftOut, err := trees()
	if vault.CodeOf(err) == vault.CodeInvalid && len(views) > 0 {
		warned = nil
		views, leftOut, err = trees()
	}
	if err != nil {
		return err
	}
	write(views, leftOut)
	h.warned, fam.Warnings = nil, nil // they are told
	return nil
}

// views writes trees anew, each of another project under its name, and how many memories are
// not shown.
func (t *text) views(views, leftOut []ask.View) {
	t.Reset()
	all, left := 0, 0
	for _, v := range views {
		all, left = all+len(v.Roots)+v.LeftOut, left+v.LeftOut
	}
	for _, v := range leftOut {
		left += len(v.Roots) + v.LeftOut
	}
	if all+left == 0 {
		t.printf("There are no memories here yet. memory_add makes the first one.\n")
		return
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
		t.openFence(l)
		t.writeFolder(v.Loose.Group(v.Roots), 0)
		t.closeFence()
	}
	if left > 0 {
		t.printf("%d more not shown; a larger budget, a max_depth or a root shows others.\n", left)
	}
}

// writeFolder writes the memories of a folder, then the folders in it.
func (t *text) writeFolder(f *tree.Folder, depth int) {
	for _, n := range f.Nodes {
		t.writeNode(n, depth)
	}
	for _, sub := range f.Folders {
		t.writeIndented(depth, sub.Name+" ("+vault.Plural(sub.Count, "memory", "memories")+")")
		t.writeFolder(sub, depth+1)
	}
}

// writeNode writes a memory and what lies below it: "title (id): phrase".
func (t *text) writeNode(n *tree.OutlineNode, depth int) {
	line := n.Title + " (" + string(n.ID) + ")"
	if n.Status != "" {
		line += " [" + n.Status + "]"
	}
	if n.Denied {
		line += " [denied]"
	}
	if n.Protected != "" {
		line += " [" + tree.DescribeProtection(n.Protected) + "]"
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
	t.writeIndented(depth, line)
	t.writeFolder(n.Loose.Group(n.Children), depth+1)
}

func (t *text) writeIndented(depth int, line string) {
	t.WriteString(strings.Repeat("  ", depth))
	t.writeLine(line)
}

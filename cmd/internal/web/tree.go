package web

import (
	"bytes"
	"context"
	"slices"
	"strconv"

	"github.com/cp-memory/cp/cmd/internal/app"
	"github.com/cp-memory/cp/cmd/internal/web/page"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/tree"
)

// pageRows bounds what a list, and a folder of the tree, shows at a time.
const pageRows = 200

// treeLines are memories as lines of the tree.
func (c *call) treeLines(ctx context.Context, s *app.Session, all tree.ChildrenPage) (out []page.Branch) {
	code := codeMarks(ctx, s, all.Nodes, func(n vault.Node) vault.ID { return n.ID })
	for i := range all.Nodes {
		n := &all.Nodes[i]
		b := page.Branch{Base: c.baseAddress(), ID: string(n.ID), Title: n.Title, Phrase: n.Summary, Folder: string(n.In), Count: n.Children, Code: code[n.ID].Mark()}
		for _, m := range []struct {
			is   bool
			name string
		}{{n.Status != vault.StatusOpen, n.Status}, {n.Orphan, "orphan"}} {
			if m.is {
				b.Marks = append(b.Marks, m.name)
			}
		}
		b.Marks = append(b.Marks, all.Marks[i].Names()...)
		out = append(out, b)
	}
	return out
}

// openTreeAlong returns the tree, opened along a way from a root to a memory. Of each folder it has
// the page with the memory on the way.
func (c *call) openTreeAlong(ctx context.Context, s *app.Session, way []vault.Node) ([]page.Branch, error) {
	var top page.Branch
	at := &top
	for i := 0; i <= len(way); i++ {
		o := tree.PageOptions{Most: pageRows}
		if i > 0 {
			o.Of = way[i-1].ID
		}
		if i < len(way) {
			o.With = way[i].ID
		}
		b, err := s.Branch(ctx, o)
		if err != nil {
			return nil, err
		}
		c.fillBranch(ctx, s, at, b)
		next := slices.IndexFunc(b.Nodes, func(n vault.Node) bool { return n.ID == o.With })
		if o.With == "" || next < 0 {
			break
		}
		at = &at.Children[next]
		at.Open, at.Here = true, i == len(way)-1
	}
	return top.Children, nil
}

// showChildren answers the script with a page of the children of a memory.
func showChildren(c *call, ctx context.Context, s *app.Session) error {
	if c.json {
		out, err := s.Tree(ctx, c.id, tree.Outline{MaxDepth: 1})
		if err != nil {
			return err
		}
		return c.answerJSON(200, out.Roots)
	}
	return s.View(ctx, vault.Scope{None: true}, func(t vault.Tree) error {
		n, err := t.Find(ctx, c.id)
		if err != nil {
			return err
		}
		all, err := s.Branch(ctx, tree.PageOptions{Of: n.ID, From: c.offset(), Most: pageRows})
		if err != nil {
			return err
		}
		b := page.Branch{Base: c.baseAddress(), ID: string(n.ID)}
		c.fillBranch(ctx, s, &b, all)
		var out bytes.Buffer
		if err := c.pages.Write(&out, "tree", page.Frame{}, b); err != nil {
			return err
		}
		c.w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, err = out.WriteTo(c.w)
		return err
	})
}

// fillBranch gives a branch a page of its children.
func (c *call) fillBranch(ctx context.Context, s *app.Session, b *page.Branch, all tree.ChildrenPage) {
	end := all.From + len(all.Nodes)
	b.Children, b.Before, b.After = c.treeLines(ctx, s, all), all.From, all.Total-end
	if b.Before > 0 {
		b.Prev = "?offset=" + strconv.Itoa(max(all.From-pageRows, 0))
	}
	if b.After > 0 {
		b.Next = "?offset=" + strconv.Itoa(end)
	}
}

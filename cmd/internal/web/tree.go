package web

import (
	"bytes"
	"context"
	"strconv"

	"github.com/cp-memory/cp/cmd/internal/app"
	"github.com/cp-memory/cp/cmd/internal/web/page"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/tree"
)

// pageRows bounds what a list, and a folder of the tree, shows at a time.
const pageRows = 200

// topmost returns the roots.
func topmost(ctx context.Context, t vault.Tree) ([]vault.Node, error) {
	return t.Roots(ctx)
}

// children returns the open memories directly below one.
func children(ctx context.Context, t vault.Tree, id vault.ID) ([]vault.Node, error) {
	all, err := t.Walk(ctx, vault.WalkOptions{Root: id, MaxDepth: 1, Outline: true, Uncounted: true})
	if len(all) > 0 {
		all = all[1:]
	}
	return all, err
}

// lines are memories as lines of the tree.
func (c *call) lines(nodes []vault.Node) (out []page.Branch) {
	for i := range nodes {
		n := &nodes[i]
		b := page.Branch{Base: c.base(), ID: string(n.ID), Title: n.Title, Phrase: n.Summary, Folder: string(n.In), Count: n.Children}
		for _, m := range []struct {
			is   bool
			name string
		}{{n.Status != vault.StatusOpen, n.Status}, {n.Orphan, "orphan"}, {n.ID.Provisional(), "uncommitted"}, {n.Superseded != "", "superseded"}} {
			if m.is {
				b.Marks = append(b.Marks, m.name)
			}
		}
		out = append(out, b)
	}
	return out
}

// opened returns the tree, opened along a way from a root to a memory. Of each folder it has
// the page with the memory on the way.
func (c *call) opened(ctx context.Context, t vault.Tree, way []vault.Node) ([]page.Branch, error) {
	var top page.Branch
	at := &top
	for i := 0; i <= len(way); i++ {
		all, err := siblings(ctx, t, way[:i])
		if err != nil {
			return nil, err
		}
		next := -1
		for j := range all {
			if i < len(way) && all[j].ID == way[i].ID {
				next = j
			}
		}
		from := max(next, 0) / pageRows * pageRows
		c.fill(at, all, from)
		if next < 0 {
			break
		}
		at = &at.Children[next-from]
		at.Open, at.Here = true, i == len(way)-1
	}
	return top.Children, nil
}

func siblings(ctx context.Context, t vault.Tree, way []vault.Node) ([]vault.Node, error) {
	if len(way) == 0 {
		return topmost(ctx, t)
	}
	return children(ctx, t, way[len(way)-1].ID)
}

// branch answers the script with a page of the children of a memory.
func branch(c *call, ctx context.Context, s *app.Session) error {
	if c.json {
		out, err := s.Tree(ctx, c.id, tree.Outline{MaxDepth: 1})
		if err != nil {
			return err
		}
		return c.value(200, out.Roots)
	}
	return s.View(ctx, vault.Scope{None: true}, func(t vault.Tree) error {
		n, err := t.Find(ctx, c.id)
		if err != nil {
			return err
		}
		all, err := children(ctx, t, n.ID)
		if err != nil {
			return err
		}
		b := page.Branch{Base: c.base(), ID: string(n.ID)}
		c.fill(&b, all, c.offset())
		var out bytes.Buffer
		if err := c.pages.Write(&out, "tree", page.Frame{}, b); err != nil {
			return err
		}
		c.w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, err = out.WriteTo(c.w)
		return err
	})
}

// fill gives a branch the page of its children that begins at from.
func (c *call) fill(b *page.Branch, all []vault.Node, from int) {
	from = min(max(from, 0), len(all))
	end := min(from+pageRows, len(all))
	b.Children, b.Before, b.After = c.lines(all[from:end]), from, len(all)-end
	if b.Before > 0 {
		b.Prev = "?offset=" + strconv.Itoa(max(from-pageRows, 0))
	}
	if b.After > 0 {
		b.Next = "?offset=" + strconv.Itoa(end)
	}
}

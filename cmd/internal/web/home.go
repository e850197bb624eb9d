package web

import (
	"context"

	"github.com/cp-memory/cp/cmd/internal/app"
	"github.com/cp-memory/cp/cmd/internal/ask"
	"github.com/cp-memory/cp/cmd/internal/web/page"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/tree"
)

// rooted is the body of the first page.
type rooted struct {
	Name  string
	Rows  []page.Branch
	Total int
	Pager pager
	Below []page.Project // the projects that answer beside this one
	More  int            // of them
}

// home shows the roots of a project, and the projects below it.
func home(c *call, ctx context.Context, _ *app.Session, fam *ask.Family) error {
	if c.json {
		views, err := fam.Trees(ctx, "", tree.Outline{MaxDepth: 1})
		roots := []*tree.OutlineNode{}
		for _, v := range views {
			roots = append(roots, v.Roots...)
		}
		if err != nil {
			return err
		}
		return c.answerJSON(200, roots)
	}
	body := rooted{Name: c.Project}
	if c.of != nil {
		body.Name = c.of.Name
	}
	err := fam.Here.View(ctx, vault.Scope{}, func(t vault.Tree) error {
		roots, err := c.rootsOf(ctx, t, fam)
		if err != nil {
			return err
		}
		body.Total = roots.Total
		body.Rows = c.treeLines(ctx, fam.Here, roots)
		for i := range body.Rows {
			body.Rows[i].Base = c.to(fam.Of.Path)
		}
		body.Pager = c.pager(roots.From, len(body.Rows), roots.Total, "root", "roots")
		return nil
	})
	if err != nil {
		return err
	}
	below, err := fam.ProjectsBelow(ctx)
	if err != nil {
		return err
	}
	for _, b := range below[:min(len(below), pageRows)] {
		body.Below = append(body.Below, page.Project{Name: b.Name, Path: b.Path, Memories: b.Memories, Href: c.to(b.Path) + "/"})
	}
	body.More = len(below) - len(body.Below)
	f := c.frame("Tree", "/")
	f.Projects = nil // the page lists them
	return c.html(200, f, "home", body)
}

// rootsOf returns a page of the roots of the project that a family is of: of a part of a vault
// its memory.
func (c *call) rootsOf(ctx context.Context, t vault.Tree, fam *ask.Family) (tree.ChildrenPage, error) {
	if fam.Of.IsVault() {
		return fam.Here.Branch(ctx, tree.PageOptions{From: c.offset(), Most: pageRows})
	}
	n, err := t.Find(ctx, fam.Of.Part)
	return tree.ChildrenPage{Nodes: []vault.Node{n}, Marks: []tree.Marks{tree.MarksOf(&n)}, Total: 1}, err
}

// rightly returns what stands before the address of a file's memory if it is not what the
// address of the page has: the memory is of another project of the same vault.
func (c *call) rightly(file string) string {
	if c.of == nil || len(c.places) < 2 || c.json || c.isRepeat() {
		return ""
	}
	if p, ok := projectOfFile(c.places, c.of.Vault, file); ok && p.slug != c.slug {
		return p.baseAddress()
	}
	return ""
}

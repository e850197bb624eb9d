package web

import (
	"cmp"
	"context"
	"html/template"
	"net/http"
	"net/url"
	"slices"

	"github.com/cp-memory/cp/cmd/internal/app"
	"github.com/cp-memory/cp/cmd/internal/knowledge"
	"github.com/cp-memory/cp/cmd/internal/web/markdown"
	"github.com/cp-memory/cp/cmd/internal/web/page"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/graph"
	"github.com/cp-memory/cp/vault/header"
	"github.com/cp-memory/cp/vault/tree"
)

// beside bounds the lists beside a memory.
const beside = 30

// above is a memory on the way from the root.
type above struct {
	ID, Title string
	Last      bool // the parent
}

// link is a memory that one is connected with; ID is empty where it is not there.
type link struct{ ID, Title, Kind string }

// shown is the body of a memory's page.
type shown struct {
	Shown            tree.Shown
	HTML             template.HTML
	Above            []above
	From, To         []link
	MoreFrom, MoreTo int
	Facts            []graph.Node // what it speaks of
	Picture          template.HTML
	Nodes, NodesOf   int // in the picture, and in all
	Marks            []string
	Decisions        []string
	Rationale        []string
	Source           string
	Meta             header.Map
	Pager            pager
	Code             codeBox
}

// showMemory shows a memory.
func showMemory(c *call, ctx context.Context, s *app.Session) error {
	ask := tree.Show{Ref: c.id, Rows: pageRows, Offset: c.offset(), Quiet: c.isRepeat()}
	if !c.json {
		ask.Branch = s.Branch
	}
	m, err := ask.Read(ctx, s.Vault)
	if vault.CodeOf(err) == vault.CodeType {
		ask.Any = true
		m, err = ask.Read(ctx, s.Vault)
	}
	if err != nil {
		return err
	}
	if err := c.knowledge(s).Complete(ctx, &m, false); err != nil {
		return err
	}
	m.File = s.FromHere(m.Path)
	c.w.Header().Set("ETag", `"`+m.Hash+`"`)
	if c.json {
		return c.answerJSON(200, m)
	}
	c.id = string(m.ID)
	if to := c.rightly(string(m.Path)); to != "" {
		http.Redirect(c.w, c.r, to+"/m/"+url.PathEscape(c.id), http.StatusSeeOther)
		return nil
	}
	c.note(m.Warnings...)
	body := shown{Shown: m, Decisions: m.Decisions, Rationale: m.Rationale, Source: m.Source, Meta: m.Metadata}
	body.Code = boxOf(ctx, s, &m)
	markChildren(ctx, s, m.Children)
	body.HTML = c.text.HTML(m.Content, markdown.At{Path: m.Path, Title: m.Title, Base: c.baseAddress()})
	f := c.frame(m.Title, "/")
	f.Hash = m.Hash
	err = s.View(ctx, vault.Scope{None: true}, func(t vault.Tree) error { return c.findBeside(ctx, s, t, &body, &f) })
	if err != nil {
		return err
	}
	if m.Total > pageRows || c.offset() > 0 {
		body.Pager = c.pager(min(c.offset(), m.Total), min(len(m.Children), pageRows), m.Total, "memory", "memories")
	}
	if err := c.fillConnections(ctx, s, &body); err != nil {
		return err
	}
	return c.html(200, f, "memory", body)
}

// fillConnections finds what a memory speaks of, and draws what is one step away.
func (c *call) fillConnections(ctx context.Context, s *app.Session, body *shown) error {
	g, err := graph.Walk(ctx, s.Vault, s.Knowledge, graph.Options{From: string(body.Shown.ID), Depth: 1, Limit: beside})
	if err != nil {
		return err
	}
	for _, n := range g.Nodes {
		if !n.Memory && n.Type != graph.LabelType {
			body.Facts = append(body.Facts, n)
		}
	}
	if body.Nodes, body.NodesOf = len(g.Nodes), g.Total; len(g.Nodes) > 1 {
		body.Picture = template.HTML(graph.DrawPicture(&g, c.leads))
	}
	return nil
}

func (c *call) knowledge(s *app.Session) knowledge.Room {
	return knowledge.Room{App: c.target.Find.App, Session: s}
}

// isRepeat reports whether the script asks for a page that the person has before them already:
// that is no reading.
func (c *call) isRepeat() bool { return c.r.Header.Get("X-Again") != "" }

// findBeside finds what is above and beside a memory, and the tree with it.
func (c *call) findBeside(ctx context.Context, s *app.Session, t vault.Tree, body *shown, f *page.Frame) error {
	way, err := t.Ancestry(ctx, body.Shown.ID)
	if err != nil {
		return err
	}
	if len(way) > 0 {
		is := tree.MarksOf(&way[len(way)-1])
		is.Superseded = false // the page says by what
		body.Marks = is.Names()
	}
	for i, n := range way[:max(len(way)-1, 0)] {
		body.Above = append(body.Above, above{string(n.ID), n.Title, i == len(way)-2})
	}
	edges, err := t.Edges(ctx, body.Shown.ID, false)
	if err != nil {
		return err
	}
	for _, e := range edges {
		if e.Kind == "child-of" {
			continue // the page has them
		}
		l := link{string(e.Other.ID), cmp.Or(e.Other.Title, e.Target), cmp.Or(e.Verb, e.Kind)}
		if e.Outgoing && !slices.Contains(body.To, l) {
			body.To = append(body.To, l)
		} else if !e.Outgoing && l.ID != "" && !slices.Contains(body.From, l) {
			body.From = append(body.From, l)
		}
	}
	body.MoreFrom, body.MoreTo = max(len(body.From)-beside, 0), max(len(body.To)-beside, 0)
	body.From, body.To = body.From[:min(len(body.From), beside)], body.To[:min(len(body.To), beside)]
	f.Tree, err = c.openTreeAlong(ctx, s, way)
	return err
}

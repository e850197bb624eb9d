package web

import (
	"context"

	"github.com/cp-memory/cp/cmd/internal/app"
	"github.com/cp-memory/cp/cmd/internal/ask"
	"github.com/cp-memory/cp/cmd/internal/web/page"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/doctor"
	"github.com/cp-memory/cp/vault/findings"
	"github.com/cp-memory/cp/vault/graph"
)

// healthBody is the body of what status and doctor say.
type healthBody struct {
	Overview     app.Overview
	Findings     []doctor.Finding
	Git, Watcher string
	Below        []ask.Below
}

// health shows what status and doctor say.
func health(c *call, ctx context.Context, s *app.Session, fam *ask.Family) error {
	found := c.target.Find.App.Examine(ctx, c.target.Find.Flags, func(t vault.Tended) { c.note(t.Notes...) })
	if c.Checks != nil {
		found = append(found, c.Checks()...)
	}
	found = append(found, c.target.Find.Findings(ctx, s.Settings)...)
	if c.json {
		return c.answerJSON(200, found)
	}
	o, err := s.Overview(ctx)
	if err != nil {
		return err
	}
	c.note(o.Warnings...)
	below, err := fam.ProjectsBelow(ctx)
	if err != nil {
		return err
	}
	return c.html(200, c.frame("Health", "/health"), "health", healthBody{o, found, app.GitLine(o), app.WatcherLine(o.Watcher), below})
}

// findingsBody is the body of the findings.
type findingsBody struct {
	Rows       []ask.Found
	All        bool
	Severities []string
	Categories []string
	Pager      pager
}

// findingsPage shows what reviews of code have found.
func findingsPage(c *call, ctx context.Context, _ *app.Session, fam *ask.Family) error {
	o := findings.Filter{Open: c.r.URL.Query().Get("all") == ""}
	if v := c.r.URL.Query().Get("severity"); v != "" {
		o.Severities = []string{v}
	}
	if v := c.r.URL.Query().Get("category"); v != "" {
		o.Categories = []string{v}
	}
	if err := o.Check(); err != nil {
		return err
	}
	all, err := fam.ListFindings(ctx, o)
	if err != nil {
		return err
	}
	if c.json {
		return c.answerJSON(200, all)
	}
	from := min(c.offset(), len(all))
	rows := all[from:min(from+pageRows, len(all))]
	return c.html(200, c.frame("Findings", "/findings"), "findings", findingsBody{rows, !o.Open, findings.Severities(), findings.Categories(), c.pager(from, len(rows), len(all), "finding", "findings")})
}

// entitiesBody is the body of the entities.
type entitiesBody struct {
	Rows  []graph.Node
	Pager pager
}

// entities lists what the memories speak of.
func entities(c *call, ctx context.Context, _ *app.Session, fam *ask.Family) error {
	l, err := fam.ListEntities(ctx, graph.Query{Type: c.r.URL.Query().Get("type"), Offset: c.offset(), Limit: c.limit(pageRows)})
	if err != nil {
		return err
	}
	return c.answer(l.Entities, c.frame("Entities", "/entities"), "entities", entitiesBody{l.Entities, c.pager(c.offset(), len(l.Entities), l.Total, "entity", "entities")})
}

// entity shows what is known of what has a name.
func entity(c *call, ctx context.Context, _ *app.Session, fam *ask.Family) error {
	name := c.r.URL.Query().Get("name")
	all, err := fam.Entity(ctx, name)
	if err != nil {
		return err
	}
	return c.answer(all, c.frame(name, "/entities"), "entity", entityBody{all})
}

// keys shows the keys.
func keys(c *call, _ context.Context, _ *app.Session) error {
	return c.html(200, c.frame("Keys", ""), "keys", page.Keys())
}

// entityBody is the body of what has a name.
type entityBody struct{ All []graph.Entity }

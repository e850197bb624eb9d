package mcp

import (
	"context"
	"strings"

	"github.com/cp-memory/cp/cmd/internal/knowledge"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/tree"
)

// showArgs are the parameters of memory_show.
type showArgs struct {
	ID     string `json:"id" need:"yes" about:"id, beginning of one, or path"`
	Depth  whole  `json:"depth" default:"0" about:"levels below in full"`
	Budget whole  `json:"budget" default:"4000" about:"tokens of text"`
}

func (s *Server) show(ctx context.Context, who caller, in showArgs) (string, error) {
	if err := between("depth", in.Depth, 0, tree.MaxShowDepth); err != nil {
		return "", err
	}
	if err := between("budget", in.Budget, minBudget, maxBudget); err != nil {
		return "", err
	}
	return s.reading(ctx, call{caller: who, verb: "show", refs: []string{in.ID}}, func(h *held, t *text) error {
		return h.shown(ctx, t, tree.Show{Ref: in.ID, Depth: int(in.Depth), Budget: int(in.Budget), Rows: rows})
	})
}

// shown writes a memory, those below it that are given in full, and what the budget left out.
func (h *held) shown(ctx context.Context, t *text, o tree.Show) error {
	m, err := o.Read(ctx, h.Vault)
	if err != nil {
		return err
	}
	if err := (knowledge.Room{App: h.app, Session: h.Session}).Complete(ctx, &m, false); err != nil {
		return err
	}
	t.WriteString(notice)
	t.shown(m)
	if m.Truncated {
		t.printf("The text was cut to keep to the budget; all of it has %d tokens.\n", m.Tokens)
	}
	if n := len(m.LeftOut); n > 0 {
		t.printf("%d below it are left as pointers to keep to the budget.\n", n)
	}
	if m.Total > len(m.Children) {
		t.printf("The newest %d of %d entries; memory_recall finds the others.\n", len(m.Children), m.Total)
	}
	t.warn(m.Warnings)
	return nil
}

func (t *text) shown(m tree.Shown) {
	t.open(label{id: string(m.ID), path: string(m.Path), author: m.Creator, date: m.Created, status: unusual(m.Status), hash: m.Hash})
	t.line(m.Title + state(m.Mark))
	if m.Summary != "" {
		t.line("when: " + m.Summary)
	}
	t.about(m)
	t.WriteString("\n")
	t.block(m.Content)
	t.block(m.Record.Text())
	t.pointers(m.Children)
	t.close()
	t.below(m.Children)
}

// about writes what the header says beside the title and the phrase.
func (t *text) about(m tree.Shown) {
	for _, row := range [...][2]string{
		{"type", typeOf(m.Type)}, {"labels", strings.Join(m.Labels, ", ")}, {"source", m.Source},
		{"superseded by", string(m.Superseded)}, {"deferred until", day(m.Deferred)}, {"facts", m.FactsStatus},
	} {
		if row[1] != "" {
			t.line(row[0] + ": " + row[1])
		}
	}
	if m.ParentID != nil {
		t.line("parent: " + string(*m.ParentID))
	}
}

func typeOf(name string) string {
	if name == vault.TypeMemory {
		return ""
	}
	return name
}

// pointers writes a line for each memory below one: "id title: when".
func (t *text) pointers(children []tree.ShownChild) {
	if len(children) > 0 {
		t.WriteString("\nbelow it:\n")
	}
	for _, c := range children {
		line := "- " + string(c.ID) + " " + c.Title + state(c.Mark)
		if c.Summary != "" {
			line += ": " + c.Summary
		}
		if c.Unknown {
			line += " [no such memory]"
		}
		t.line(line)
	}
}

// below writes the children that are given in full, each in a fence of its own.
func (t *text) below(children []tree.ShownChild) {
	for _, c := range children {
		if c.ShownText == nil {
			continue
		}
		t.open(label{id: string(c.ID)})
		t.line(c.Title)
		t.WriteString("\n")
		t.block(c.Content)
		t.pointers(c.Children)
		t.close()
		t.below(c.Children)
	}
}

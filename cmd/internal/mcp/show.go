package mcp

import (
	"context"
	"slices"
	"strings"

	"github.com/cp-memory/cp/cmd/internal/app"
	"github.com/cp-memory/cp/cmd/internal/knowledge"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/header"
	"github.com/cp-memory/cp/vault/tree"
)

func (s *Server) show(ctx context.Context, who caller, o tree.Show) (string, error) {
	o.Rows = rows
	return s.reading(ctx, call{caller: who, verb: "show", refs: []string{o.Ref}}, func(h *held, t *text) error { return h.writeShown(ctx, t, o) })
}

// writeShown writes a memory and those below it that are given in full, within the budget: pointers
// before texts, and where it has no room for all pointers the first of them. What stands around
// the text gives way to it.
func (h *held) writeShown(ctx context.Context, t *text, o tree.Show) error {
	opened := h.warned
	read := func(o tree.Show) (tree.Shown, error) {
		h.warned = slices.Clone(opened) // it is read once for each size
		m, err := o.Read(ctx, h.Vault)
		if err != nil {
			return m, err
		}
		err = (knowledge.Room{App: h.app, Session: h.Session}).Complete(ctx, &m, false)
		m.Warnings = append(m.Warnings, h.warned...)
		return m, err
	}
	var m tree.Shown
	var err error
	for _, write := range []func(tree.Shown){t.writeMemory, t.writeBare} {
		fits := fitting{t: t, budget: o.Budget}
		if m, err = app.FitShown(o, read, fits.cost(write)); err == nil {
			fits.takeKept()
		}
		if err == nil || vault.CodeOf(err) != vault.CodeInvalid || m.ID == "" {
			break
		}
		o.Quiet = true
	}
	if vault.CodeOf(err) == vault.CodeInvalid && m.ID != "" {
		t.writeBrief(m, o.Budget)
		err = nil
	}
	h.warned = nil // it says so itself
	return err
}

// fitting keeps the last answer that was within the budget, so that it need not be written
// again. As [app.FitShown] asks, that is the longest.
type fitting struct {
	t      *text
	budget int
	best   string
}

// cost writes an answer anew and returns its tokens.
func (f *fitting) cost(write func(tree.Shown)) func(tree.Shown) int {
	return func(m tree.Shown) int {
		f.t.Reset()
		write(m)
		n := vault.Tokens(f.t.String())
		if n <= f.budget {
			f.best = f.t.String()
		}
		return n
	}
}

// takeKept makes the answer that which was kept.
func (f *fitting) takeKept() {
	f.t.Reset()
	f.t.WriteString(f.best)
}

// longTitle are the characters of a title beside which a text has to have room.
const longTitle = 120

// writeBare writes a memory with its text and hardly anything around it.
func (t *text) writeBare(m tree.Shown) {
	t.WriteString(notice)
	t.openFence(label{id: string(m.ID)})
	t.writeLine(vault.Clip(m.Title, longTitle))
	t.block(m.Content)
	t.closeFence()
	t.writeCutNote(m)
	t.writeLeftOut(m)
}

// writeLeftOut counts what is left out beside a text.
func (t *text) writeLeftOut(m tree.Shown) {
	if n := max(len(m.Children), m.Total); n > 0 {
		t.printf("%d below it are left out to keep to the budget.\n", n)
	}
	if n := len(m.Warnings); n > 0 {
		t.printf("%s left out, too.\n", vault.Plural(n, "warning is", "warnings are"))
	}
}

// writeCutNote tells of a text that was cut.
func (t *text) writeCutNote(m tree.Shown) {
	if m.Truncated {
		t.printf("The text was cut to keep to the budget; all of it has %d tokens.\n", m.Tokens)
	}
}

// int writes a memory, and what the budget left out.
func (t *text) writeMemory(m tree.Shown) {
	t.WriteString(notice)
	t.writeInFence(m)
	t.writeCutNote(m)
	if n := len(m.LeftOut); n > 0 {
		t.printf("%d below it are left as pointers to keep to the budget.\n", n)
	}
	if m.Total > len(m.Children) {
		t.printf("%d of %d below it are shown; memory_recall finds the others.\n", len(m.Children), m.Total)
	}
	t.writeWarnings(m.Warnings)
}

// writeBrief writes of a memory what the budget has room for, where its text has none: at least its
// id and the beginning of its title. An id may be so long that nothing else has room.
func (t *text) writeBrief(m tree.Shown, budget int) {
	write := func(before, title, phrase string) bool {
		t.Reset()
		t.WriteString(before)
		t.openFence(label{id: string(m.ID)})
		t.writeLine(title)
		if phrase != "" {
			t.writeLine("when: " + phrase)
		}
		t.closeFence()
		if before != "" {
			t.printf("Its text has %d tokens; a larger budget shows it.\n", m.Tokens)
			t.writeLeftOut(m)
		}
		return vault.Tokens(t.String()) <= budget
	}
	for _, before := range []string{notice, ""} {
		title, phrase := tree.BriefLine(m.Title, m.Summary, func(title, phrase string) bool { return write(before, title, phrase) })
		if write(before, title, phrase) {
			return
		}
	}
}

func (t *text) writeInFence(m tree.Shown) {
	t.openFence(label{id: string(m.ID), path: string(m.Path), author: m.Creator, date: m.Created, status: unusual(m.Status), hash: m.Hash})
	t.writeLine(m.Title + state(m.Mark))
	if m.Summary != "" {
		t.writeLine("when: " + m.Summary)
	}
	t.about(m)
	t.WriteString("\n")
	t.block(m.Content)
	t.block(m.Record.Text())
	t.pointers(m.Children)
	t.closeFence()
	t.writeChildren(m.Children)
}

// about writes what the header says beside the title and the phrase.
func (t *text) about(m tree.Shown) {
	for _, row := range slices.Concat([][2]string{
		{"type", typeOf(m.Type)}, {"labels", strings.Join(m.Labels, ", ")}, {"source", m.Source},
		{"superseded by", string(m.Superseded)}, {"deferred until", header.FormatDay(m.Deferred)}, {"denied", strings.TrimSpace(header.FormatDay(m.Denial.At) + " " + m.Denial.Reason)}, {"facts", m.FactsStatus},
	}, m.Entry.Rows()) {
		if row[1] != "" {
			t.writeLine(row[0] + ": " + row[1])
		}
	}
	if m.ParentID != nil {
		t.writeLine("parent: " + string(*m.ParentID))
	}
	if m.Protected != "" {
		t.writeLine(whatToolsDo(m.Protected))
	}
	if m.ReadOnly {
		t.writeLine("read-only: no tool writes into it")
	}
}

// whatToolsDo says how far the tools that write heed a memory's protection.
func whatToolsDo(protection string) string {
	if protection == header.AppendOnly {
		return "append only: tools add to it, and change nothing"
	}
	return "protected: no tool changes it"
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
		t.writeLine(line)
	}
}

// writeChildren writes the children that are given in full, each in a fence of its own.
func (t *text) writeChildren(children []tree.ShownChild) {
	for _, c := range children {
		if c.ShownText == nil {
			continue
		}
		t.openFence(label{id: string(c.ID)})
		t.writeLine(c.Title)
		t.WriteString("\n")
		t.block(c.Content)
		t.pointers(c.Children)
		t.closeFence()
		t.writeChildren(c.Children)
	}
}

package mcp

import (
	"context"
	"strings"

	"github.com/cp-memory/cp/cmd/internal/app"
	"github.com/cp-memory/cp/cmd/internal/ask"
	"github.com/cp-memory/cp/cmd/internal/guide"
	"github.com/cp-memory/cp/cmd/internal/render"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/prose"
	"github.com/cp-memory/cp/vault/recall"
)

// recallArgs are the parameters of memory_recall.
type recallArgs struct {
	Query   string   `tool:"query" about:"a question or words"`
	About   string   `tool:"about" about:"a file of the code, or a.py:10-24; query is optional then"`
	Under   string   `tool:"under" about:"below this id or folder"`
	Labels  []string `commas:"yes" tool:"labels"`
	Type    []string `commas:"yes" tool:"type" about:"like decision, learning; * is any"`
	Spec    string   `tool:"spec" about:"piece of work"`
	Commits string   `tool:"commits" about:"a git range: v1..v2"`
	Level   string   `tool:"level" of:"pending long-term core"`
	Project string   `tool:"project" about:"of the family, or all"`
	Limit   *int     `tool:"limit" within:"1 100" about:"default 8, with a budget 20"`
	Budget  *int     `tool:"budget" within:"100 100000" about:"tokens, default 1500"`
	Closed  *bool    `tool:"closed" about:"false: without resolved and superseded ones"`
}

// chooseEnded says which memories that have ended answer: an agent should know what was tried and what was
// true before, unless it asks for what stands alone.
func (in recallArgs) chooseEnded() recall.Ended {
	if in.Closed != nil && !*in.Closed {
		return recall.WithoutEnded
	}
	return recall.WithClosed
}

// What memory_recall answers with unless a call says otherwise.
const usualLimit, usualBudget = 8, 1500

// bounds returns the limit and the budget of an answer. A budget that is given lifts the usual
// limit, since a line of each memory costs little.
func (in recallArgs) bounds() (limit, budget int) {
	limit, budget = usualLimit, usualBudget
	if in.Budget != nil {
		limit, budget = recall.BudgetLimit, *in.Budget
	}
	if in.Limit != nil {
		limit = *in.Limit
	}
	return limit, budget
}

// maxLimit bounds limit.
const maxLimit = 100

func (s *Server) recall(ctx context.Context, who caller, in recallArgs) (string, error) {
	limit, budget := in.bounds()
	switch {
	case strings.TrimSpace(in.Query) == "" && strings.TrimSpace(in.About) == "":
		return "", invalid("say what it is about, in words or as a file of the code", `memory_recall needs "query" or "about"`)
	case strings.TrimSpace(in.Query) == "":
		return s.recallAbout(ctx, who, in, limit, budget)
	}
	return s.reading(ctx, call{caller: who, project: in.Project}, func(h *held, t *text) error {
		return h.family(ctx, func(fam *ask.Family) error {
			several := fam.Several()
			a, err := fam.Recall(ctx, recall.Query{Text: in.Query, MinSimilarity: recall.DefaultSimilarity, Ended: in.chooseEnded(), Budget: budget, Measure: func(rows []recall.Row) int {
				var t text
				t.hits(recall.Answer{Rows: rows, LeftOut: maxLimit}, several)
				return vault.Tokens(t.String())
			}}, in.filter(limit))
			if err != nil {
				return err
			}
			a.Warnings, fam.Warnings = append(a.Warnings, fam.Warnings...), nil
			a.Warnings, h.warned = append(a.Warnings, h.warned...), nil
			a = fitAnswer(in.Query, a, budget, several)
			t.writeAnswer(in.Query, a, several)
			return nil
		})
	})
}

// writeAnswer writes the answer with its warnings.
func (t *text) writeAnswer(query string, a recall.Answer, several bool) {
	if len(a.Rows) == 0 {
		t.none(query, a)
	} else {
		t.hits(a, several)
	}
	t.writeWarnings(a.Warnings)
}

// fitAnswer leaves out the last rows of an answer that is too long with its warnings, and where
// one row is left, the last warnings.
func fitAnswer(query string, a recall.Answer, budget int, several bool) recall.Answer {
	for {
		var t text
		if t.writeAnswer(query, a, several); vault.Tokens(t.String()) <= budget {
			return a
		}
		switch {
		case len(a.Rows) > 1:
			a.Rows, a.LeftOut = a.Rows[:len(a.Rows)-1], a.LeftOut+1
		case len(a.Warnings) > 0:
			a.Warnings = a.Warnings[:len(a.Warnings)-1]
		default:
			return a
		}
	}
}

func (in recallArgs) filter(limit int) app.Filter {
	f := app.Filter{Labels: in.Labels, Types: in.Type, Spec: in.Spec, Commits: in.Commits, Under: in.Under, About: in.About, Limit: limit}
	if in.Level != "" {
		f.Levels = []string{in.Level}
	}
	return f
}

// notice stands before what somebody else wrote.
const notice = prose.Notice

// none says that nothing was found, or that nothing of it fits, and why.
func (t *text) none(query string, a recall.Answer) {
	if a.LeftOut == 0 {
		t.printf("No memory found for %q.\n", vault.Clip(query, 120))
	}
	if a.Why != "" {
		t.printf("%s\n", guide.SayTools(a.Why))
	}
}

// hits writes what was found, each in the form that the budget left it.
func (t *text) hits(a recall.Answer, several bool) {
	t.WriteString(notice)
	for _, r := range a.Rows {
		if !several {
			r.Project = "" // a lone one is not named
		}
		t.hit(r)
	}
	if a.LeftOut > 0 {
		t.printf("%d more found; a larger budget shows them.\n", a.LeftOut)
	}
	t.printf("memory_show with an id gives all of one.\n")
}

// hit writes one memory that was found.
func (t *text) hit(r recall.Row) {
	l := label{id: string(r.ID), project: r.Project, path: string(r.Path), author: r.Creator, date: r.Created, status: unusual(r.Status)}
	way := r.Way()
	if r.Form == recall.Bare { // where little has room, and a path or an author may be long
		l.path, l.author, way = "", "", r.Title
	}
	t.openFence(l)
	t.writeLine(way + describeUnusual(r))
	if r.Summary != "" {
		t.writeLine("when: " + r.Summary)
	}
	switch {
	case r.Form == recall.Whole && r.Content != nil:
		t.block(*r.Content)
	case r.Form == recall.Whole || r.Form == recall.Passage:
		t.block(r.Passage)
	}
	t.closeFence()
}

// writeLine writes one line inside a fence.
func (t *text) writeLine(line string) { t.WriteString(harmless(render.Line(line)) + "\n") }

// describeUnusual tells what is out of the ordinary about a memory that was found.
func describeUnusual(r recall.Row) string {
	said := ""
	for _, ending := range r.Endings() {
		said += " [" + ending + "]"
	}
	if r.Level == "pending" {
		said += " [pending: no person has approved it]"
	}
	return said + state(r.Mark)
}

// state tells of a memory that no commit holds yet, and of code that has changed.
func state(m vault.Mark) string {
	said := ""
	if mark := m.Code.Mark(); mark != "" {
		said = " [" + mark + "]"
	}
	switch {
	case m.Waiting:
		return " [waiting to be committed]" + said
	case m.Pending:
		return " [being written]" + said
	}
	return said
}

// unusual is a status that is worth a word.
func unusual(status string) string {
	if status == "open" {
		return ""
	}
	return status
}

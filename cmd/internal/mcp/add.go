package mcp

import (
	"context"
	"strings"

	"github.com/cp-memory/cp/cmd/internal/app"
	"github.com/cp-memory/cp/cmd/internal/ask"
	"github.com/cp-memory/cp/cmd/internal/render"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/about"
	"github.com/cp-memory/cp/vault/header"
	"github.com/cp-memory/cp/vault/journal"
	"github.com/cp-memory/cp/vault/phrase"
	"github.com/cp-memory/cp/vault/tree"
)

// addArgs are the parameters of memory_add.
type addArgs struct {
	Title      string   `tool:"title" need:"yes"`
	Body       string   `tool:"body" need:"yes" about:"Markdown"`
	Summary    string   `tool:"summary" about:"WHEN one needs it, at most 120 characters; required in the tree"`
	Parent     string   `tool:"parent" about:"id, or root"`
	Type       string   `tool:"type" about:"decision, learning, blocker, progress, pattern, handoff, ..."`
	Spec       string   `tool:"spec" about:"piece of work"`
	Phase      string   `tool:"phase"`
	To         string   `tool:"to" about:"of a handoff: that agent alone"`
	Labels     []string `commas:"yes" tool:"labels"`
	References []string `commas:"yes" tool:"references"`
	About      []string `tool:"about" about:"code: bind lines (a.py#L10-L24) or a symbol (a.py#f), not the file"`
}

// addMemory makes a memory of the tree, or an entry of the journal: that is what has a kind.
func (s *Server) addMemory(ctx context.Context, who caller, in addArgs) (string, error) {
	if in.Parent == rootWord {
		in.Parent = ""
	}
	k, entry := header.ParseKind(in.Type)
	if err := in.checkArgs(entry, k == header.Handoff); err != nil {
		return "", err
	}
	c := call{caller: who, verb: "add-sub"}
	if in.Parent != "" {
		c.refs = []string{in.Parent}
	}
	code := about.New{About: in.About}
	return s.writing(ctx, c, func(h *held, t *text) error {
		switch {
		case k == header.Handoff:
			done, err := h.HandOver(ctx, journal.Handoff{Title: in.Title, Text: in.Body, To: in.To, Spec: in.Spec, Phase: in.Phase, Labels: in.Labels, Relates: in.References})
			return h.writeHandedOver(t, done, err)
		case entry:
			c, err := h.Capture(ctx, app.Capture{Capture: journal.Capture{Kind: string(k), Title: in.Title, Body: in.Body, Spec: in.Spec, Phase: in.Phase,
				Labels: in.Labels, Relates: in.References, Parent: in.Parent, Summary: in.Summary, New: code}})
			return h.writeCaptured(t, c, err)
		case in.Parent != "":
			a, err := ask.CreateSub(ctx, h.target, app.AddSub{AutoApprove: true, AddSub: tree.AddSub{Parent: in.Parent, Title: in.Title, Body: in.Body, Labels: in.Labels, Summary: in.Summary, References: in.References, New: code}}, nobody{})
			return h.writeAdded(t, a, err)
		}
		a, err := ask.Create(ctx, h.target, tree.Add{Title: in.Title, Text: in.Body, Labels: in.Labels, Summary: in.Summary, Type: in.Type, References: in.References, New: code})
		return h.writeAdded(t, a, err)
	})
}

// checkArgs refuses what fits neither the tree nor the journal.
func (in addArgs) checkArgs(entry, handoff bool) error {
	switch {
	case handoff && len(in.About) > 0:
		return invalid("leave out about, and name the code in the body", "a handoff is bound to no code")
	case handoff && in.Parent != "":
		return invalid("leave out parent", "a handoff is for the next session, and has no place in the tree")
	case !handoff && in.To != "":
		return invalid("add type=handoff, or leave out to", "to names the agent that a handoff is for")
	case entry && in.Parent != "" && strings.TrimSpace(in.Summary) == "":
		return invalid("say when one needs it, or leave out parent: the journal needs no summary", "an entry with a place in the tree needs a summary")
	case entry && in.Parent == "" && in.Summary != "":
		return invalid("leave out summary, or name a parent", "an entry of the journal has no summary")
	case entry:
		return nil
	case in.Parent != "" && in.Type != "" && in.Type != vault.TypeMemory:
		return invalid("leave out type, or use one of "+strings.Join(journal.Capturable(), ", "), "below a parent lie memories and entries of the journal, and %q is no kind of entry", vault.Clip(in.Type, 40))
	case in.Spec != "" || in.Phase != "":
		return invalid("add a type, one of "+strings.Join(journal.Capturable(), ", "), "spec and phase are of entries of the journal")
	case strings.TrimSpace(in.Summary) == "" && (in.Type == "" || in.Type == vault.TypeMemory):
		return invalid("summary is the trigger phrase: WHEN one needs the memory; or give a type to keep it in the journal", "a memory of the tree needs a summary")
	}
	return nil
}

// nobody is the person before a server: a call asks nobody.
type nobody struct{}

func (nobody) IsAttended() bool                     { return false }
func (nobody) Deep(context.Context, int) error      { return nil }
func (nobody) Phrase(context.Context, error) string { return "" }
func (nobody) Approve(context.Context, app.Proposal) (string, phrase.Verdict) {
	return "", phrase.Quit
}

// writeAdded tells of a new memory.
func (h *held) writeAdded(t *text, a app.Added, err error) error {
	if err != nil {
		return err
	}
	switch {
	case a.Duplicate:
		t.printf("%s (%s). Nothing was written.\n", a.Already(), string(a.Path))
	case a.Queued:
		t.writeScreen(h, func(s render.Screen) { render.WriteQueued(s, a.Busy, a.Why) })
		t.printf("Its id is %s.\n", string(a.ID))
	default:
		t.printf("Created %s at %s%s.\n", string(a.ID), string(a.Path), h.commit())
	}
	for _, like := range a.Similar {
		if like.Project != "" {
			t.printf("%s %q in the project %s says nearly the same (%.0f %%). No person is asked which one stays, since a review decides within one vault: memory_show shows it; if yours only adds to it, memory_retire yours and memory_update that one.\n",
				string(like.ID), inert(render.Line(like.Title)), like.Project, 100*like.Similarity)
			continue
		}
		t.printf("%s %q says nearly the same (%.0f %%). A person is asked which one stays; if yours only adds to it, memory_retire yours and memory_update that one.\n",
			string(like.ID), inert(render.Line(like.Title)), 100*like.Similarity)
	}
	t.writeWarnings(a.Warnings)
	return nil
}

// writeCaptured tells of a new entry of the journal.
func (h *held) writeCaptured(t *text, c app.Captured, err error) error {
	switch {
	case err != nil:
		return err
	case c.Memory.Queued:
		t.writeScreen(h, func(s render.Screen) { render.WriteQueued(s, c.Busy, c.Memory.Why) })
		t.printf("Its id is %s.\n", string(c.Memory.ID))
	default:
		t.printf("Captured %s %s at %s%s.\n", string(c.Memory.Kind), string(c.Memory.ID), string(c.Memory.Path), h.commit())
	}
	t.writeWarnings(c.Warnings)
	return nil
}

// writeHandedOver tells of a hand-over.
func (h *held) writeHandedOver(t *text, o app.HandedOver, err error) error {
	if err := h.writeCaptured(t, o.Captured, err); err != nil {
		return err
	}
	where := "in this work tree"
	if o.Branch != "" {
		where = "on the branch " + inert(render.Line(o.Branch))
	}
	whose := "The next session"
	if o.To != "" {
		whose = "The next session of " + inert(render.Line(o.To))
	}
	t.printf("%s %s is told it first.\n", whose, where)
	for _, id := range o.Superseded {
		t.printf("It supersedes %s.\n", string(id))
	}
	return nil
}

// commit names the commit that holds what the call has written.
func (h *held) commit() string {
	r := h.receipt.last
	if r.Commit == "" {
		return ""
	}
	return " in commit " + vault.Short(r.Commit)
}

package mcp

import (
	"context"
	"slices"
	"strings"

	"github.com/cp-memory/cp/cmd/internal/render"
	"github.com/cp-memory/cp/vault/journal"
	"github.com/cp-memory/cp/vault/tree"
)

// updateArgs are the parameters of memory_update.
type updateArgs struct {
	ID           string   `json:"id" need:"yes"`
	Append       *string  `json:"append" about:"a paragraph at the end"`
	Body         *string  `json:"body" about:"replaces the text"`
	Section      string   `json:"section" about:"with body: only below this heading"`
	New          bool     `json:"new" about:"add the section"`
	Clear        []string `json:"clear" about:"to empty: body, summary"`
	IfMatch      string   `json:"if_match" about:"hash from memory_show"`
	Title        *string  `json:"title"`
	Summary      *string  `json:"summary"`
	AddLabels    []string `json:"add_labels"`
	RemoveLabels []string `json:"remove_labels"`
}

func (s *Server) update(ctx context.Context, who caller, in updateArgs) (string, error) {
	o := tree.Amend{Ref: in.ID, IfMatch: in.IfMatch, Title: in.Title, Body: in.Body, Append: in.Append, Section: in.Section, NewSection: in.New, Clear: in.Clear,
		AddLabels: in.AddLabels, RemoveLabels: in.RemoveLabels, Summary: in.Summary}
	changes := in.changes()
	switch {
	case len(changes)+len(in.Clear) == 0:
		return "", invalid("give append, body, title, summary, add_labels or remove_labels; an empty text is none, and clear empties one", "there is nothing to change")
	case in.Append != nil && in.Body != nil:
		return "", invalid("append adds to the text, body replaces it", "append and body are mutually exclusive")
	case in.Section != "" && in.Body == nil && !slices.Contains(in.Clear, tree.ClearBody):
		return "", invalid("give body, the new text of the section", "section says where the new text goes, and there is none")
	}
	return s.writing(ctx, call{caller: who, verb: "update", refs: []string{in.ID}}, func(h *held, t *text) error {
		a, err := o.Do(ctx, h.Vault)
		if err != nil {
			return err
		}
		t.rendered(h, func(s render.Screen) { render.Amended(s, "Updated", a) })
		if !a.Unchanged {
			t.printf("Changed: %s%s. Its hash is %s now.\n", strings.Join(changes, ", "), h.commit(), a.Hash)
		}
		t.warn(a.Warnings)
		return nil
	})
}

// changes names what is to change.
func (in updateArgs) changes() (all []string) {
	text := "text"
	if in.Section != "" {
		text = "section " + in.Section
	}
	for _, c := range []struct {
		what  string
		given bool
	}{{text, in.Append != nil || in.Body != nil || slices.Contains(in.Clear, tree.ClearBody)}, {"title", in.Title != nil},
		{"summary", in.Summary != nil || slices.Contains(in.Clear, tree.ClearSummary)}, {"labels", len(in.AddLabels)+len(in.RemoveLabels) > 0}} {
		if c.given {
			all = append(all, c.what)
		}
	}
	return all
}

// moveArgs are the parameters of memory_move.
type moveArgs struct {
	ID      string `json:"id" need:"yes"`
	Parent  string `json:"parent" need:"yes" about:"id, or root"`
	Summary string `json:"summary" about:"a new phrase"`
}

// rootWord is the parent of what has none.
const rootWord = "root"

func (s *Server) move(ctx context.Context, who caller, in moveArgs) (string, error) {
	o := tree.Move{Ref: in.ID, To: in.Parent, Summary: in.Summary}
	if in.Parent == rootWord {
		o.Root, o.To = true, ""
	}
	refs := []string{in.ID}
	if !o.Root {
		refs = append(refs, in.Parent)
	}
	return s.writing(ctx, call{caller: who, verb: "move", refs: refs}, func(h *held, t *text) error {
		m, err := o.Do(ctx, h.Vault)
		if err != nil {
			return err
		}
		t.rendered(h, func(s render.Screen) { render.Moved(s, m) })
		if !m.Unchanged {
			t.printf("It is at %s now%s.\n", string(m.Path), h.commit())
		}
		t.warn(m.Warnings)
		return nil
	})
}

// retireArgs are the parameters of memory_retire.
type retireArgs struct {
	ID        string `json:"id" need:"yes"`
	How       string `json:"how" need:"yes" of:"resolved superseded deleted"`
	By        string `json:"by" about:"superseded: id of the new one"`
	Note      string `json:"note" about:"resolved: how"`
	Recursive bool   `json:"recursive" about:"deleted: all below too"`
}

func (s *Server) retire(ctx context.Context, who caller, in retireArgs) (string, error) {
	if err := in.check(); err != nil {
		return "", err
	}
	refs := []string{in.ID}
	if in.By != "" {
		refs = append(refs, in.By)
	}
	return s.writing(ctx, call{caller: who, verb: verbs[in.How], refs: refs}, func(h *held, t *text) error {
		warnings, err := in.do(ctx, h, t)
		if err != nil {
			return err
		}
		if r := h.receipt.last; r.Op != "" && r.Commit != "" {
			t.printf("Done%s; cp-memory undo --op %s takes it back.\n", h.commit(), r.Op)
		}
		t.warn(warnings)
		return nil
	})
}

// verbs are the ways to retire a memory as the command line calls them.
var verbs = map[string]string{"resolved": "resolve", "superseded": "supersede", "deleted": "delete"}

func (in retireArgs) check() error {
	switch {
	case in.How == "superseded" && in.By == "":
		return invalid(`"by" is the id of the memory that takes its place`, `superseded needs "by"`)
	case in.How != "superseded" && in.By != "":
		return invalid("use how=superseded", `"by" goes with superseded alone`)
	case in.How != "resolved" && in.Note != "":
		return invalid("memory_update with append adds it to the text", `"note" goes with resolved alone`)
	case in.How != "deleted" && in.Recursive:
		return invalid("use how=deleted", `"recursive" goes with deleted alone`)
	}
	return nil
}

// do retires a memory and tells what that did.
func (in retireArgs) do(ctx context.Context, h *held, t *text) (warnings []string, err error) {
	switch in.How {
	case "resolved":
		r, err := journal.Resolve{Ref: in.ID, Resolution: in.Note}.Do(ctx, h.Vault)
		if err == nil {
			t.rendered(h, func(s render.Screen) { render.Amended(s, "Resolved", r.Amended) })
		}
		return r.Warnings, err
	case "superseded":
		r, err := tree.Supersede{Old: in.ID, New: in.By}.Do(ctx, h.Vault)
		if err == nil {
			t.rendered(h, func(s render.Screen) { render.Superseded(s, r) })
		}
		return r.Warnings, err
	}
	r, err := tree.Delete{Ref: in.ID, Recursive: in.Recursive}.Do(ctx, h.Vault)
	if err == nil {
		t.rendered(h, func(s render.Screen) { render.Deleted(s, r) })
	}
	return r.Warnings, err
}

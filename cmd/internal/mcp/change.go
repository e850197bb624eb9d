package mcp

import (
	"context"
	"slices"
	"strings"

	"github.com/cp-memory/cp/cmd/internal/bindings"
	"github.com/cp-memory/cp/cmd/internal/render"
	"github.com/cp-memory/cp/vault/journal"
	"github.com/cp-memory/cp/vault/options"
	"github.com/cp-memory/cp/vault/tree"
)

// update changes a memory.
func (s *Server) update(ctx context.Context, who caller, o tree.Amend) (string, error) {
	switch {
	case !options.HasOneOf(o):
		return "", invalid("give append, body, title, summary, add_labels, remove_labels, add_about, remove_about or confirm; an empty text is none, and clear empties one", "there is nothing to change")
	case o.Append != nil && o.Body != nil:
		return "", invalid("append adds to the text, body replaces it", "append and body are mutually exclusive")
	case o.Section != "" && o.Body == nil && !slices.Contains(o.Clear, tree.ClearBody):
		return "", invalid("give body, the new text of the section", "section says where the new text goes, and there is none")
	}
	return s.writing(ctx, call{caller: who, verb: "update", refs: []string{o.Ref}}, func(h *held, t *text) error {
		a, err := bindings.Room{Session: h.Session}.Update(ctx, o)
		if err != nil {
			return err
		}
		t.writeScreen(h, func(s render.Screen) { render.WriteAmended(s, "Updated", a) })
		if !a.Unchanged {
			t.printf("Changed: %s%s. Its hash is %s now.\n", strings.Join(changesOf(o), ", "), h.commit(), a.Hash)
		}
		t.writeWarnings(a.Warnings)
		return nil
	})
}

// changesOf names what is to change.
func changesOf(o tree.Amend) (all []string) {
	text := "text"
	if o.Section != "" {
		text = "section " + o.Section
	}
	words := map[string]string{"append": text, "body": text, "add_labels": "labels", "remove_labels": "labels", "clear": ""}
	for _, f := range options.Of(o) {
		word, special := words[f.Tool]
		if !special {
			word = f.Tool
		}
		if f.OneOf && word != "" && (f.IsSet(o) || slices.Contains(o.Clear, f.Tool)) {
			all = append(all, word)
		}
	}
	return slices.Compact(all)
}

// rootWord is the parent of what has none.
const rootWord = "root"

func (s *Server) move(ctx context.Context, who caller, o tree.Move) (string, error) {
	refs := []string{o.Ref, o.To}
	if o.To == rootWord {
		o.Root, o.To, refs = true, "", refs[:1]
	}
	return s.writing(ctx, call{caller: who, verb: "move", refs: refs}, func(h *held, t *text) error {
		m, err := o.Do(ctx, h.Vault)
		if err != nil {
			return err
		}
		t.writeScreen(h, func(s render.Screen) { render.WriteMoved(s, m) })
		if !m.Unchanged {
			t.printf("It is at %s now%s.\n", string(m.Path), h.commit())
		}
		t.writeWarnings(m.Warnings)
		return nil
	})
}

// retireArgs are the parameters of memory_retire.
type retireArgs struct {
	ID        string `tool:"id" need:"yes"`
	How       string `tool:"how" need:"yes" of:"resolved superseded deleted"`
	By        string `tool:"by" about:"superseded: id of the new one"`
	Note      string `tool:"note" about:"resolved: how"`
	Recursive bool   `tool:"recursive" about:"deleted: all below too"`
}

func (s *Server) retire(ctx context.Context, who caller, in retireArgs) (string, error) {
	if err := in.checkArgs(); err != nil {
		return "", err
	}
	refs := []string{in.ID}
	if in.By != "" {
		refs = append(refs, in.By)
	}
	return s.writing(ctx, call{caller: who, verb: verbs[in.How], refs: refs}, func(h *held, t *text) error {
		warnings, err := in.retireMemory(ctx, h, t)
		if err != nil {
			return err
		}
		if commit := h.commit(); commit != "" {
			t.printf("Done%s.\n", commit)
		}
		t.writeWarnings(warnings)
		return nil
	})
}

// verbs are the ways to retire a memory as the command line calls them.
var verbs = map[string]string{"resolved": "resolve", "superseded": "supersede", "deleted": "delete"}

func (in retireArgs) checkArgs() error {
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

// retireMemory retires a memory and tells what that did.
func (in retireArgs) retireMemory(ctx context.Context, h *held, t *text) (warnings []string, err error) {
	switch in.How {
	case "resolved":
		r, err := journal.Resolve{Ref: in.ID, Resolution: in.Note}.Do(ctx, h.Vault)
		if err == nil {
			t.writeScreen(h, func(s render.Screen) { render.WriteAmended(s, "Resolved", r.Amended) })
		}
		return r.Warnings, err
	case "superseded":
		r, err := tree.Supersede{Old: in.ID, New: in.By}.Do(ctx, h.Vault)
		if err == nil {
			t.writeScreen(h, func(s render.Screen) { render.WriteSuperseded(s, r) })
		}
		return r.Warnings, err
	}
	if err := h.CheckFile(ctx, in.ID); err != nil {
		return nil, err
	}
	r, err := tree.Delete{Ref: in.ID, Recursive: in.Recursive}.Do(ctx, h.Vault)
	if err == nil {
		t.writeScreen(h, func(s render.Screen) { render.WriteDeleted(s, r) })
	}
	return r.Warnings, err
}

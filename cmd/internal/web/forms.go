package web

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/cp-memory/cp/cmd/internal/app"
	"github.com/cp-memory/cp/cmd/internal/queue"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/filename"
)

// form is what an address takes: what is done with it, and the fields that it may have.
type form struct {
	do     show
	fields []string

	// by are further fields, by what the field do may say; nil where the form has no such field.
	by map[string][]string
}

// forms are all that write, by their addresses.
func forms() map[string]form {
	return map[string]form{
		"/new":            {create, []string{"parent", "root", "title", "summary", "labels", "body", secretField}, map[string][]string{"": nil, "save": nil, "preview": nil}},
		"/m/{id}/edit":    {save, []string{"hash", "base", "base_title", "base_summary", "base_labels", "base_status", "title", "summary", "labels", "status", "body", "clear", "marked", secretField}, map[string][]string{"": nil, "save": nil, "preview": nil, "both": nil}},
		"/m/{id}/move":    {move, []string{"hash", "parent", "root", "summary"}, nil},
		"/m/{id}/delete":  {removeMemory, []string{"digest"}, nil},
		"/m/{id}/restore": {restore, []string{"digest", "rev"}, nil},
		"/m/{id}/code":    {decideBinding, []string{"digest", "about"}, map[string][]string{"confirm": nil, "unbind": nil}},
		"/undo":           {undo, []string{"digest", "op"}, nil},
		"/review/{id}": {decide, []string{"hash", "why"}, map[string][]string{queue.Approve: {"parent", "learned", "summary"}, queue.Deny: {"reason"}, queue.Merge: {"into"}, queue.Edit: {"text", "confirm", "code_hash"}, queue.ToCore: {"target"},
			queue.Confirm: {"code_hash"}, queue.Unbind: {"code_hash"}, queue.Resolve: {"resolution"}}},
	}
}

// allowedFields returns the fields that a form may have that says this of what is to be done.
func (f form) allowedFields(do string) []string {
	if f.by == nil {
		return f.fields
	}
	return append(append(slices.Clone(f.fields), "do"), f.by[do]...)
}

// parseAndDo reads a form before anything else is done. One with a field that nobody reads is
// refused: a misspelt one would do less than it says, or something else. What was typed comes
// back.
func (f form) parseAndDo(c *call, ctx context.Context, s *app.Session) error {
	if err := c.r.ParseForm(); err != nil {
		return unreadable(err)
	}
	c.kept = cmp.Or(c.formField("body"), c.formField("text"))
	do := c.r.Form.Get("do")
	if _, ok := f.by[do]; !ok && f.by != nil {
		return vault.Errorf(vault.CodeInvalid, suggestWords(do, slices.Sorted(maps.Keys(f.by))), "%q is nothing that this form does; nothing was written", vault.Clip(do, 40))
	}
	known := f.allowedFields(do)
	for _, name := range slices.Sorted(maps.Keys(c.r.Form)) {
		if !slices.Contains(known, name) {
			c.kept = cmp.Or(c.kept, c.formField(name))
			return vault.Errorf(vault.CodeInvalid, suggestWords(name, known), "the form has a field %q, which is not known here; nothing was written", vault.Clip(name, 40))
		}
	}
	return f.do(c, ctx, s)
}

// suggestWords names the near words, and all of them.
func suggestWords(typed string, words []string) string {
	words = slices.DeleteFunc(slices.Clone(words), func(w string) bool { return w == "" })
	return filename.WordMeant(typed, words) + "it takes " + strings.Join(words, ", ")
}

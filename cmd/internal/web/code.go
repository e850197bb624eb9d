package web

import (
	"cmp"
	"context"
	"fmt"

	"github.com/cp-memory/cp/cmd/internal/app"
	"github.com/cp-memory/cp/cmd/internal/bindings"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/about"
	"github.com/cp-memory/cp/vault/tree"
)

// codeBox is how the code stands that a memory is about. Digest is that of what the person sees: a form
// is taken for that alone.
type codeBox struct {
	Rows   []codeRow
	Digest string
}

// codeRow is one binding.
type codeRow struct {
	vault.BindingState
	Says       string // its state, in words
	IsLoud     bool
	Forms      bool // it stands in the list of what the memory is about, and can be taken off
	CanConfirm bool
}

// boxOf returns the box of a memory; it is empty where that is about no code.
func boxOf(ctx context.Context, s *app.Session, m *tree.Shown) (box codeBox) {
	if m.Code == nil {
		return box
	}
	box.Digest = codeDigest(m)
	rows, err := s.Bindings.OfMemories(ctx, []vault.ID{m.ID})
	for i, b := range m.Code.Bindings {
		row := codeRow{BindingState: b, Says: describeState(b), IsLoud: m.Code.IsLoud() && vault.IsLoud(b.State)}
		row.Forms = err == nil && i < len(rows) && !rows[i].Finding
		switch b.State {
		case vault.CodeUnchecked, vault.CodeTouched, vault.CodeMoved, vault.CodeChanged:
			row.CanConfirm = true
		}
		box.Rows = append(box.Rows, row)
	}
	return box
}

// codeDigest tells what a person sees of a memory and its code from what another one sees later.
func codeDigest(m *tree.Shown) string {
	return digest(struct {
		Hash string
		Code *vault.CodeState
	}{m.Hash, m.Code})
}

// describeState says in words how a binding stands.
func describeState(b vault.BindingState) string {
	switch {
	case b.State == vault.CodeCurrent && b.Confirmed.IsZero():
		return "found by its path"
	case b.State == vault.CodeChanged && b.Lines > 0:
		return fmt.Sprintf("%d of %s changed", b.Lines, vault.Plural(b.Of, "line", "lines"))
	}
	return cmp.Or(b.Why, map[string]string{
		vault.CodeCurrent: "as it was", vault.CodeTouched: "little of the file has changed", vault.CodeMoved: "the same text is elsewhere",
		vault.CodeGone: "gone: there is no such file", vault.CodeChanged: "changed",
	}[b.State], about.Reason(b))
}

// codeMarks returns how the code stands of what is listed, by the ids.
func codeMarks[T any](ctx context.Context, s *app.Session, all []T, id func(T) vault.ID) map[vault.ID]*vault.CodeState {
	if s.Vault.CodeStates == nil || len(all) == 0 {
		return nil
	}
	ids := make([]vault.ID, len(all))
	for i, one := range all {
		ids[i] = id(one)
	}
	return s.Vault.CodeStates(ctx, ids, nil)
}

// markChildren marks the children that are about code.
func markChildren(ctx context.Context, s *app.Session, all []tree.ShownChild) {
	code := codeMarks(ctx, s, all, func(c tree.ShownChild) vault.ID { return c.ID })
	for i := range all {
		all[i].Mark.Code = cmp.Or(all[i].Mark.Code, code[all[i].ID])
	}
}

// decideBinding confirms a binding, or takes it off, if all stands as the person has seen it.
func decideBinding(c *call, ctx context.Context, s *app.Session) error {
	m, err := readUncounted(ctx, s, c.id)
	if err != nil {
		return err
	}
	if codeDigest(&m) != c.formField("digest") {
		return changed
	}
	at, said := c.formField("about"), "Confirmed"
	o := bindings.Decision{Ref: string(m.ID), At: at, Off: c.formField("do") == "unbind", IfMatch: m.Hash}
	if o.Off {
		said = "Unbound"
	}
	out, err := bindings.Room{Session: s}.Decide(ctx, o)
	if err != nil {
		return err
	}
	c.note(out.Warnings...)
	to := c.baseAddress() + "/m/" + string(m.ID)
	if out.Unchanged {
		return c.goOnDone(ctx, s, to, "Nothing was changed: “"+at+"” is confirmed", "")
	}
	return c.goOnDone(ctx, s, to, said+" “"+at+"”", string(m.ID))
}

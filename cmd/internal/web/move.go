package web

import (
	"context"
	"net/http"
	"strings"

	"github.com/cp-memory/cp/cmd/internal/app"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/tree"
)

// moveBody is the form of a move. Hash is that of the file which the person has seen.
type moveBody struct{ ID, Hash, Title, Parent, Summary, Fault, Hint string }

func moveForm(c *call, ctx context.Context, s *app.Session) error {
	m, err := readUncounted(ctx, s, c.id)
	if err != nil {
		return err
	}
	c.id = string(m.ID)
	return c.movePage(http.StatusOK, moveBody{ID: c.id, Hash: m.Hash, Title: m.Title})
}

func (c *call) movePage(status int, b moveBody) error {
	f := c.frame("Move "+b.Title, "/")
	f.Still, f.Hash = true, b.Hash
	return c.html(status, f, "move", b)
}

// move gives a memory another parent. One that has changed since the form was made is shown
// and asked about again.
func move(c *call, ctx context.Context, s *app.Session) error {
	m, err := readUncounted(ctx, s, c.id)
	if err != nil {
		return err
	}
	c.id = string(m.ID)
	b := moveBody{ID: c.id, Hash: m.Hash, Title: m.Title, Parent: strings.TrimSpace(c.formField("parent")), Summary: c.formField("summary")}
	seen := c.formField("hash")
	if seen == "" {
		b.Fault, b.Hint = unread.Msg, "look at what is moved, and send it again"
		return c.movePage(http.StatusPreconditionRequired, b)
	}
	root := c.formField("root") != ""
	if root == (b.Parent != "") { // an empty field is no way to say root
		b.Fault, b.Hint = "nothing was moved: a move needs either a memory to go below, or the root", "name one, or choose to make it a root"
		return c.movePage(http.StatusBadRequest, b)
	}
	out, err := tree.Move{Ref: c.id, To: b.Parent, Root: root, Summary: b.Summary, IfMatch: seen}.Do(ctx, s.Vault)
	switch {
	case vault.CodeOf(err) == vault.CodeConflict && seen != m.Hash:
		b.Fault, b.Hint = "the memory has changed since you saw it; nothing was moved", "look at it, and send the form again"
		return c.movePage(http.StatusPreconditionFailed, b)
	case err != nil:
		said := faultOf(err)
		b.Fault, b.Hint = said.Message, said.Hint
		return c.movePage(statusOf(err), b)
	}
	c.note(out.Warnings...)
	return c.goOnDone(ctx, s, c.baseAddress()+"/m/"+string(out.ID), "Moved “"+m.Title+"”", string(out.ID))
}

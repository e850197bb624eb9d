package web

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"net/http"

	"github.com/cp-memory/cp/cmd/internal/app"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/past"
	"github.com/cp-memory/cp/vault/tree"
)

// planBody is a page that shows what would be done before it is done. The form posts the
// digest of the plan back, and a plan that has changed since is shown again.
type planBody struct {
	Action, Word, Line string
	Rev, Op            string
	Digest             string
	Steps              []string
	Diff               []diffRow
}

// changed is the error of a plan that is another one by now.
var changed = vault.Errorf(vault.CodeConflict, "look at it again", "what would be done has changed since you saw it; nothing was done")

// digest tells one plan from another.
func digest(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic("web: a plan that is no JSON: " + err.Error())
	}
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

// doomed is a memory that a removal takes away.
type doomed struct {
	ID    vault.ID
	Title string
	Hash  string
}

// removal is tree.Delete that removes only what the person has seen.
type removal struct {
	tree.Delete
	seen string // the digest
}

// Plan removes, if what would go is what was seen.
func (r removal) Plan(ctx context.Context, tx *vault.Tx) (tree.Deleted, error) {
	all, err := r.listDoomed(ctx, tx)
	if err != nil {
		return tree.Deleted{}, err
	}
	if digest(all) != r.seen {
		return tree.Deleted{}, changed
	}
	return r.Delete.Plan(ctx, tx)
}

// listDoomed lists the memory and all below it.
func (r removal) listDoomed(ctx context.Context, tx *vault.Tx) ([]doomed, error) {
	d, err := tx.OpenMemory(ctx, r.Ref)
	if err != nil {
		return nil, err
	}
	below, err := tx.Below(ctx, d)
	if err != nil {
		return nil, err
	}
	all := []doomed{{d.ID, d.Title, d.Hash}}
	for _, n := range below {
		all = append(all, doomed{n.ID, n.Title, n.Hash})
	}
	return all, nil
}

// deletePlan shows what would be removed.
func deletePlan(c *call, ctx context.Context, s *app.Session) error {
	all, err := removal{Delete: tree.Delete{Ref: c.id}}.listDoomed(ctx, s.Reading())
	if err != nil {
		return err
	}
	body := planBody{Action: c.baseAddress() + "/m/" + string(all[0].ID) + "/delete", Word: "Delete", Digest: digest(all), Line: vault.Plural(len(all), "memory goes", "memories go") + ". The history keeps the texts."}
	for _, d := range all[:min(len(all), pageRows)] {
		body.Steps = append(body.Steps, d.Title+" ("+string(d.ID)+")")
	}
	f := c.frame("Delete "+all[0].Title, "/")
	f.Still = true
	return c.html(http.StatusOK, f, "plan", body)
}

// removeMemory removes a memory and all below it.
func removeMemory(c *call, ctx context.Context, s *app.Session) error {
	n, err := s.Locate(ctx, c.id)
	if err != nil {
		return err
	}
	out, err := vault.Run(ctx, s.Vault, removal{tree.Delete{Ref: c.id, Recursive: true}, c.formField("digest")}, vault.Options{})
	if err != nil {
		return err
	}
	c.note(out.Warnings...)
	to := c.baseAddress() + "/"
	if out.Parent != nil {
		to = c.baseAddress() + "/m/" + string(*out.Parent)
	}
	return c.goOnDone(ctx, s, to, "Deleted “"+n.Title+"”", string(n.ID))
}

// undoPlan shows what taking an operation back would do.
func undoPlan(c *call, ctx context.Context, s *app.Session) error {
	op := c.r.URL.Query().Get("op")
	if op == "" {
		return nowhere
	}
	rows, err := s.History().PlanUndo(ctx, past.Undo{Op: op})
	if err != nil {
		return err
	}
	body := planBody{Action: c.baseAddress() + "/undo", Op: op, Word: "Undo", Digest: digest(rows), Line: "One new commit takes it back; the history stays."}
	for _, r := range rows {
		body.Steps = append(body.Steps, r.Subject)
		body.Steps = append(body.Steps, r.Files...)
	}
	f := c.frame("Undo", "/")
	f.Still = true
	return c.html(http.StatusOK, f, "plan", body)
}

// undo takes an operation back.
func undo(c *call, ctx context.Context, s *app.Session) error {
	o := past.Undo{Op: c.formField("op")}
	if o.Op == "" {
		return nowhere
	}
	rows, err := s.History().PlanUndo(ctx, o)
	if err != nil {
		return err
	}
	if digest(rows) != c.formField("digest") {
		return changed
	}
	rows, err = s.History().Undo(ctx, o)
	if err != nil {
		return err
	}
	to, id := c.baseAddress()+"/", ""
	if len(rows) > 0 && rows[0].ID != "" {
		id = string(rows[0].ID)
		if _, err := s.Locate(ctx, id); err == nil {
			to = c.baseAddress() + "/m/" + id
		}
	}
	return c.goOnDone(ctx, s, to, "Taken back", id)
}

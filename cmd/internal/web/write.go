package web

import (
	"cmp"
	"context"
	"errors"
	"html/template"
	"net/http"
	"strings"

	"github.com/cp-memory/cp/cmd/internal/app"
	"github.com/cp-memory/cp/cmd/internal/web/markdown"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/past"
	"github.com/cp-memory/cp/vault/tree"
)

// writes are the addresses that change something, and the forms that lead to them.
func (s *Server) writes() {
	for pattern, show := range map[string]show{
		"/m/{id}/edit": editForm, "/m/{id}/move": moveForm, "/m/{id}/delete": deletePlan, "/m/{id}/restore": restorePlan, "/new": newForm, "/undo": undoPlan,
	} {
		s.addPage("GET", pattern, s.pageHandler(withBusyNote(show)))
	}
	for pattern, f := range forms() {
		s.addPage("POST", pattern, s.form(f.parseAndDo))
	}
}

// withBusyNote says on the page of a form what is under way in the repository: no commit is made
// until that ends.
func withBusyNote(form show) show {
	return func(c *call, ctx context.Context, s *app.Session) error {
		if head, err := s.Store.Head(ctx); err == nil && head.Busy != "" {
			is := vault.Standstill(head.Busy)
			c.note(is.Msg + ": until then nothing is committed. A new memory waits for it, and any other change is refused and keeps your text; " + strings.TrimSuffix(is.Hint, ", then run the command again"))
		}
		return form(c, ctx, s)
	}
}

// unreadable is the error of a form that cannot be read.
func unreadable(err error) error {
	var large *http.MaxBytesError
	if errors.As(err, &large) {
		return vault.Errorf(vault.CodeInvalid, "split it, or write it into a file of the vault with an editor: `cp memory sync` takes it in", "the form is longer than %d MB: %w", large.Limit>>20, err)
	}
	return vault.Errorf(vault.CodeInvalid, "go back to the page, and send its form again", "the form cannot be read: %w", err)
}

// unread is the error of a form that does not say which text it was made for.
var unread = &vault.Error{Code: vault.CodeConflict, Msg: "the form does not say which text it is about", Hint: "open the page again"}

// formField returns a field of the form, with line feeds in place of what browsers send.
func (c *call) formField(name string) string {
	return strings.ReplaceAll(strings.ReplaceAll(c.r.PostFormValue(name), "\r\n", "\n"), "\r", "\n")
}

// splitLabels splits what was typed as labels.
func splitLabels(s string) (all []string) {
	for w := range strings.SplitSeq(s, ",") {
		if w = strings.TrimSpace(w); w != "" {
			all = append(all, w)
		}
	}
	return all
}

// newBody is the form of a new memory. It has no title of a parent where none is named that
// there is: the person then names one, or chooses to make a root.
type newBody struct {
	Parent, ParentTitle, Title, Summary, Labels, Body string
	Fault, Hint                                       string
	Secret                                            bool // the text looks like a credential, and the person may save it all the same
	Preview                                           template.HTML
}

func newForm(c *call, ctx context.Context, s *app.Session) error {
	b := newBody{Parent: c.r.URL.Query().Get("parent")}
	if b.Parent != "" {
		if _, err := s.Locate(ctx, b.Parent); err != nil {
			return err
		}
	}
	return c.newPage(ctx, s, http.StatusOK, b)
}

func (c *call) newPage(ctx context.Context, s *app.Session, status int, b newBody) error {
	title := "Add a memory"
	if b.Parent != "" {
		if n, err := s.Locate(ctx, b.Parent); err == nil {
			b.Parent, b.ParentTitle = string(n.ID), n.Title
			title = "Add a memory below " + n.Title
		}
	}
	f := c.frame(title, "/")
	f.Still = true
	return c.html(status, f, "new", b)
}

// create writes a new memory.
func create(c *call, ctx context.Context, s *app.Session) error {
	b := newBody{Parent: strings.TrimSpace(c.formField("parent")), Title: c.formField("title"), Summary: c.formField("summary"), Labels: c.formField("labels"), Body: c.formField("body")}
	if c.formField("do") == "preview" {
		b.Preview = c.text.HTML(b.Body, markdown.At{Title: b.Title, Base: c.baseAddress()})
		return c.newPage(ctx, s, http.StatusOK, b)
	}
	a, err := c.addMemory(ctx, s, b)
	if err != nil {
		said := faultOf(err)
		b.Fault, b.Hint, b.Secret = said.Message, said.Hint, vault.CodeOf(err) == vault.CodeSecret
		return c.newPage(ctx, s, statusOf(err), b)
	}
	c.note(a.Warnings...)
	said := "Added “" + a.Title + "”"
	switch {
	case a.Duplicate:
		said = "Nothing was written: “" + a.Title + "” says the same already"
	case a.Queued:
		said = "Saved; “" + a.Title + "” will be committed when the " + cmp.Or(a.Busy, a.Why, "repository") + " ends"
	}
	id := string(a.ID)
	if a.Queued || a.Duplicate {
		return c.goOnDone(ctx, s, c.baseAddress()+"/m/"+id, said, "")
	}
	return c.goOnDone(ctx, s, c.baseAddress()+"/m/"+id, said, id)
}

func (c *call) addMemory(ctx context.Context, s *app.Session, b newBody) (app.Added, error) {
	root, secret := c.formField("root") != "", c.formField(secretField) != ""
	switch {
	case root == (b.Parent != ""): // an empty field is no way to say root
		return app.Added{}, vault.Errorf(vault.CodeInvalid, "name one, or choose to make it a root", "nothing was written: a new memory needs either a memory to go below, or to be a root")
	case root:
		return s.Add(ctx, tree.Add{Text: b.Body, Title: b.Title, Summary: b.Summary, Labels: splitLabels(b.Labels), AllowSecret: secret})
	}
	if strings.TrimSpace(b.Summary) == "" {
		return app.Added{}, vault.Errorf(vault.CodeInvalid, "say when one needs the memory", "the trigger phrase is missing")
	}
	return s.AddSub(ctx, app.AddSub{AddSub: tree.AddSub{Parent: b.Parent, Title: b.Title, Body: b.Body, Summary: b.Summary, Labels: splitLabels(b.Labels), AllowSecret: secret}, AutoApprove: true}, nil)
}

// restorePlan shows what an earlier text would change.
func restorePlan(c *call, ctx context.Context, s *app.Session) error {
	rev := c.r.URL.Query().Get("rev")
	n, err := s.Locate(ctx, c.id)
	if err != nil {
		return err
	}
	was, err := s.History().FileAt(ctx, c.id, rev)
	if err != nil {
		return err
	}
	now, err := s.Reading().Read(n.Path)
	if err != nil {
		return err
	}
	f := c.frame("Restore "+n.Title, "/")
	f.Still = true
	return c.html(http.StatusOK, f, "plan", planBody{Action: c.baseAddress() + "/m/" + string(n.ID) + "/restore", Rev: rev, Digest: n.Hash, Word: "Restore this text",
		Line: "The text of " + vault.Short(was.Commit) + " comes back. What stands there now stays in the history.", Diff: between(string(now), string(was.Text))})
}

// restore brings an earlier version back, or a memory that is gone.
func restore(c *call, ctx context.Context, s *app.Session) error {
	o := past.Restore{Ref: c.id, Rev: c.formField("rev"), Recursive: c.formField("rev") == ""}
	if n, err := s.Locate(ctx, c.id); err == nil && n.Hash != c.formField("digest") {
		return changed
	}
	r, err := s.History().Restore(ctx, o)
	if err != nil {
		return err
	}
	c.note(r.Warnings...)
	return c.goOnDone(ctx, s, c.baseAddress()+"/m/"+string(r.ID), "Restored “"+r.Title+"”", string(r.ID))
}

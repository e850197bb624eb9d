package web

import (
	"cmp"
	"context"
	"html/template"
	"net/http"
	"slices"
	"strings"

	"github.com/cp-memory/cp/cmd/internal/app"
	"github.com/cp-memory/cp/cmd/internal/web/markdown"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/merge"
	"github.com/cp-memory/cp/vault/tree"
)

// fields are those of a memory that the form has.
type fields struct{ Title, Summary, Labels, Status, Body string }

// fieldsOf are those that a memory has now.
func fieldsOf(m *tree.Shown) fields {
	return fields{m.Title, m.Summary, strings.Join(m.Labels, ", "), m.Status, strings.ReplaceAll(m.Content, "\r\n", "\n")}
}

// editBody is the form of an edit. Base is what it was filled with, Hash the file's.
type editBody struct {
	ID          string
	Hash        string
	Base        fields
	Now         fields
	Fault, Hint string
	Edits       bool // the file has edits that are in no commit, which the person may have committed first
	Preview     template.HTML
	Theirs      *fields // where somebody else wrote meanwhile: what stands there now
	Mine        fields  // and what the person had written
	Was         fields  // on top of this
	Open        int     // how many places of the two texts need a person
	Differs     []diffRow
	Clear       []string // the texts that are to be empty
	Secret      bool     // the text looks like a credential, and the person may save it all the same
	Marked      bool     // marks of a conflict stand in the text, and the person may save it all the same
}

// States are the choices of a status: those that are known, and what stands in the file.
func (b editBody) States() []string {
	if b.Now.Status == "" || vault.UsualStatus(b.Now.Status) {
		return vault.Statuses
	}
	return append([]string{b.Now.Status}, vault.Statuses...)
}

// Empties are the texts that the form takes away, by their names in the form: the person has to
// say so.
func (b editBody) Empties() (all []string) {
	if isBlank(b.Now.Body) && !isBlank(b.Base.Body) {
		all = append(all, tree.ClearBody)
	}
	if isBlank(b.Now.Summary) && !isBlank(b.Base.Summary) {
		all = append(all, tree.ClearSummary)
	}
	return all
}

func isBlank(s string) bool { return strings.TrimSpace(s) == "" }

// readUncounted reads a memory as it is, without counting that.
func readUncounted(ctx context.Context, s *app.Session, ref string) (tree.Shown, error) {
	return tree.Show{Ref: ref, Quiet: true, Rows: 1, Branch: s.Branch}.Read(ctx, s.Vault)
}

// findEditable is looked for what can be edited here.
func findEditable(ctx context.Context, s *app.Session, ref string) (tree.Shown, error) {
	m, err := readUncounted(ctx, s, ref)
	if err == nil && m.Raw {
		err = vault.Errorf(vault.CodeDamaged, "`cp memory sync` repairs it", "the pointer block of %s is damaged, and cannot be edited here", m.ID)
	}
	return m, err
}

// editForm is the form with the memory as it is.
func editForm(c *call, ctx context.Context, s *app.Session) error {
	m, err := findEditable(ctx, s, c.id)
	if err != nil {
		return err
	}
	c.id = string(m.ID)
	now := fieldsOf(&m)
	return c.editPage(http.StatusOK, editBody{ID: c.id, Hash: m.Hash, Base: now, Now: now})
}

func (c *call) editPage(status int, b editBody) error {
	f := c.frame("Edit "+b.Base.Title, "/")
	f.Still, f.Hash = true, b.Hash
	c.w.Header().Set("ETag", `"`+b.Hash+`"`)
	return c.html(status, f, "edit", b)
}

// editing reads the form. A field that it lacks is as the memory has it now: it says nothing.
func (c *call) editing(now fields) editBody {
	return editBody{ID: c.id, Hash: cmp.Or(c.formField("hash"), strings.Trim(c.r.Header.Get("If-Match"), `"`)), Clear: c.r.PostForm["clear"],
		Base: fields{c.formField("base_title"), c.formField("base_summary"), c.formField("base_labels"), c.formField("base_status"), c.formField("base")},
		Now:  fields{c.formFieldOr("title", now.Title), c.formFieldOr("summary", now.Summary), c.formFieldOr("labels", now.Labels), c.formFieldOr("status", now.Status), c.formFieldOr("body", now.Body)}}
}

// formFieldOr returns a field of the form, or what stands there where the form lacks it.
func (c *call) formFieldOr(name, now string) string {
	if c.r.PostForm.Has(name) {
		return c.formField(name)
	}
	return now
}

// save writes the form, on the text that it was made for. Where that is another one by now the
// person gets all three texts, and the merge of them as the new form.
func save(c *call, ctx context.Context, s *app.Session) error {
	m, err := findEditable(ctx, s, c.id)
	if err != nil {
		return err
	}
	b := c.editing(fieldsOf(&m))
	b.ID = string(m.ID)
	switch {
	case b.Hash == "":
		b.Hash, b.Fault, b.Hint = m.Hash, unread.Msg, "look at what stands there now, and save again"
		return c.editPage(http.StatusPreconditionRequired, b)
	case c.formField("do") == "preview":
		b.Preview = c.text.HTML(b.Now.Body, markdown.At{Path: m.Path, Title: b.Now.Title, Base: c.baseAddress()})
		return c.editPage(http.StatusOK, b)
	case b.Hash != m.Hash:
		return c.answerConflict(b, &m)
	case c.formField("marked") == "" && hasConflictMarks(b.Now.Body) && !hasConflictMarks(m.Content):
		b.Marked, b.Fault, b.Hint = true, "the text still has marks of a conflict, so it was not saved", "decide between the two versions, and take out the lines that begin with <<<<<<<, ======= and >>>>>>>"
		return c.editPage(http.StatusConflict, b)
	}
	a, err := c.applyEdits(ctx, s, b, &m)
	if vault.CodeOf(err) == vault.CodeConflict { // somebody was faster
		if m, err := findEditable(ctx, s, c.id); err == nil && m.Hash != b.Hash {
			return c.answerConflict(b, &m)
		}
	}
	if err != nil {
		said := faultOf(err)
		b.Fault, b.Hint, b.Edits = said.Message, said.Hint, vault.CodeOf(err) == vault.CodeDirty
		b.Secret = vault.CodeOf(err) == vault.CodeSecret
		if len(b.Empties()) > 0 && len(b.Clear) == 0 && vault.CodeOf(err) == vault.CodeInvalid {
			b.Hint = "put it back, or choose below to save without it"
		}
		return c.editPage(statusOf(err), b)
	}
	c.note(a.Warnings...)
	if a.Unchanged {
		return c.goOnDone(ctx, s, c.baseAddress()+"/m/"+b.ID, "Nothing was changed", "")
	}
	return c.goOnDone(ctx, s, c.baseAddress()+"/m/"+b.ID, "Saved", b.ID)
}

// applyEdits writes what differs. Edits in the file that are in no commit, which the form was
// filled with, are committed before that if the person says so: as an edit of its own, which the
// history keeps. What is written is still on the text that the form was made for.
func (c *call) applyEdits(ctx context.Context, s *app.Session, b editBody, m *tree.Shown) (tree.Amended, error) {
	o := amend(b, m)
	o.AllowSecret = c.formField(secretField) != ""
	if c.formField("do") == "both" {
		first, err := tree.Edited{Path: m.Path, ID: m.ID, AllowSecret: o.AllowSecret}.Do(ctx, s.Vault)
		if err != nil {
			return first, err
		}
		c.note(first.Warnings...)
	}
	return o.Do(ctx, s.Vault)
}

// amend is what differs from the memory as it is.
func amend(b editBody, m *tree.Shown) tree.Amend {
	now, o := fieldsOf(m), tree.Amend{Ref: b.ID, IfMatch: b.Hash, Clear: b.Clear}
	for _, f := range []struct {
		is, was string
		to      **string
	}{{b.Now.Title, now.Title, &o.Title}, {b.Now.Summary, now.Summary, &o.Summary}, {b.Now.Status, now.Status, &o.Status}} {
		if f.is != f.was && !(isBlank(f.is) && isBlank(f.was)) {
			*f.to = &f.is
		}
	}
	if same := func(s string) string { return strings.TrimRight(s, "\n") }; same(b.Now.Body) != same(now.Body) || slices.Contains(b.Clear, tree.ClearBody) {
		o.Body = &b.Now.Body
	}
	if slices.Contains(b.Clear, tree.ClearSummary) {
		o.Summary = &b.Now.Summary
	}
	labels := splitLabels(b.Now.Labels)
	for _, l := range labels {
		if !slices.Contains(m.Labels, l) {
			o.AddLabels = append(o.AddLabels, l)
		}
	}
	for _, l := range m.Labels {
		if !slices.Contains(labels, l) {
			o.RemoveLabels = append(o.RemoveLabels, l)
		}
	}
	return o
}

// The names of the two sides in the marks of a conflict.
const yours, theirs = "yours", "theirs"

// hasConflictMarks reports whether a text has marks of a conflict, of [call.answerConflict] or of git. One
// that is left of them is enough.
func hasConflictMarks(text string) bool {
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		if mine, ok := strings.CutSuffix(line, " "+yours); ok && len(mine) >= 7 && strings.Trim(mine, "<") == "" {
			return true
		}
		if other, ok := strings.CutSuffix(line, " "+theirs); ok && len(other) >= 7 && strings.Trim(other, ">") == "" {
			return true
		}
	}
	return merge.HasHunks([]byte(text))
}

// answerConflict answers a form whose memory was changed meanwhile: with what stands there, what the
// person wrote, and the merge of both on what the form was filled with.
func (c *call) answerConflict(b editBody, m *tree.Shown) error {
	there := fieldsOf(m)
	b.Theirs, b.Mine, b.Was = &there, b.Now, b.Base
	end := func(s string) []byte { return []byte(strings.TrimRight(s, "\n") + "\n") }
	r := merge.MergeText(end(b.Was.Body), end(b.Mine.Body), end(there.Body), merge.Options{Ours: yours, Theirs: theirs})
	b.Open = len(r.Conflicts)
	pick := func(was, mine, theirs string) string {
		if mine == was {
			return theirs
		}
		return mine
	}
	b.Now = fields{pick(b.Was.Title, b.Mine.Title, there.Title), pick(b.Was.Summary, b.Mine.Summary, there.Summary),
		pick(b.Was.Labels, b.Mine.Labels, there.Labels), pick(b.Was.Status, b.Mine.Status, there.Status), string(r.Text)}
	b.Hash, b.Base = m.Hash, there
	b.Differs = between(b.Was.Body, there.Body)
	return c.editPage(http.StatusPreconditionFailed, b)
}

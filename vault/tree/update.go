package tree

import (
	"bytes"
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/about"
	"github.com/cp-memory/cp/vault/header"
)

// Amend changes one memory. Only what is set changes.
type Amend struct {
	Ref          string   `json:"id" need:"yes" tool:"id"`
	Append       *string  `json:"append" oneof:"yes" flag:"append" help:"add a <paragraph> at the end of the text" tool:"append" about:"a paragraph at the end"`
	Body         *string  `json:"body" oneof:"yes" tool:"body" about:"replaces the text"` // refused while the file has uncommitted edits
	Section      string   `json:"section" flag:"section" help:"with --body: replace only the text below this <heading>" tool:"section" about:"with body: only below this heading"`
	NewSection   bool     `json:"new_section" flag:"new-section" help:"with --section: there is no such heading, add it" tool:"new" about:"add the section"`
	Clear        []string `json:"clear" oneof:"yes" commas:"yes" tool:"clear" about:"to empty: body, summary"` // of body with Section: what stands in it
	IfMatch      string   `json:"if_match" flag:"if-match" help:"only if the file's <hash> is still this one (show -o json)" tool:"if_match" about:"hash from memory_show"`
	Title        *string  `json:"title" oneof:"yes" flag:"title" help:"the <title>" tool:"title"`
	Summary      *string  `json:"summary" oneof:"yes" flag:"summary" help:"the trigger <phrase>" tool:"summary"`
	AddLabels    []string `json:"labels" oneof:"yes" flag:"label" commas:"yes" help:"<labels> to add" tool:"add_labels"`
	RemoveLabels []string `json:"remove_labels" oneof:"yes" flag:"remove-label" commas:"yes" help:"<labels> to take away" tool:"remove_labels"`
	Status       *string  `json:"status" oneof:"yes" flag:"status" help:"<word>: open, closed, deferred or in_progress"`
	Amendments            // of the record
	about.Change          // of the code that it is about

	Deferred    *time.Time `json:"-"` // deferred_until
	Resolution  string     `json:"-"` // a paragraph at the end of the section "Resolution"
	Verb        string     `json:"-"` // of the commit; empty means "update"
	AllowSecret bool       `json:"-"` // commit it also when it looks like a credential
}

// Amended is the outcome of Amend.
type Amended struct {
	ID        vault.ID   `json:"id"`
	Title     string     `json:"title"`
	Status    string     `json:"status"`
	Path      vault.Path `json:"path"`
	Hash      string     `json:"hash"`
	Unchanged bool       `json:"unchanged,omitempty"`
	vault.Warned
}

// Do changes one memory and, where its title or phrase changes, the parent's
// pointer, in one commit. With IfMatch it is a compare-and-swap on the file.
func (o Amend) Do(ctx context.Context, v *vault.Vault) (Amended, error) {
	return vault.Run(ctx, v, o, vault.Options{AllowSecret: o.AllowSecret})
}

// Name is the verb's.
func (o Amend) Name() string { return cmp.Or(o.Verb, "update") }

// warnings are those about what is to be set.
func (o *Amend) warnings() (all []string) {
	if o.Summary != nil {
		all = wordy(*o.Summary)
	}
	return all
}

func (o *Amend) validate() error {
	var title error
	if o.Title != nil {
		title = vault.CheckTitle(*o.Title)
	}
	return cmp.Or(o.Amendments.checkAmendments(), o.checkEmpty(), o.checkSection(), vault.CheckText("resolution", o.Resolution),
		vault.CheckLine("label", o.AddLabels...), vault.CheckLine("label", o.RemoveLabels...), title,
		vault.CheckLine("status", optionValues(o.Status)...), vault.CheckLine("trigger phrase", optionValues(o.Summary)...),
		vault.CheckText("body", optionValues(o.Body)...), vault.CheckText("text", optionValues(o.Append)...))
}

// optionValues returns what an option says, if it was set.
func optionValues(option *string) []string {
	if option == nil {
		return nil
	}
	return []string{*option}
}

// Plan edits the memory's file and its parent's pointer.
func (o Amend) Plan(ctx context.Context, tx *vault.Tx) (Amended, error) {
	kept, err := o.takeUp()
	if err == nil {
		err = o.validate()
	}
	if err != nil {
		return Amended{}, err
	}
	o.clearTexts()
	p, err := tx.OpenMemory(ctx, o.Ref)
	if err != nil {
		return Amended{}, err
	}
	if err := cmp.Or(p.Matches(o.IfMatch), p.Editable()); err != nil {
		return Amended{}, err
	}
	if o.Status, err = newStatus(o.Status, p.Mem.Status); err != nil {
		return Amended{}, err
	}
	section, err := o.sectionSteps(p)
	if err != nil {
		return Amended{}, err
	}
	if o.Body != nil && o.Section == "" {
		if err := tx.Clean(ctx, p.Path); err != nil {
			return Amended{}, err
		}
	}
	record, err := o.Amendments.steps(&p.Mem.Header)
	if err != nil {
		return Amended{}, err
	}
	code, err := o.Change.Steps(&p.Mem.Header)
	if err != nil {
		return Amended{}, err
	}
	changed, err := tx.Amend(ctx, p, slices.Concat(section, o.steps(p.Mem.Status, tx.Now()), record, code, kept)...)
	if err != nil {
		return Amended{}, err
	}
	out, err := newAmended(tx, p)
	out.Unchanged, out.Warnings = err == nil && !changed, o.warnings()
	return out, err
}

// newStatus returns the status that is to be set. A word of a person's own that stands in
// the file may stay.
func newStatus(status *string, was string) (*string, error) {
	if status == nil || *status == was {
		return status, nil
	}
	is, err := vault.ParseStatus(*status)
	return &is, err
}

// steps turns the options into edits of the memory's own file.
func (o *Amend) steps(was string, now time.Time) []vault.Step {
	var s []vault.Step
	set := func(key string, value *string) {
		if value != nil {
			s = append(s, vault.Step{Op: vault.OpSetKey, Key: key, Value: *value})
		}
	}
	set("title", o.Title)
	set("status", o.Status)
	if o.Summary != nil { // a person's, about whatever the text is
		s = append(s, vault.SetPhrase(*o.Summary, "")...)
	}
	if o.Deferred != nil {
		until := header.FormatDate(*o.Deferred)
		set("deferred_until", &until)
	}
	if add := Labels(o.AddLabels); len(add) > 0 {
		s = append(s, vault.Step{Op: vault.OpAddToList, Key: "labels", List: add})
	}
	if drop := Labels(o.RemoveLabels); len(drop) > 0 {
		s = append(s, vault.Step{Op: vault.OpDropFromList, Key: "labels", List: drop})
	}
	if o.Body != nil && o.Section == "" {
		s = append(s, vault.Step{Op: vault.OpSetProse, Text: *o.Body})
	}
	if o.Append != nil {
		s = append(s, vault.Step{Op: vault.OpAppend, Text: *o.Append})
	}
	if o.Status != nil {
		s = append(s, o.datesOf(*o.Status, was, now)...)
	}
	if o.Resolution != "" {
		s = append(s, vault.Step{Op: vault.OpAddToSection, Name: "Resolution", Text: o.Resolution})
	}
	return s
}

// datesOf returns the steps that make the dates fit a new status: a memory
// that is opened again is neither resolved nor deferred any more; how it was resolved stays in
// the section Resolution.
func (o *Amend) datesOf(status, was string, now time.Time) []vault.Step {
	var s []vault.Step
	if status != vault.StatusDeferred && o.Deferred == nil {
		s = append(s, vault.Step{Op: vault.OpDropKey, Key: "deferred_until"})
	}
	switch {
	case status != vault.StatusClosed:
		s = append(s, vault.Step{Op: vault.OpDropKey, Key: "resolved_at"}, vault.Step{Op: vault.OpDropKey, Key: "resolution"})
	case was != vault.StatusClosed:
		s = append(s, vault.Step{Op: vault.OpSetKey, Key: "resolved_at", Value: header.FormatDate(now)})
	}
	return s
}

// newAmended tells of a memory as it is planned.
func newAmended(tx *vault.Tx, d *vault.Doc) (Amended, error) {
	text, err := d.Text()
	if err != nil {
		return Amended{}, err
	}
	return Amended{ID: d.ID, Title: d.Mem.Title, Status: d.Mem.Status, Path: d.Path, Hash: tx.BlobID(text)}, nil
}

// Edited names a file that a person has just changed in an editor.
type Edited struct {
	Path vault.Path
	ID   vault.ID // the memory's id before the edit

	AllowSecret bool // commit it also when it looks like a credential
}

// Spoilt says what an editor has made of a memory that nobody can have meant: an empty
// file, one without its front matter, a pointer block that cannot be read any more. It
// returns "" for every other text, and where that was so before.
func Spoilt(p vault.Path, was, is []byte) string {
	blank := func(b []byte) bool { return len(bytes.TrimSpace(b)) == 0 }
	header := func(b []byte) bool {
		return bytes.HasPrefix(bytes.TrimPrefix(b, []byte("\ufeff")), []byte("---"))
	}
	damaged := func(b []byte) bool { return damagedBlock(vault.Parse(p, b)) }
	switch {
	case blank(is) && !blank(was):
		return "nothing is left of the memory"
	case header(was) && !header(is):
		return "the front matter (the lines between ---) is gone"
	case damaged(is) && !damaged(was):
		return "the pointer block (<!-- sub-memories -->) cannot be read any more"
	}
	return ""
}

// Do commits a file as it is on disk: after an editor was opened on
// it on purpose. An id that got lost in the edit is put back.
func (o Edited) Do(ctx context.Context, v *vault.Vault) (Amended, error) {
	return vault.Run(ctx, v, o, vault.Options{AllowSecret: o.AllowSecret})
}

// Name is the verb's.
func (o Edited) Name() string { return "edit" }

// Plan commits the file as it is on disk.
func (o Edited) Plan(ctx context.Context, tx *vault.Tx) (Amended, error) {
	p, err := o.reread(ctx, tx)
	if err != nil {
		return Amended{}, err
	}
	var steps []vault.Step
	warnings := unread(p)
	if p.ID.Provisional() {
		if err := identify(ctx, tx, p); err != nil {
			return Amended{}, err
		}
	} else if p.Mem.ID != p.ID {
		warnings = append([]string{"the id was changed in the editor; it is " + string(p.ID) + " again"}, warnings...)
	}
	if p.ID != p.Mem.ID {
		steps = []vault.Step{tx.Identify(p.ID, p.Mem.ID)}
	}
	dirty, err := tx.IsModified(ctx, p.Path)
	if err != nil {
		return Amended{}, err
	}
	if !dirty {
		return Amended{ID: p.ID, Title: p.Mem.Title, Status: p.Mem.Status, Path: p.Path, Hash: p.Hash, Unchanged: true, Warned: vault.Warned{Warnings: warnings}}, nil
	}
	if err := tx.AmendWhole(ctx, p, steps...); err != nil {
		return Amended{}, err
	}
	out, err := newAmended(tx, p)
	out.Warnings = warnings
	return out, err
}

// identify gives a file that had no id before the edit the id that was typed, else its id
// in HEAD, else a new one.
func identify(ctx context.Context, tx *vault.Tx, p *vault.Doc) error {
	committed, err := committedID(ctx, tx, p.Path)
	if err != nil {
		return err
	}
	for _, id := range [...]vault.ID{p.Mem.ID, committed} {
		if id == "" || id.Provisional() {
			continue
		}
		n, err := tx.Tree().Find(ctx, string(id))
		switch taken := err == nil && n.ID == id && n.Path != p.Path; {
		case err != nil && vault.CodeOf(err) != vault.CodeNotFound && vault.CodeOf(err) != vault.CodeAmbiguous:
			return err
		case !taken:
			p.ID = id
			return nil
		}
	}
	p.ID, err = tx.NewID(ctx)
	return err
}

// committedID returns the id that the file has in HEAD, or "".
func committedID(ctx context.Context, tx *vault.Tx, p vault.Path) (vault.ID, error) {
	text, held, err := tx.ReadCommitted(ctx, p)
	if !held || err != nil {
		return "", err
	}
	return vault.Parse(p, text).ID, nil
}

// reread reads the file that was edited, which may no longer carry its id.
func (o Edited) reread(ctx context.Context, tx *vault.Tx) (*vault.Doc, error) {
	n, ok, err := tx.Tree().At(ctx, o.Path)
	if err != nil {
		return nil, err
	}
	if !ok {
		return tx.Open(ctx, cmp.Or(string(o.ID), string(o.Path)))
	}
	p, err := tx.OpenAt(n)
	if err == nil && !o.ID.Provisional() {
		p.ID = vault.ID(cmp.Or(string(o.ID), string(p.Mem.ID)))
	}
	return p, err
}

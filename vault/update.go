package vault

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/cp-memory/cp/pointer"
)

// Amend changes one memory. Only what is set changes.
type Amend struct {
	Ref          string
	IfMatch      string // the file's hash as it was read (show -o json); empty does not check
	Title        *string
	Body         *string // replaces the prose; refused while the file has uncommitted edits
	Append       *string // a paragraph at the end of the prose
	Section      string  // with Body: replace only what stands below this heading
	AddLabels    []string
	RemoveLabels []string
	Summary      *string
	Status       *string
	Deferred     *time.Time // deferred_until
	Resolution   string     // a paragraph at the end of the section "Resolution"
	Verb         string     // of the commit; empty means "update"
	AllowSecret  bool       // commit it also when it looks like a credential
}

// Amended is the outcome of Amend.
type Amended struct {
	ID        ID       `json:"id"`
	Title     string   `json:"title"`
	Status    string   `json:"status"`
	Path      Path     `json:"path"`
	Hash      string   `json:"hash"`
	Unchanged bool     `json:"unchanged,omitempty"`
	Warnings  []string `json:"-"`
}

// Amend changes one memory and, where its title or phrase changes, the parent's
// pointer, in one commit. With IfMatch it is a compare-and-swap on the file.
func (v *Vault) Amend(ctx context.Context, o Amend) (Amended, error) {
	out, r, err := Do(ctx, v, o, Options{AllowSecret: o.AllowSecret})
	out.Warnings = append(append(out.Warnings, o.warnings()...), r.Notes...)
	return out, err
}

// Name is the verb's.
func (o Amend) Name() string { return cmp.Or(o.Verb, "update") }

// warnings are those about what is to be set.
func (o *Amend) warnings() (all []string) {
	if o.Summary != nil {
		all = wordy(*o.Summary)
	}
	if o.Status != nil {
		all = append(all, unusual(*o.Status)...)
	}
	return all
}

func (o *Amend) validate() error {
	if o.Section != "" && o.Body == nil {
		return Errorf(CodeInvalid, "add --body or --body-file", "--section says where the new text goes, and there is no text")
	}
	errs := []error{checkLine("section", o.Section), checkText("resolution", o.Resolution),
		checkLines("label", o.AddLabels...), checkLines("label", o.RemoveLabels...)}
	check := func(what string, s *string, with func(what, s string) error) {
		if s != nil {
			errs = append(errs, with(what, *s))
		}
	}
	check("title", o.Title, func(_, s string) error { return checkTitle(s) })
	check("status", o.Status, checkLine)
	check("trigger phrase", o.Summary, checkLine)
	check("body", o.Body, checkText)
	check("text", o.Append, checkText)
	return cmp.Or(errs...)
}

// Plan edits the memory's file and its parent's pointer.
func (o Amend) Plan(ctx context.Context, tx *Tx) (Amended, error) {
	if err := o.validate(); err != nil {
		return Amended{}, err
	}
	p, err := tx.OpenMemory(ctx, o.Ref)
	if err != nil {
		return Amended{}, err
	}
	if err := cmp.Or(p.Matches(o.IfMatch), p.Editable()); err != nil {
		return Amended{}, err
	}
	if o.Body != nil && o.Section == "" {
		if err := tx.Clean(ctx, p.Path); err != nil {
			return Amended{}, err
		}
	}
	return amend(ctx, tx, p, o.steps(p.Mem.Status, tx.Now()))
}

// steps turns the options into edits of the memory's own file.
func (o *Amend) steps(was string, now time.Time) []Step {
	var s []Step
	set := func(key string, value *string) {
		if value != nil {
			s = append(s, Step{Op: OpSetKey, Key: key, Value: *value})
		}
	}
	set("title", o.Title)
	set("status", o.Status)
	set("summary", o.Summary)
	if o.Summary != nil { // a person's, about whatever the text is
		s = append(s, Step{Op: OpDropKey, Key: "summary_of"})
	}
	if o.Deferred != nil {
		until := o.Deferred.UTC().Format(time.RFC3339)
		set("deferred_until", &until)
	}
	if add := Labels(o.AddLabels); len(add) > 0 {
		s = append(s, Step{Op: OpAddToList, Key: "labels", List: add})
	}
	if drop := Labels(o.RemoveLabels); len(drop) > 0 {
		s = append(s, Step{Op: OpDropFromList, Key: "labels", List: drop})
	}
	switch {
	case o.Body != nil && o.Section != "":
		s = append(s, Step{Op: OpSetSection, Name: o.Section, Text: *o.Body})
	case o.Body != nil:
		s = append(s, Step{Op: OpSetProse, Text: *o.Body})
	}
	if o.Append != nil {
		s = append(s, Step{Op: OpAppend, Text: *o.Append})
	}
	if o.Status != nil {
		s = append(s, o.datesOf(*o.Status, was, now)...)
	}
	if o.Resolution != "" {
		s = append(s, Step{Op: OpAddToSection, Name: "Resolution", Text: o.Resolution})
	}
	return s
}

// datesOf returns the steps that make the dates fit a new status: a memory
// that is opened again is neither resolved nor deferred any more.
func (o *Amend) datesOf(status, was string, now time.Time) []Step {
	var s []Step
	if status != StatusDeferred && o.Deferred == nil {
		s = append(s, Step{Op: OpDropKey, Key: "deferred_until"})
	}
	switch {
	case status != StatusClosed:
		s = append(s, Step{Op: OpDropKey, Key: "resolved_at"})
	case was != StatusClosed:
		s = append(s, Step{Op: OpSetKey, Key: "resolved_at", Value: now.UTC().Format(time.RFC3339)})
	}
	return s
}

// amend plans steps on a memory, and carries a changed title or phrase into the
// parent's block. Where nothing would differ it plans nothing.
func amend(ctx context.Context, tx *Tx, p *Doc, steps []Step) (Amended, error) {
	adopts := p.Mem.ID == "" || p.ID.Provisional()
	if adopts { // first of all: what follows stands below the header that it makes
		if err := tx.Adopt(ctx, p); err != nil {
			return Amended{}, err
		}
	}
	after, _, changed, err := p.changes(steps)
	if err != nil {
		return Amended{}, err
	}
	parent, entry, err := repointed(ctx, tx, p, after, steps)
	if err != nil {
		return Amended{}, err
	}
	if !changed && parent == nil && !adopts {
		text, err := p.Text()
		out := p.amended(tx, text)
		out.Unchanged = true
		return out, err
	}
	if err := cmp.Or(tx.Adopt(ctx, p), tx.Edit(p, steps...)); err != nil {
		return Amended{}, err
	}
	if parent != nil {
		if err := tx.Edit(parent, Step{Op: OpSetPointer, Entry: entry}); err != nil {
			return Amended{}, err
		}
	}
	text, err := p.Text()
	tx.About(p.ID, p.Mem.Title)
	return p.amended(tx, text), err
}

// amended tells of a memory as it is.
func (d *Doc) amended(tx *Tx, text []byte) Amended {
	return Amended{ID: d.ID, Title: d.Mem.Title, Status: d.Mem.Status, Path: d.Path, Hash: tx.v.Store.BlobID(text)}
}

// repointed returns the parent whose block is to take over a changed title or
// phrase, and the entry; nil when the block says it already or there is no
// pointer to change. What the steps do not change, a person may have typed: that
// is for sync. Without steps it is what is committed.
func repointed(ctx context.Context, tx *Tx, p *Doc, after *Memory, steps []Step) (*Doc, *pointer.Entry, error) {
	parent, err := tx.Parent(ctx, p)
	if err != nil || parent == nil || parent.Editable() != nil {
		return nil, nil, err
	}
	e, ok := parent.Entry(p.ID)
	want := pointer.Entry{ID: string(p.ID), Title: after.Title, Summary: cmp.Or(after.Summary, cmp.Or(e.Summary, Placeholder)), Extra: e.Extra}
	typed := func(key string) bool {
		return ok && steps != nil && !sets(steps, key)
	}
	if typed("title") && after.Title == p.Mem.Title {
		want.Title = e.Title
	}
	if typed("summary") && after.Summary == p.Mem.Summary {
		want.Summary = e.Summary
	}
	if ok && e.Title == want.Title && e.Summary == want.Summary {
		return nil, nil, nil
	}
	return parent, &want, nil
}

// Edited names a file that a person has just changed in an editor.
type Edited struct {
	Path Path
	ID   ID // the memory's id before the edit

	AllowSecret bool // commit it also when it looks like a credential
}

// CommitEdited commits a file as it is on disk: after an editor was opened on
// it on purpose. An id that got lost in the edit is put back.
func (v *Vault) CommitEdited(ctx context.Context, o Edited) (Amended, error) {
	out, r, err := Do(ctx, v, o, Options{AllowSecret: o.AllowSecret})
	out.Warnings = append(out.Warnings, r.Notes...)
	return out, err
}

// Name is the verb's.
func (o Edited) Name() string { return "edit" }

// Plan commits the file as it is on disk.
func (o Edited) Plan(ctx context.Context, tx *Tx) (Amended, error) {
	p, err := o.reread(ctx, tx)
	if err != nil {
		return Amended{}, err
	}
	var steps []Step
	warnings := p.unread()
	if p.ID.Provisional() {
		if err := identify(ctx, tx, p); err != nil {
			return Amended{}, err
		}
	} else if p.Mem.ID != p.ID {
		warnings = append([]string{"the id was changed in the editor; it is " + string(p.ID) + " again"}, warnings...)
	}
	if p.ID != p.Mem.ID {
		steps = []Step{{Op: OpSetKey, Key: "id", Value: string(p.ID)}}
	}
	dirty, err := tx.Modified(ctx, p.Path)
	if err != nil {
		return Amended{}, err
	}
	if !dirty {
		return Amended{ID: p.ID, Title: p.Mem.Title, Status: p.Mem.Status, Path: p.Path, Hash: p.Hash, Unchanged: true, Warnings: warnings}, nil
	}
	out, err := edited(ctx, tx, p, steps)
	out.Warnings = warnings
	return out, err
}

// edited plans the commit of the file, and of what its parent says of it.
func edited(ctx context.Context, tx *Tx, p *Doc, steps []Step) (Amended, error) {
	if err := tx.Whole(p, steps...); err != nil {
		return Amended{}, err
	}
	tx.About(p.ID, p.Mem.Title)
	parent, entry, err := repointed(ctx, tx, p, p.Mem, nil)
	if err == nil && parent != nil {
		err = tx.Edit(parent, Step{Op: OpSetPointer, Entry: entry})
	}
	return p.amended(tx, p.text), err
}

// identify gives a file that had no id before the edit the one that was typed,
// else the one it has in HEAD, else a new one.
func identify(ctx context.Context, tx *Tx, p *Doc) error {
	committed, err := committedID(ctx, tx, p.Path)
	if err != nil {
		return err
	}
	for _, id := range [...]ID{p.Mem.ID, committed} {
		if id == "" || id.Provisional() {
			continue
		}
		n, err := tx.Tree().Find(ctx, string(id))
		switch taken := err == nil && n.ID == id && n.Path != p.Path; {
		case err != nil && CodeOf(err) != CodeNotFound && CodeOf(err) != CodeAmbiguous:
			return err
		case !taken:
			p.ID = id
			return nil
		}
	}
	p.ID, err = tx.NewID(ctx)
	return err
}

// committedID returns the id that the file has in HEAD; empty when there is none.
func committedID(ctx context.Context, tx *Tx, p Path) (ID, error) {
	text, held, err := tx.Committed(ctx, p)
	if !held || err != nil {
		return "", err
	}
	return Parse(p, text).ID, nil
}

// reread reads the file that was edited, which may no longer carry its id.
func (o Edited) reread(ctx context.Context, tx *Tx) (*Doc, error) {
	n, ok, err := tx.Tree().At(ctx, o.Path)
	if err != nil {
		return nil, err
	}
	if !ok {
		return tx.Open(ctx, cmp.Or(string(o.ID), string(o.Path)))
	}
	p, err := tx.OpenAt(n)
	if err == nil && !o.ID.Provisional() {
		p.ID = ID(cmp.Or(string(o.ID), string(p.Mem.ID)))
	}
	return p, err
}

// sets reports whether one of the steps sets the key.
func sets(steps []Step, key string) bool {
	return slices.ContainsFunc(steps, func(s Step) bool { return s.Key == key })
}

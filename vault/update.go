package vault

import (
	"bytes"
	"context"
	"strings"
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
	Resolution   string     // a section "Resolution"
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
	if err := o.validate(); err != nil {
		return Amended{}, err
	}
	var out Amended
	r, err := v.Update(ctx, orElse(o.Verb, "update"), Scope{None: true}, func(ctx context.Context, t Tree) (*Change, error) {
		out = Amended{}
		return v.planAmend(ctx, t, o, &out)
	})
	if o.Summary != nil {
		out.Warnings = append(out.Warnings, wordy(*o.Summary)...)
	}
	if o.Status != nil {
		out.Warnings = append(out.Warnings, unusual(*o.Status)...)
	}
	out.Warnings = append(out.Warnings, r.Notes...)
	return out, err
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
	return firstError(errs...)
}

func (v *Vault) planAmend(ctx context.Context, t Tree, o Amend, out *Amended) (*Change, error) {
	p, err := v.pinMemory(ctx, t, o.Ref)
	if err != nil {
		return nil, err
	}
	if err := p.matches(o.IfMatch); err != nil {
		return nil, err
	}
	if err := p.editable(); err != nil {
		return nil, err
	}
	if o.Body != nil && o.Section == "" {
		if err := v.committed(ctx, p.Path); err != nil {
			return nil, err
		}
	}
	steps, err := v.adopt(ctx, t, p)
	if err != nil {
		return nil, err
	}
	change := &Change{Verb: orElse(o.Verb, "update"), ID: p.ID, Title: p.Title, AllowSecret: o.AllowSecret,
		Edits: []Edit{{Path: p.Path, Steps: append(steps, o.steps(p.mem.Status, v.Now())...), Adopt: true}}}
	return v.settle(ctx, t, p, change, out)
}

// matches compares the hash a caller has read with the file as it is now.
func (p *pinned) matches(hash string) error {
	if hash == "" || len(hash) >= 7 && strings.HasPrefix(p.Hash, strings.ToLower(hash)) {
		return nil
	}
	return Errorf(CodeConflict, "read it again with `cp memory show "+string(p.ID)+" -o json` and repeat the change",
		"%s has changed since it was read: its hash is %s", p.ID, p.Hash)
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
		s = append(s, Step{Op: OpSetSection, Name: "Resolution", Text: o.Resolution})
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

// settle completes a change of one file: it finds out what the file will be
// like, carries title and phrase into the parent's block, and drops the change
// when nothing would differ.
func (v *Vault) settle(ctx context.Context, t Tree, p *pinned, c *Change, out *Amended) (*Change, error) {
	doc, err := ApplySteps(c.Edits[0].Steps, p.doc)
	if err != nil {
		return nil, p.at(err)
	}
	after := Parse(p.Path, doc)
	*out = Amended{ID: p.ID, Title: after.Title, Status: after.Status, Path: p.Path, Hash: v.Store.BlobID(doc)}
	c.Title = after.Title
	pointer, err := v.repoint(ctx, t, p, after)
	if err != nil {
		return nil, err
	}
	if pointer != nil {
		c.Edits = append(c.Edits, *pointer)
	}
	if pointer == nil && bytes.Equal(doc, p.doc) && !c.Edits[0].Whole {
		out.Unchanged = true
		return nil, nil
	}
	return c, nil
}

// repoint returns the edit that takes a changed title or phrase to the parent's
// block; nil when the block says it already or there is no pointer to change.
func (v *Vault) repoint(ctx context.Context, t Tree, p *pinned, after *Memory) (*Edit, error) {
	parent, err := v.parentOf(ctx, t, p)
	if err != nil || parent == nil || parent.editable() != nil {
		return nil, err
	}
	e, ok := parent.entry(p.ID)
	want := pointer.Entry{ID: string(p.ID), Title: after.Title, Summary: orElse(after.Summary, orElse(e.Summary, Placeholder)), Extra: e.Extra}
	if ok && e.Title == want.Title && e.Summary == want.Summary {
		return nil, nil
	}
	return &Edit{Path: parent.Path, Steps: []Step{{Op: OpSetPointer, Entry: &want}}}, nil
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
	var out Amended
	r, err := v.Update(ctx, "edit", Scope{None: true}, func(ctx context.Context, t Tree) (*Change, error) {
		out = Amended{}
		return v.planEdited(ctx, t, o, &out)
	})
	out.Warnings = append(out.Warnings, r.Notes...)
	return out, err
}

func (v *Vault) planEdited(ctx context.Context, t Tree, o Edited, out *Amended) (*Change, error) {
	p, err := v.reread(ctx, t, o)
	if err != nil {
		return nil, err
	}
	edit := Edit{Path: p.Path, Whole: true, Adopt: true}
	if p.ID.Provisional() {
		if edit.Steps, err = v.identify(ctx, t, p); err != nil {
			return nil, err
		}
	} else if p.mem.ID != p.ID {
		edit.Steps = []Step{{Op: OpSetKey, Key: "id", Value: string(p.ID)}}
		out.Warnings = append(out.Warnings, "the id was changed in the editor; it is "+string(p.ID)+" again")
	}
	out.Warnings = append(out.Warnings, p.unread()...)
	dirty, err := v.Store.Modified(ctx, p.Path)
	if err != nil {
		return nil, err
	}
	if !dirty {
		*out = Amended{ID: p.ID, Title: p.mem.Title, Status: p.mem.Status, Path: p.Path, Hash: p.Hash, Unchanged: true}
		return nil, nil
	}
	warnings := out.Warnings
	change, err := v.settle(ctx, t, p, &Change{Verb: "edit", ID: p.ID, Title: p.mem.Title, AllowSecret: o.AllowSecret, Edits: []Edit{edit}}, out)
	out.Warnings = append(warnings, out.Warnings...)
	return change, err
}

// identify gives a file that had no id before the edit the one that was typed,
// else the one it has in HEAD, else a new one.
func (v *Vault) identify(ctx context.Context, t Tree, p *pinned) ([]Step, error) {
	committed, err := v.committedID(ctx, p.Path)
	if err != nil {
		return nil, err
	}
	p.ID = ""
	for _, id := range [...]ID{p.mem.ID, committed} {
		if p.ID != "" || id == "" || id.Provisional() {
			continue
		}
		n, err := t.Find(ctx, string(id))
		switch taken := err == nil && n.ID == id && n.Path != p.Path; {
		case err != nil && CodeOf(err) != CodeNotFound && CodeOf(err) != CodeAmbiguous:
			return nil, err
		case !taken:
			p.ID = id
		}
	}
	if p.ID == "" {
		if p.ID, err = v.newID(ctx, t); err != nil {
			return nil, err
		}
	}
	if p.ID == p.mem.ID {
		return nil, nil
	}
	return []Step{{Op: OpSetKey, Key: "id", Value: string(p.ID)}}, nil
}

// committedID returns the id that the file has in HEAD; empty when there is none.
func (v *Vault) committedID(ctx context.Context, p Path) (ID, error) {
	head, err := v.Store.Head(ctx)
	if err != nil || head.Commit == "" {
		return "", err
	}
	doc, err := v.Store.ReadAt(ctx, head.Commit, p)
	if CodeOf(err) == CodeNotFound {
		return "", nil
	}
	return Parse(p, doc).ID, err
}

// reread reads the file that was edited, which may no longer carry its id.
func (v *Vault) reread(ctx context.Context, t Tree, o Edited) (*pinned, error) {
	n, ok, err := t.At(ctx, o.Path)
	if err != nil {
		return nil, err
	}
	if !ok {
		return v.pin(ctx, t, orElse(string(o.ID), string(o.Path)))
	}
	doc, _, err := v.Store.Read(n.Path)
	if err != nil {
		return nil, err
	}
	n.Hash = v.Store.BlobID(doc)
	p := &pinned{Node: n, mem: Parse(n.Path, doc), doc: doc}
	if !o.ID.Provisional() {
		p.ID = ID(orElse(string(o.ID), string(p.mem.ID)))
	}
	return p, nil
}

package tree

import (
	"cmp"
	"context"
	"time"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/about"
	"github.com/cp-memory/cp/vault/filename"
)

// AddSub creates a memory below a parent, and the parent's pointer to it.
type AddSub struct {
	Parent     string   `json:"parent" need:"yes"`
	Title      string   `json:"title" need:"yes" flag:"title" help:"the <title> (required)"`
	Body       string   `json:"body,omitempty"`
	Labels     []string `json:"labels,omitempty" flag:"label" commas:"yes" help:"<labels>, separated by commas or repeated"`
	Summary    string   `json:"summary,omitempty" need:"yes" flag:"summary" help:"the trigger <phrase>: when one needs this memory"`
	Relates    []string `json:"relates_to,omitempty" batch:"-"`                                                                  // as in Add
	References []string `json:"references,omitempty" flag:"references" commas:"yes" help:"<ids> of memories this one refers to"` // likewise
	Written    bool     `json:"written,omitempty" batch:"-"`                                                                     // by a model, for this body: it can be told later that the text has changed since
	Record
	about.New

	AllowDuplicate bool `json:"allow_duplicate,omitempty" flag:"allow-duplicate" help:"create it also where a sibling says the same already"`

	AllowSecret bool `json:"-"` // commit it also when it looks like a credential

	ID      vault.ID  `json:"id" batch:"-"`
	Created time.Time `json:"created,omitzero" batch:"-"`
}

// Under returns the memory that is to be the parent, or the error that Do would
// end in: before anybody is asked for anything, and before a text is sent anywhere.
func (o AddSub) Under(ctx context.Context, v *vault.Vault) (vault.Node, error) {
	if err := o.checkAddSub(); err != nil {
		return vault.Node{}, err
	}
	p, err := OpenParent(ctx, v.Reading(), o.Parent)
	if vault.CodeOf(err) == vault.CodeBusy { // it waits itself
		p, err = &vault.Doc{Node: vault.Node{ID: vault.ID(o.Parent)}}, nil
	}
	if err != nil {
		return vault.Node{}, err
	}
	text, err := o.newMemoryFile(v.Agent, nil)
	if err == nil && !o.AllowSecret {
		err = vault.RefuseSecret(text)
	}
	if err != nil {
		return vault.Node{}, err
	}
	return p.Node, nil
}

// OpenParent pins a memory that may get a child.
func OpenParent(ctx context.Context, tx *vault.Tx, ref string) (*vault.Doc, error) {
	p, err := tx.OpenMemory(ctx, ref)
	if err != nil {
		return nil, err
	}
	if err := checkParentOpen(ctx, tx, p); err != nil {
		return nil, err
	}
	if err := p.Editable(); err != nil && !tx.Busy(ctx) {
		return nil, err
	}
	return p, nil
}

// checkParentOpen refuses a closed memory as a parent, and x.mdc where the folder x/ is another one's.
func checkParentOpen(ctx context.Context, tx *vault.Tx, p *vault.Doc) error {
	if p.Path.Foreign() && !p.ReadOnly() {
		o, ok, err := tx.Tree().Owner(ctx, p.Folder())
		if err == nil && ok && o.Folder() == p.Folder() && o.ID != p.ID {
			err = vault.Errorf(vault.CodeInvalid, "rename one of the two files", "the folder %s is that of %s, so %s can have no sub-memories", p.Folder(), o.Path, p.Path)
		}
		if err != nil {
			return err
		}
	}
	if p.Status != vault.StatusClosed {
		return nil
	}
	return vault.Errorf(vault.CodeInvalid, "reopen it with `cp memory update "+string(p.ID)+" --status open`",
		"memory %s is closed and takes no new sub-memories", p.ID)
}

// Do creates a memory below a parent: the child's file and the parent's
// pointer in one commit. The parent is read again under the lock.
func (o AddSub) Do(ctx context.Context, v *vault.Vault) (Added, error) {
	if err := assignID(ctx, v, o.checkAddSub(), &o.ID, &o.Created); err != nil {
		return Added{}, err
	}
	out, r, err := vault.Do(ctx, v, o, vault.Options{Queue: true, AllowSecret: o.AllowSecret})
	if !out.Duplicate {
		out.ID, out.Title, out.Summary = o.ID, o.Title, o.Summary
	}
	out.ParentID = vault.ID(cmp.Or(string(out.ParentID), o.Parent))
	return reportOutcome(out, r, err)
}

// Name is the verb's.
func (o AddSub) Name() string { return "add-sub" }

// TakeUp takes the title and the phrase from the front matter that the body brings along,
// where none is given.
func (o *AddSub) TakeUp() error {
	own, err := vault.OwnOf(o.Body)
	if err == nil {
		o.Title, o.Summary = cmp.Or(o.Title, own.Title), cmp.Or(o.Summary, own.Summary)
	}
	return err
}

// checkAddSub refuses what cannot be written.
func (o *AddSub) checkAddSub() error {
	if err := o.TakeUp(); err != nil {
		return err
	}
	return cmp.Or(vault.CheckTitle(o.Title), vault.CheckText("body", o.Body), vault.CheckLine("trigger phrase", o.Summary),
		vault.CheckLine("label", o.Labels...), o.Record.checkRecord(), o.New.CheckNew())
}

// Plan creates the memory's file below its parent, which points to it.
func (o AddSub) Plan(ctx context.Context, tx *vault.Tx) (out Added, err error) {
	if err := o.checkAddSub(); err != nil {
		return out, err
	}
	if o.ID, o.Created, err = Stamp(ctx, tx, o.ID, o.Created); err != nil {
		return out, err
	}
	out = Added{ID: o.ID, Title: o.Title, Summary: o.Summary}
	parent, err := OpenParent(ctx, tx, o.Parent)
	if err != nil {
		return out, err
	}
	refs, err := references(ctx, tx, o.References, &out)
	if err != nil {
		return out, err
	}
	if out.Path, err = tx.NewPath(ctx, parent.Folder(), filename.Slug(o.Title, o.ID.Suffix())); err != nil {
		return out, err
	}
	text, err := o.newMemoryFile(tx.Agent(), refs)
	if err != nil {
		return out, err
	}
	if !o.AllowDuplicate {
		there, err := findStored(ctx, tx, text, func(n vault.Node) bool { return n.Parent == parent.ID })
		if err != nil || there != nil {
			out = duplicate(there, text)
			out.ParentID, out.ParentTitle = parent.ID, parent.Title
			return out, err
		}
	}
	tx.Create(vault.Node{ID: o.ID, Path: out.Path, Parent: parent.ID, ParentTitle: parent.Title, Depth: parent.Depth + 1}, text)
	if err := tx.Adopt(ctx, parent); err != nil {
		return out, err
	}
	out.ParentID, out.ParentTitle, out.depth = parent.ID, parent.Title, parent.Depth+1
	tx.About(o.ID, o.Title)
	return out, Point(tx, parent, o.ID, o.Title, o.Summary)
}

// newMemoryFile returns the new memory's file.
func (o AddSub) newMemoryFile(creator string, refs []vault.Reference) ([]byte, error) {
	child := &vault.Memory{ID: o.ID, References: append(refs, referencesTo(o.Relates)...), Prose: o.Body,
		Header: vault.Header{Title: o.Title, Labels: Labels(o.Labels), Summary: o.Summary, Created: o.Created, Creator: creator}}
	o.into(&child.Header)
	if o.Written {
		child.ByModel()
	}
	return vault.Render(child)
}

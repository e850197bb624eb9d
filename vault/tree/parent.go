package tree

import (
	"cmp"
	"context"
	"time"

	"github.com/cp-memory/cp/pointer"
	"github.com/cp-memory/cp/vault"
)

// AddParent gives a transparent folder a memory: x.md for x/. What lies in the folder
// becomes its children.
type AddParent struct {
	Dir     vault.Path `json:"folder" need:"yes"`
	Title   string     `json:"title" flag:"title" help:"its <title> (default: the folder's name)"`
	Summary string     `json:"summary" need:"yes" flag:"summary" help:"when one needs it"` // the trigger phrase
	Written bool       `json:"-"`                                                          // by a model
}

// Parented is the outcome of AddParent.
type Parented struct {
	ID          vault.ID   `json:"id"`
	Title       string     `json:"title"`
	Folder      vault.Path `json:"folder"`
	Path        vault.Path `json:"path"`
	ParentID    vault.ID   `json:"parent_id,omitempty"`
	ParentTitle string     `json:"-"`
	Summary     string     `json:"summary,omitempty"`
	Children    int        `json:"child_count"`
	Nameless    int        `json:"without_id,omitempty"` // of the children, which sync gives an id and a pointer
	LeftAlone   int        `json:"left_alone,omitempty"` // likewise, to which it gives none: empty, no text or the like
	vault.Warned
}

// Do creates the memory and the pointers to the children in one commit. The memory that
// was above them points to it instead, with the children's phrases carried along.
func (o AddParent) Do(ctx context.Context, v *vault.Vault) (Parented, error) {
	return vault.Run(ctx, v, o, vault.Options{})
}

// Name is the verb's.
func (o AddParent) Name() string { return "add-parent" }

// Plan creates the folder's memory.
func (o AddParent) Plan(ctx context.Context, tx *vault.Tx) (out Parented, err error) {
	if o.Dir, err = vault.ParsePath(string(o.Dir)); err != nil {
		return out, err
	}
	title := cmp.Or(o.Title, o.Dir.Base())
	if err := cmp.Or(vault.CheckTitle(title), vault.CheckLine("trigger phrase", o.Summary)); err != nil {
		return out, err
	}
	above, children, err := o.findAround(ctx, tx)
	if err != nil {
		return out, err
	}
	out = Parented{Title: title, Folder: o.Dir, Path: o.Dir + ".md", Summary: o.Summary, Children: len(children)}
	out.Warn(wordy(o.Summary)...)
	var created time.Time
	if out.ID, created, err = Stamp(ctx, tx, "", created); err != nil {
		return out, err
	}
	m := &vault.Memory{ID: out.ID, Header: vault.Header{Title: title, Summary: o.Summary, Created: created, Creator: tx.Agent()}}
	if o.Written {
		m.ByModel()
	}
	text, err := vault.Render(m)
	if err != nil {
		return out, err
	}
	n := vault.Node{ID: out.ID, Path: out.Path}
	if above != nil {
		n.Parent, n.ParentTitle, n.Depth = above.ID, above.Title, above.Depth+1
		out.ParentID, out.ParentTitle = above.ID, above.Title
	}
	tx.Create(n, text)
	tx.About(out.ID, title)
	if err = o.planPointers(ctx, tx, &out, above, children); err == nil && out.Children == 0 {
		err = vault.Errorf(vault.CodeInvalid, "`cp memory sync` says why", "nothing but files that sync leaves alone lies in %s/", o.Dir)
	}
	return out, err
}

// findAround returns the memory above the folder, if there is one, and the memories that lie
// in the folder.
func (o AddParent) findAround(ctx context.Context, tx *vault.Tx) (above *vault.Doc, children []vault.Node, err error) {
	if _, err := tx.CatchUp(ctx, vault.Scope{Dir: o.Dir}); err != nil {
		return nil, nil, err
	}
	up, ok, err := tx.Tree().Owner(ctx, o.Dir)
	if err != nil {
		return nil, nil, err
	}
	if err := tx.CheckUnplanned(o.Dir); err != nil {
		return nil, nil, err
	}
	if ok && up.Folder() == o.Dir {
		return nil, nil, HasMemory(o.Dir, up)
	}
	there, err := tx.Look(ctx, o.Dir+".md")
	if err == nil && there.File {
		err = vault.Errorf(vault.CodeInvalid, "give it another name, or the type memory", "%s.md is there already and is no memory of the folder", o.Dir)
	}
	if err != nil {
		return nil, nil, err
	}
	if ok {
		if above, err = tx.Open(ctx, string(up.ID)); err == nil {
			err = above.Editable()
		}
		if err != nil {
			return nil, nil, err
		}
	}
	children, err = topmostIn(ctx, tx, o.Dir)
	if err == nil && len(children) == 0 {
		err = vault.Errorf(vault.CodeNotFound, "`cp memory tree` shows the folders", "no memory lies in %s/", o.Dir)
	}
	return above, children, err
}

// HasMemory is the error for a folder that is not transparent.
func HasMemory(dir vault.Path, n vault.Node) error {
	return vault.Errorf(vault.CodeInvalid, "`cp memory update "+string(n.ID)+" --summary PHRASE` gives it a phrase", "%s/ has its memory already: %s, %s", dir, n.ID, n.Path)
}

// planPointers plans the pointers to the children, and those of the memory above.
func (o AddParent) planPointers(ctx context.Context, tx *vault.Tx, out *Parented, above *vault.Doc, children []vault.Node) error {
	parent, err := tx.Open(ctx, string(out.ID))
	if err != nil {
		return err
	}
	left, err := findWithoutID(ctx, tx, children)
	if err != nil {
		return err
	}
	for _, c := range children {
		switch {
		case left[c.Path]:
			out.LeftAlone++
			continue
		case c.ID.Provisional():
			out.Nameless++
			continue
		}
		e, listed := above.Entry(c.ID)
		if !listed {
			e = pointer.Entry{ID: string(c.ID), Summary: c.Summary}
		}
		e.Title, e.Summary = c.Title, cmp.Or(e.Summary, vault.Placeholder)
		if err := tx.Edit(parent, vault.Step{Op: vault.OpAddPointer, Entry: &e}); err != nil {
			return err
		}
		if listed {
			if err := tx.RemovePointer(ctx, above, c.ID); err != nil {
				return err
			}
		}
	}
	out.Children -= out.LeftAlone
	if above == nil {
		return nil
	}
	return tx.Point(ctx, above, pointer.Entry{ID: string(out.ID), Title: out.Title, Summary: cmp.Or(o.Summary, vault.Placeholder)})
}

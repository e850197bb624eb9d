package vault

import (
	"cmp"
	"context"
)

// Delete removes a memory and the pointer to it.
type Delete struct {
	Ref       string
	Recursive bool // its descendants too
}

// Doomed is what a Delete would do, for the question before it.
type Doomed struct {
	Target      Node
	ParentTitle string
	Children    int // direct ones, closed too
	Descendants int // all of them
}

// Deleted is the outcome of Delete: the target first, then its descendants.
type Deleted struct {
	IDs         []ID     `json:"deleted"`
	Parent      *ID      `json:"parent_updated"`
	Title       string   `json:"-"`
	ParentTitle string   `json:"-"`
	Kept        []Path   `json:"kept,omitempty"` // folders that stay because other files lie in them
	Warnings    []string `json:"-"`
}

// Doom tells what Delete would do, or the error it would end in.
func (v *Vault) Doom(ctx context.Context, o Delete) (Doomed, error) {
	p, below, err := o.doomed(ctx, v.reading())
	if err != nil {
		return Doomed{}, err
	}
	out := Doomed{Target: p.Node, ParentTitle: p.ParentTitle, Descendants: len(below)}
	for _, n := range below {
		if n.Parent == p.ID {
			out.Children++
		}
	}
	return out, nil
}

// doomed opens the target and lists its descendants.
func (o Delete) doomed(ctx context.Context, tx *Tx) (*Doc, []Node, error) {
	p, err := tx.OpenMemory(ctx, o.Ref)
	if err != nil {
		return nil, nil, err
	}
	below, err := tx.Below(ctx, p)
	if err != nil || len(below) == 0 || o.Recursive {
		return p, below, err
	}
	children, err := tx.Tree().Children(ctx, p.ID)
	return nil, nil, cmp.Or[error](err, Errorf(CodeHasChildren, "",
		"Memory has %s. Use --recursive to delete subtree, or move children first", Plural(len(children), "child", "children")))
}

// Delete removes a memory, with Recursive its whole subtree, and the pointer to
// it, in one commit. Git's history keeps the texts; a file with uncommitted
// edits, which history would not have, is refused.
func (v *Vault) Delete(ctx context.Context, o Delete) (Deleted, error) {
	out, r, err := Do(ctx, v, o, Options{})
	if err != nil {
		return Deleted{}, err
	}
	out.Warnings = append(out.Warnings, r.Notes...)
	return out, v.leftovers(ctx, &out, r)
}

// Name is the verb's.
func (o Delete) Name() string { return "delete" }

// Plan removes the files and the pointer.
func (o Delete) Plan(ctx context.Context, tx *Tx) (out Deleted, err error) {
	p, below, err := o.doomed(ctx, tx)
	if err != nil {
		return out, err
	}
	out.Title = p.Title
	tx.About(p.ID, p.Title)
	var paths []Path
	for _, n := range append([]Node{p.Node}, below...) {
		paths = append(paths, n.Path)
		out.IDs = append(out.IDs, n.ID)
		tx.Remove(&n)
	}
	if err := tx.Clean(ctx, paths...); err != nil {
		return out, err
	}
	parent, err := tx.Parent(ctx, p)
	if err != nil || parent == nil {
		return out, err
	}
	out.Parent, out.ParentTitle = idOf(parent)
	return out, cmp.Or(parent.Editable(), tx.Unpoint(parent, p.ID))
}

// committed refuses files whose text, on disk or staged, is in no commit.
func (v *Vault) committed(ctx context.Context, paths ...Path) error {
	disk, staged, err := v.Store.Modified(ctx, paths...)
	switch {
	case err != nil:
		return err
	case len(disk) > 0:
		return Typed(disk[0], "the file", false)
	case len(staged) > 0:
		return Typed(staged[0], "the file", true)
	}
	return nil
}

// leftovers names the folders of deleted memories that stay for other files in them.
func (v *Vault) leftovers(ctx context.Context, out *Deleted, r Receipt) error {
	for _, p := range r.Paths {
		spot, err := v.Store.Look(ctx, p)
		if err != nil {
			return err
		}
		if spot.Folder && !spot.File {
			out.Kept = append(out.Kept, p.Stem())
		}
	}
	return nil
}

package tree

import (
	"context"

	"github.com/cp-memory/cp/vault"
)

// Delete removes a memory and the pointer to it.
type Delete struct {
	Ref       string `json:"id" need:"yes"`
	Recursive bool   `json:"recursive" flag:"recursive" help:"all descendants too"`
}

// DeletePreview says what a Delete would do, for the question before it.
type DeletePreview struct {
	Target      vault.Node
	ParentTitle string
	Children    int // direct ones, closed too
	Descendants int // all of them
}

// Deleted is the outcome of Delete: the target first, then its descendants.
type Deleted struct {
	IDs         []vault.ID   `json:"deleted"`
	Parent      *vault.ID    `json:"parent_updated"`
	Title       string       `json:"-"`
	Path        vault.Path   `json:"-"`
	ParentTitle string       `json:"-"`
	Kept        []vault.Path `json:"kept,omitempty"` // folders that stay because other files lie in them
	vault.Warned
}

// Preview tells what Do would do, or the error it would end in.
func (o Delete) Preview(ctx context.Context, v *vault.Vault) (DeletePreview, error) {
	p, below, err := o.targets(ctx, v.Reading())
	if err == nil {
		err = CheckProtected(ctx, v, removals(p, below)...)
	}
	if err != nil {
		return DeletePreview{}, err
	}
	return DeletePreview{Target: p.Node, ParentTitle: p.ParentTitle, Children: childrenOf(p, below), Descendants: len(below)}, nil
}

// removals are the edits that remove a memory and its descendants.
func removals(p *vault.Doc, below []vault.Node) (edits []vault.Edit) {
	for _, n := range append([]vault.Node{p.Node}, below...) {
		edits = append(edits, vault.Edit{Path: n.Path, Remove: true})
	}
	return edits
}

// targets opens the target and lists its descendants.
func (o Delete) targets(ctx context.Context, tx *vault.Tx) (*vault.Doc, []vault.Node, error) {
	p, err := tx.OpenMemory(ctx, o.Ref)
	if err != nil {
		return nil, nil, err
	}
	if err := p.Writable(); err != nil {
		return nil, nil, err
	}
	below, err := tx.Below(ctx, p)
	if err != nil || len(below) == 0 || o.Recursive {
		return p, below, err
	}
	return nil, nil, vault.Errorf(vault.CodeHasChildren, "",
		"Memory has %s. Use --recursive to delete subtree, or move children first", vault.Plural(childrenOf(p, below), "child", "children"))
}

// childrenOf counts those of a memory's descendants that are directly below it.
func childrenOf(p *vault.Doc, below []vault.Node) (n int) {
	for _, d := range below {
		if d.Parent == p.ID {
			n++
		}
	}
	return n
}

// Do removes a memory, with Recursive its whole subtree, and the pointer to
// it, in one commit. Git's history keeps the texts; a file with uncommitted
// edits, which history would not have, is refused.
func (o Delete) Do(ctx context.Context, v *vault.Vault) (Deleted, error) {
	out, r, err := vault.Do(ctx, v, o, vault.Options{})
	if err != nil {
		return Deleted{}, err
	}
	out.Warn(r.Notes...)
	return out, leftovers(ctx, v, &out, r)
}

// Name is the verb's.
func (o Delete) Name() string { return "delete" }

// Plan removes the files and the pointer.
func (o Delete) Plan(ctx context.Context, tx *vault.Tx) (out Deleted, err error) {
	p, below, err := o.targets(ctx, tx)
	if err != nil {
		return out, err
	}
	return out, out.removeNodes(ctx, tx, p, below...)
}

// removeNodes plans that a memory and others below it go, with their facts and the pointer to it.
func (d *Deleted) removeNodes(ctx context.Context, tx *vault.Tx, p *vault.Doc, below ...vault.Node) error {
	d.Title, d.Path = p.Title, p.Path
	tx.About(p.ID, p.Title)
	var paths []vault.Path
	for _, n := range append([]vault.Node{p.Node}, below...) {
		paths = append(paths, n.Path)
		d.IDs = append(d.IDs, n.ID)
		if err := tx.Remove(&n); err != nil {
			return err
		}
		facts, err := factless(ctx, tx, n.ID)
		if err != nil {
			return err
		}
		paths = append(paths, facts...)
	}
	if err := tx.Clean(ctx, paths...); err != nil {
		return err
	}
	parent, err := tx.Parent(ctx, p)
	if err != nil || parent == nil {
		return err
	}
	d.Parent, d.ParentTitle = idOf(parent)
	if err := parent.Editable(); err != nil {
		return err
	}
	return tx.RemovePointer(ctx, parent, p.ID)
}

// factless plans that the facts of a memory go, and returns their file, if there is one.
func factless(ctx context.Context, tx *vault.Tx, id vault.ID) ([]vault.Path, error) {
	text, err := tx.Facts(ctx, vault.FactsPath(id))
	if err != nil || text == nil {
		return nil, err
	}
	return []vault.Path{vault.FactsPath(id)}, tx.SetFacts(ctx, vault.FactsPath(id), text, nil)
}

// leftovers names the folders of deleted memories that stay for other files in them.
func leftovers(ctx context.Context, v *vault.Vault, out *Deleted, r vault.Receipt) error {
	for _, p := range r.Paths {
		there, err := v.Store.Look(ctx, p)
		if err != nil {
			return err
		}
		if there.Folder && !there.File {
			out.Kept = append(out.Kept, p.Stem())
		}
	}
	return nil
}

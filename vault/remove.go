package vault

import "context"

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
	var out Doomed
	err := v.View(ctx, Scope{None: true}, func(t Tree) error {
		p, below, err := v.doomed(ctx, t, o)
		if err != nil {
			return err
		}
		out = Doomed{Target: p.Node, ParentTitle: p.ParentTitle, Descendants: len(below)}
		for _, n := range below {
			if n.Parent == p.ID {
				out.Children++
			}
		}
		return nil
	})
	return out, err
}

// doomed pins the target and lists its descendants as they are on disk.
func (v *Vault) doomed(ctx context.Context, t Tree, o Delete) (*pinned, []Node, error) {
	p, err := v.pinMemory(ctx, t, o.Ref)
	if err != nil {
		return nil, nil, err
	}
	if _, err := v.Mirror.CatchUp(ctx, v.Store, Scope{Dir: p.Folder()}); err != nil {
		return nil, nil, err
	}
	below, err := t.Walk(ctx, WalkOptions{Root: p.ID, Closed: true, MaxDepth: MaxDepth})
	if err != nil {
		return nil, nil, err
	}
	if len(below) > 0 && below[0].ID == p.ID {
		below = below[1:]
	}
	if len(below) > 0 && !o.Recursive {
		children, err := t.Children(ctx, p.ID)
		if err != nil {
			return nil, nil, err
		}
		return nil, nil, Errorf(CodeHasChildren, "",
			"Memory has %s. Use --recursive to delete subtree, or move children first", plural(len(children), "child", "children"))
	}
	return p, below, nil
}

// Delete removes a memory, with Recursive its whole subtree, and the pointer to
// it, in one commit. Git's history keeps the texts; a file with uncommitted
// edits, which history would not have, is refused.
func (v *Vault) Delete(ctx context.Context, o Delete) (Deleted, error) {
	var out Deleted
	r, err := v.Update(ctx, "delete", Scope{None: true}, func(ctx context.Context, t Tree) (*Change, error) {
		out = Deleted{}
		return v.planDelete(ctx, t, o, &out)
	})
	if err != nil {
		return Deleted{}, err
	}
	out.Warnings = append(out.Warnings, r.Notes...)
	return out, v.leftovers(ctx, &out, r)
}

func (v *Vault) planDelete(ctx context.Context, t Tree, o Delete, out *Deleted) (*Change, error) {
	p, below, err := v.doomed(ctx, t, o)
	if err != nil {
		return nil, err
	}
	change := &Change{Verb: "delete", ID: p.ID, Title: p.Title}
	for _, n := range append([]Node{p.Node}, below...) {
		if err := v.committed(ctx, n.Path); err != nil {
			return nil, err
		}
		out.IDs = append(out.IDs, n.ID)
		change.Edits = append(change.Edits, Edit{Path: n.Path, Remove: true})
	}
	change.Gone, out.Title = out.IDs, p.Title
	parent, err := v.parentOf(ctx, t, p)
	if err != nil || parent == nil {
		return change, err
	}
	out.Parent, out.ParentTitle = idOf(parent)
	if _, listed := parent.entry(p.ID); listed {
		change.Edits = append(change.Edits, Edit{Path: parent.Path, Steps: []Step{{Op: OpRemovePointer, ID: p.ID}}})
	}
	return change, parent.editable()
}

// committed refuses a file whose text on disk is in no commit.
func (v *Vault) committed(ctx context.Context, p Path) error {
	if v.staged.has(p) {
		return nil
	}
	dirty, err := v.Store.Modified(ctx, p)
	if err != nil || !dirty {
		return err
	}
	return &Error{Code: CodeDirty, Path: string(p), Msg: "the file has uncommitted edits, which git's history would not keep",
		Hint: "commit them first (`git add` and `git commit`, or `cp memory edit`), then repeat the command"}
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

package vault

import (
	"context"

	"github.com/cp-memory/cp/pointer"
)

// Move gives a memory another parent; its whole subtree goes along.
type Move struct {
	Ref     string
	To      string // the new parent
	Root    bool   // or none
	Summary string // a new trigger phrase; empty keeps the present one
}

// Moved is the outcome of Move and Promote.
type Moved struct {
	ID        ID       `json:"id"`
	OldParent *ID      `json:"old_parent"`
	NewParent *ID      `json:"new_parent"`
	NewDepth  int      `json:"new_depth"`
	Path      Path     `json:"path"`
	Unchanged bool     `json:"unchanged,omitempty"` // it was there already
	Title     string   `json:"-"`
	OldTitle  string   `json:"-"` // of the old parent; empty for root
	NewTitle  string   `json:"-"`
	OldDepth  int      `json:"-"`
	Broken    []string `json:"broken_links,omitempty"` // relative links of the moved text that now lead nowhere
	Warnings  []string `json:"-"`
}

// Promote moves a memory up one level.
type Promote struct{ Ref string }

// Move gives a memory another parent, or none, in one commit: the file with its
// folder, the old parent's pointer and the new one's. The phrase is kept.
func (v *Vault) Move(ctx context.Context, o Move) (Moved, error) {
	if (o.To == "") == !o.Root {
		return Moved{}, Errorf(CodeInvalid, "`cp memory move <id> <new-parent-id>` or `cp memory move <id> --root`",
			"a move needs either a new parent or --root")
	}
	if err := checkLine("trigger phrase", o.Summary); err != nil {
		return Moved{}, err
	}
	return v.move(ctx, "move", o, func(ctx context.Context, t Tree, src *pinned) (*pinned, error) {
		if o.Root {
			return nil, nil
		}
		return v.moveTarget(ctx, t, src, o.To)
	})
}

// Promote moves a memory to its grandparent, or to the root level.
func (v *Vault) Promote(ctx context.Context, o Promote) (Moved, error) {
	return v.move(ctx, "promote", Move{Ref: o.Ref}, func(ctx context.Context, t Tree, src *pinned) (*pinned, error) {
		parent, err := v.parentOf(ctx, t, src)
		if err != nil {
			return nil, err
		}
		if parent == nil {
			return nil, Errorf(CodeInvalid, "", "Memory is already at root level")
		}
		return v.parentOf(ctx, t, parent)
	})
}

// moveTarget pins the new parent and refuses a cycle. Position is parenthood, so
// what lies in the memory's own folder is a descendant, whatever the mirror says.
func (v *Vault) moveTarget(ctx context.Context, t Tree, src *pinned, ref string) (*pinned, error) {
	dst, err := v.pin(ctx, t, ref)
	switch {
	case CodeOf(err) == CodeNotFound:
		return nil, Errorf(CodeNotFound, "`cp memory list` shows the ids", "target %s not found", clip(ref, 80))
	case err != nil:
		return nil, err
	case dst.ID == src.ID:
		return nil, Errorf(CodeCycle, "", "Cannot move memory to itself")
	case dst.Type != TypeMemory:
		return nil, Errorf(CodeType, "only a memory has sub-memories", "Target %s is type '%s', expected 'memory'", dst.ID, dst.Type)
	case dst.Path.Within(src.Folder()):
		return nil, Errorf(CodeCycle, "move the target elsewhere first", "Cannot move memory to own descendant (would create cycle)")
	}
	return dst, dst.editable()
}

type target func(ctx context.Context, t Tree, src *pinned) (*pinned, error)

// move is the common part of Move and Promote: everything is decided under the lock.
func (v *Vault) move(ctx context.Context, verb string, o Move, to target) (Moved, error) {
	var out Moved
	r, err := v.Update(ctx, verb, Scope{None: true}, func(ctx context.Context, t Tree) (*Change, error) {
		out = Moved{}
		src, err := v.pinMemory(ctx, t, o.Ref)
		if CodeOf(err) == CodeNotFound {
			return nil, Errorf(CodeNotFound, "`cp memory list` shows the ids", "memory %s not found", clip(o.Ref, 80))
		} else if err != nil {
			return nil, err
		}
		dst, err := to(ctx, t, src)
		if err != nil {
			return nil, err
		}
		old, err := v.parentOf(ctx, t, src)
		if err != nil {
			return nil, err
		}
		return v.planMove(ctx, t, verb, o.Summary, src, old, dst, &out)
	})
	out.Warnings = append(out.Warnings, r.Notes...)
	return out, err
}

func (v *Vault) planMove(ctx context.Context, t Tree, verb, phrase string, src, old, dst *pinned, out *Moved) (*Change, error) {
	out.ID, out.Title, out.Path, out.OldDepth = src.ID, src.Title, src.Path, src.Depth
	out.OldParent, out.OldTitle = idOf(old)
	out.NewParent, out.NewTitle = idOf(dst)
	if dst != nil {
		out.NewDepth = dst.Depth + 1
	}
	if old.same(dst) {
		out.Unchanged, out.NewDepth = true, src.Depth
		return nil, nil
	}
	if old != nil {
		if err := old.editable(); err != nil {
			return nil, err
		}
	}
	edits, to, err := v.relocate(ctx, t, src, dst)
	if err != nil {
		return nil, err
	}
	out.Path = to
	entry := v.carry(src, old, phrase)
	if phrase != "" {
		edits[0].Steps = append(edits[0].Steps, Step{Op: OpSetKey, Key: "summary", Value: phrase})
	}
	if dst != nil {
		steps, err := v.adopt(ctx, t, dst)
		if err != nil {
			return nil, err
		}
		steps = append(steps, Step{Op: OpSetPointer, Entry: &entry})
		edits = append(edits, Edit{Path: dst.Path, Steps: steps, Adopt: true})
	}
	if _, listed := old.entry(src.ID); listed {
		edits = append(edits, Edit{Path: old.Path, Steps: []Step{{Op: OpRemovePointer, ID: src.ID}}})
	}
	out.ID = src.ID // either may have got its id just now
	out.NewParent, _ = idOf(dst)
	return &Change{Verb: verb, ID: src.ID, Title: src.Title, Edits: edits}, nil
}

// relocate returns the edits that take src's file and folder to dst, and the file's new path.
func (v *Vault) relocate(ctx context.Context, t Tree, src, dst *pinned) ([]Edit, Path, error) {
	var dir Path
	if dst != nil {
		dir = dst.Folder()
	}
	steps, err := v.adopt(ctx, t, src)
	if err != nil {
		return nil, "", err
	}
	if src.Folder() == src.Path.Dir() { // README.md standing for its folder: the folder is the memory
		name, err := v.place(ctx, dir, src.Folder().Base())
		if err != nil {
			return nil, "", err
		}
		to := name.Stem().Join(src.Path.Base())
		return []Edit{
			{Path: src.Path, To: to, Steps: steps, Adopt: true},
			{Path: src.Folder(), To: name.Stem(), Tree: true},
		}, to, nil
	}
	name := src.Path.Stem().Base()
	if dir.Join("x").Join(src.Path.Base()).FolderRank() > 0 {
		name = Slug(src.Title, src.ID.suffix())
	}
	to, err := v.place(ctx, dir, name)
	if err != nil {
		return nil, "", err
	}
	edits := []Edit{{Path: src.Path, To: to, Steps: steps, Adopt: true}}
	spot, err := v.Store.Look(ctx, src.Path)
	if err == nil && spot.Folder {
		edits = append(edits, Edit{Path: src.Folder(), To: to.Stem(), Tree: true})
	}
	return edits, to, err
}

// carry is the pointer that the new parent gets: the old parent's as it stands
// on disk, else one made from the child.
func (v *Vault) carry(src, old *pinned, phrase string) pointer.Entry {
	entry, ok := old.entry(src.ID)
	if !ok {
		entry = pointer.Entry{ID: string(src.ID), Summary: orElse(src.mem.Summary, Placeholder)}
	}
	entry.Title = src.Title
	if phrase != "" {
		entry.Summary = phrase
	}
	return entry
}

// same reports whether two parents are one; nil is the root level.
func (p *pinned) same(q *pinned) bool {
	if p == nil || q == nil {
		return p == nil && q == nil
	}
	return p.ID == q.ID
}

func idOf(p *pinned) (*ID, string) {
	if p == nil {
		return nil, ""
	}
	return &p.ID, p.Title
}

package tree

import (
	"cmp"
	"context"

	"github.com/cp-memory/cp/pointer"
	"github.com/cp-memory/cp/vault"
)

// MoveFolder gives a folder that has no memory of its own another place, with all that lies in it.
type MoveFolder struct{ From, To vault.Path }

// Do moves the folder. The memories in it keep their ids and links; those above point to what is
// below them now.
func (o MoveFolder) Do(ctx context.Context, v *vault.Vault) (Moved, error) {
	return vault.Run(ctx, v, o, vault.Options{})
}

// Name is the verb's.
func (o MoveFolder) Name() string { return Move{}.Name() }

// Plan moves the folder, and the pointers to what lies in it.
func (o MoveFolder) Plan(ctx context.Context, tx *vault.Tx) (out Moved, err error) {
	if _, err := tx.CatchUp(ctx, vault.Scope{}); err != nil {
		return out, err
	}
	if there, err := tx.Look(ctx, o.To+".md"); err != nil || there.File || there.Folder {
		return out, cmp.Or[error](err, errPlaceTaken(o.To))
	}
	if o.To.Within(o.From) {
		return out, vault.Errorf(vault.CodeCycle, "", "a folder cannot be moved into itself")
	}
	top, err := topmostIn(ctx, tx, o.From)
	if err != nil {
		return out, err
	}
	old, err := openOwner(ctx, tx, o.From)
	if err != nil {
		return out, err
	}
	dst, err := openOwner(ctx, tx, o.To.Dir())
	if err != nil {
		return out, err
	}
	moves := []FileMove{{From: o.From, To: o.To, Tree: true}}
	mends, err := mending(ctx, tx, moves)
	if err != nil {
		return out, err
	}
	for i := range top {
		d, err := tx.OpenAt(top[i])
		if err == nil {
			top[i].Title, err = titleAt(d, o.To+d.Path[len(o.From):])
		}
		if err != nil {
			return out, err
		}
	}
	if err := tx.MoveFolder(ctx, o.From, o.To); err != nil {
		return out, err
	}
	out.Path, out.Warnings = o.To, warnUnmended(mends)
	tx.About("", string(o.From)+"/ to "+string(o.To)+"/")
	if err := out.relink(tx, nil, mends, false); err != nil {
		return out, err
	}
	return out, movePointers(ctx, tx, top, old, dst)
}

// errPlaceTaken refuses a place for what is moved.
func errPlaceTaken(p vault.Path) error {
	return &vault.Error{Code: vault.CodeConflict, Path: string(p), Msg: "there is something of that name already"}
}

// movePointers has one memory point to others, where another one did, by their present titles; nil
// points to none.
func movePointers(ctx context.Context, tx *vault.Tx, all []vault.Node, old, dst *vault.Doc) error {
	same := old.IsSameParent(dst)
	for _, n := range all {
		entry, listed := old.Entry(n.ID)
		switch {
		case n.ID.Provisional(), same && (!listed || entry.Title == n.Title):
			continue // sync gives one without an id both
		case !listed:
			entry = pointer.Entry{ID: string(n.ID), Summary: cmp.Or(n.Summary, vault.Placeholder)}
		}
		entry.Title = n.Title
		if dst != nil {
			if err := tx.Point(ctx, dst, entry); err != nil {
				return err
			}
		}
		if listed && !same {
			if err := tx.RemovePointer(ctx, old, n.ID); err != nil {
				return err
			}
		}
	}
	return nil
}

// RemoveFolder deletes all memories in a folder; the memory to which the folder belongs stays.
type RemoveFolder struct{ Dir vault.Path }

// Do deletes them, as [Delete] does.
func (o RemoveFolder) Do(ctx context.Context, v *vault.Vault) (Deleted, error) {
	return vault.Run(ctx, v, o, vault.Options{})
}

// Name is the verb's.
func (o RemoveFolder) Name() string { return Delete{}.Name() }

// Plan deletes one subtree after the other.
func (o RemoveFolder) Plan(ctx context.Context, tx *vault.Tx) (out Deleted, err error) {
	if _, err := tx.CatchUp(ctx, vault.Scope{}); err != nil {
		return out, err
	}
	top, err := topmostIn(ctx, tx, o.Dir)
	for _, n := range top {
		var one Deleted
		if one, err = (Delete{Ref: string(n.Path), Recursive: true}).Plan(ctx, tx); err != nil {
			return out, err
		}
		out.IDs = append(out.IDs, one.IDs...)
	}
	out.Path = o.Dir
	tx.About("", string(o.Dir)+"/")
	return out, err
}

// RemoveFile deletes one memory. What lies in its folder stays there, below the memory above.
type RemoveFile struct{ At vault.Path }

// Do deletes it, as [Delete] does.
func (o RemoveFile) Do(ctx context.Context, v *vault.Vault) (Deleted, error) {
	return vault.Run(ctx, v, o, vault.Options{})
}

// Name is the verb's.
func (o RemoveFile) Name() string { return Delete{}.Name() }

// Plan deletes the file, and moves the pointers to what lies in its folder.
func (o RemoveFile) Plan(ctx context.Context, tx *vault.Tx) (out Deleted, err error) {
	d, err := openFile(ctx, tx, o.At)
	if err != nil {
		return out, err
	}
	below, err := tx.Below(ctx, d)
	if err != nil {
		return out, err
	}
	parent, err := tx.Parent(ctx, d)
	if err != nil {
		return out, err
	}
	top := below[:0:0]
	for _, n := range below {
		if n.Parent == d.ID {
			top = append(top, n)
		}
	}
	if err := movePointers(ctx, tx, top, d, parent); err != nil {
		return out, err
	}
	return out, out.removeNodes(ctx, tx, d)
}

package past

import (
	"bytes"
	"cmp"
	"context"
	"slices"

	"github.com/cp-memory/cp/vault"
)

// release takes a file that the operation adopted out of the commits again. On
// disk it stays, without what adoption put into it and with all that was typed
// since. is is its text in the operation's commit.
func (u *undoing) release(ctx context.Context, a adoption, is []byte, c *vault.Change, row *UndoRow) error {
	now, err := u.readUncommitted(ctx, a.Path)
	if err != nil {
		return err
	}
	e := vault.Edit{Path: a.Path, Untrack: true}
	told := "keep " + string(a.Path) + ", in no commit"
	if now == nil {
		told = "forget " + string(a.Path) + ", which was deleted since"
	} else if a.From != "" {
		e.To, told = a.From, "move back to "+string(a.From)+", in no commit: "+string(a.Path)
		if err := u.checkPathFree(ctx, a.From); err != nil {
			return err
		}
		u.after[a.Path] = nil
	}
	if now != nil {
		e.Steps = a.Steps
		text, err := vault.ApplySteps(a.Steps, now)
		if err != nil {
			return err
		}
		if !bytes.Equal(text, now) {
			told += ": without what adoption put into it"
		}
		if !bytes.Equal(now, is) {
			told += ", with what was typed since"
		}
		now = text
	}
	u.after[vault.Path(cmp.Or(string(e.To), string(a.Path)))] = now
	if id := vault.Parse(a.Path, is).ID; id != "" {
		c.Gone = append(c.Gone, id)
	}
	row.Files = append(row.Files, told)
	return u.addEdit(c, e)
}

// readUncommitted returns the text on disk of a file that will be in no commit any more, or nil if it
// is not there. It refuses a staged text, which would be lost with the index.
func (u *undoing) readUncommitted(ctx context.Context, p vault.Path) ([]byte, error) {
	if text, planned := u.after[p]; planned {
		if text == nil {
			return nil, u.errLosesWork(p, "it is not there any more")
		}
		return text, nil
	}
	if _, err := u.readTextAt(ctx, u.head, p); vault.CodeOf(err) == vault.CodeNotFound {
		return nil, u.errLosesWork(p, "it is not there any more")
	} else if err != nil {
		return nil, err
	}
	if slices.Contains(u.staged, p) {
		return nil, &vault.Error{Code: vault.CodeDirty, Path: string(p), Msg: vault.WhyStaged, Hint: "commit it first: git commit"}
	}
	text, err := u.tx.Read(p)
	return text, ignoreNotFound(err)
}

// adoptAgain returns the steps that adopt a file once more, if the operation was the undo of its
// adoption and the file is as that left it. Otherwise it returns nil.
func (u *undoing) adoptAgain(ctx context.Context, p vault.Path, was []byte) ([]vault.Step, error) {
	if len(u.rev.Undoes) == 0 {
		return nil, nil
	}
	now, err := u.tx.Read(p)
	if err != nil {
		return nil, ignoreNotFound(err)
	}
	for _, op := range u.rev.Undoes {
		made, err := u.h.undoable(ctx, Undo{Op: op})
		if err != nil {
			return nil, ignoreNotFound(err)
		}
		if ok, err := u.isAfterUndo(ctx, made[0], p, was, now); err != nil || ok {
			return append([]vault.Step{}, takenOut(was, now)...), err
		}
	}
	return nil, nil
}

// isAfterUndo reports whether now is the text that undoing the adoption by r left, with the changes
// committed since, or with those undone too.
func (u *undoing) isAfterUndo(ctx context.Context, r vault.Revision, p vault.Path, was, now []byte) (bool, error) {
	is, err := u.h.Store.ReadAt(ctx, r.Commit, p)
	if err != nil {
		return false, ignoreNotFound(err)
	}
	return slices.ContainsFunc([][]byte{was, is}, func(doc []byte) bool {
		a, ok := adoptions(&r).Of(p, doc)
		return ok && gives(a.Steps, doc, now)
	}), nil
}

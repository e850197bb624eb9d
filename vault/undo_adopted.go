package vault

import (
	"bytes"
	"cmp"
	"context"
	"slices"
)

// release takes a file that the operation adopted out of the commits again. On
// disk it stays, without what adoption put into it and with all that was typed
// since. is is its text in the operation's commit.
func (u *undoing) release(ctx context.Context, a adoption, is []byte, c *Change, row *UndoRow) error {
	now, err := u.kept(ctx, a.Path)
	if err != nil {
		return err
	}
	e := Edit{Path: a.Path, Untrack: true}
	told := "keep " + string(a.Path) + ", in no commit"
	if now == nil {
		told = "forget " + string(a.Path) + ", which was deleted since"
	} else if a.From != "" {
		e.To, told = a.From, "move back to "+string(a.From)+", in no commit: "+string(a.Path)
		if err := u.free(ctx, a.From); err != nil {
			return err
		}
		u.after[a.Path] = nil
	}
	if now != nil {
		e.Steps = a.Steps
		text, err := ApplySteps(a.Steps, now)
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
	u.after[Path(cmp.Or(string(e.To), string(a.Path)))] = now
	if id := Parse(a.Path, is).ID; id != "" {
		c.Gone = append(c.Gone, id)
	}
	c.Edits = append(c.Edits, e)
	row.Files = append(row.Files, told)
	return nil
}

// kept returns the text on disk of a file that is to be in no commit any more;
// nil when it is not there. What is staged would be lost with the index, so it is refused.
func (u *undoing) kept(ctx context.Context, p Path) ([]byte, error) {
	if text, planned := u.after[p]; planned {
		if text == nil {
			return nil, u.lost(p, "it is not there any more")
		}
		return text, nil
	}
	if _, err := u.at(ctx, u.head, p); CodeOf(err) == CodeNotFound {
		return nil, u.lost(p, "it is not there any more")
	} else if err != nil {
		return nil, err
	}
	if slices.Contains(u.staged, p) {
		return nil, &Error{Code: CodeDirty, Path: string(p), Msg: WhyStaged, Hint: "commit it or run `git restore --staged " + quoted(p) + "` first"}
	}
	text, _, err := u.v.Store.Read(p)
	return text, ignore(err, CodeNotFound)
}

// again returns the steps that adopt a file as it was, where the operation was the
// undo of its adoption and the file is what that left; nil where it is not.
func (u *undoing) again(ctx context.Context, p Path, was []byte) ([]Step, error) {
	if u.rev.Undoes == "" {
		return nil, nil
	}
	now, _, err := u.v.Store.Read(p)
	if err != nil {
		return nil, ignore(err, CodeNotFound)
	}
	made, err := u.v.undoable(ctx, Undo{Op: u.rev.Undoes})
	if err != nil {
		return nil, ignore(err, CodeNotFound)
	}
	a, ok := made[0].adoptions().of(p, was)
	if !ok || !gives(a.Steps, was, now) {
		return nil, nil
	}
	return append([]Step{}, takenOut(was, now)...), nil
}

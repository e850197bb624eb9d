package past

import (
	"bytes"
	"cmp"
	"context"
	"slices"

	"github.com/cp-memory/cp/vault"
)

// undoing is one operation on its way back.
type undoing struct {
	h            *History
	tx           *vault.Tx
	rev          vault.Revision
	before, head string // commits
	after        overlay
	through      passages
	adopted      adopted
	texts        map[string]map[vault.Path][]byte // by commit: of what the operation touched
	staged       []vault.Path                     // of what it was the first to commit
}

func (h *History) undoing(ctx context.Context, tx *vault.Tx, r vault.Revision, after overlay) (*undoing, error) {
	head, err := tx.Tip(ctx)
	if err != nil {
		return nil, err
	}
	u := &undoing{h: h, tx: tx, rev: r, head: head, after: after, adopted: adoptions(&r)}
	u.before, err = h.Archive.Parent(ctx, r.Commit)
	return u, err
}

// readTouched reads what the operation touched, from each commit at once: file by file
// it costs a look at the whole tree and index for each.
func (u *undoing) readTouched(ctx context.Context, touched []Touch) error {
	var files []Version
	var fresh []vault.Path
	for _, t := range touched {
		files = append(files, Version{Path: t.Path})
		if t.From != "" {
			files = append(files, Version{Path: t.From})
		}
		if t.New || t.From != "" {
			fresh = append(fresh, t.Path)
		}
	}
	u.texts = make(map[string]map[vault.Path][]byte)
	for _, commit := range [...]string{u.before, u.rev.Commit, u.head} {
		if commit == "" || u.texts[commit] != nil {
			continue
		}
		texts := make(map[vault.Path][]byte)
		u.texts[commit] = texts
		err := u.h.Archive.Versions(ctx, commit, files, func(p vault.Path, text []byte) error {
			texts[p] = bytes.Clone(text)
			return nil
		})
		if err != nil {
			return err
		}
	}
	staged, err := u.tx.ListStaged(ctx, fresh)
	u.staged = staged
	return err
}

// pairMoves takes a file that went and one that came with the same memory for a move. git does
// so only where the texts are alike, and of a short one with many links little may be left.
func (u *undoing) pairMoves(touched []Touch) []Touch {
	went := make(map[vault.ID]vault.Path)
	for _, t := range touched {
		if t.Gone {
			went[vault.Parse(t.Path, u.texts[u.before][t.Path]).ID] = t.Path
		}
	}
	delete(went, "")
	came := make(map[vault.Path]bool)
	for i, t := range touched {
		id := vault.Parse(t.Path, u.texts[u.rev.Commit][t.Path]).ID
		if _, adopted := u.adopted.files[t.Path]; t.New && !adopted && went[id] != "" {
			touched[i].New, touched[i].From = false, went[id]
			came[went[id]] = true
			delete(went, id)
		}
	}
	return slices.DeleteFunc(touched, func(t Touch) bool { return t.Gone && came[t.Path] })
}

// operationTitle returns the title of the operation's memory, or "" if it had none.
func (u *undoing) operationTitle(ctx context.Context, touched []Touch) string {
	for _, t := range touched {
		commit := u.rev.Commit
		if t.Gone {
			commit = u.before
		}
		if doc, err := u.readTextAt(ctx, commit, t.Path); err == nil && u.rev.ID != "" {
			if m := vault.Parse(t.Path, doc); m.ID == u.rev.ID {
				return m.Title
			}
		}
	}
	return ""
}

// revert adds the edit that takes one file's change back.
func (u *undoing) revert(ctx context.Context, t Touch, c *vault.Change, row *UndoRow) error {
	switch {
	case t.Gone:
		return u.bringBack(ctx, t.Path, c, row)
	case t.New:
		return u.takeAway(ctx, t.Path, c, row)
	}
	was, err := u.readTextAt(ctx, u.before, vault.Path(cmp.Or(string(t.From), string(t.Path))))
	if err != nil {
		return err
	}
	made, err := u.readTextAt(ctx, u.rev.Commit, t.Path)
	switch {
	case err != nil:
		return err
	case t.From != "" && another(was, made):
		if err := u.bringBack(ctx, t.From, c, row); err != nil {
			return err
		}
		return u.takeAway(ctx, t.Path, c, row)
	}
	u.through.continuePassage(vault.Parse(t.Path, was), vault.Parse(t.Path, made))
	return u.changeBack(ctx, t, was, c, row)
}

// changeBack adds the edit that gives a file the text that it had, and the place.
func (u *undoing) changeBack(ctx context.Context, t Touch, was []byte, c *vault.Change, row *UndoRow) error {
	is, now, err := u.both(ctx, t.Path)
	if err != nil {
		return err
	}
	steps, ok := backward(t.Path, was, is, now)
	if !ok {
		return u.errLosesWork(t.Path, "it was changed again since")
	}
	e := vault.Edit{Path: t.Path, Steps: steps}
	verb := "change "
	if t.From != "" {
		if err := u.checkPathFree(ctx, t.From); err != nil {
			return err
		}
		e.To, verb = t.From, "move back to "+string(t.From)+": "
		u.after[t.Path] = nil
	}
	text, err := vault.ApplySteps(steps, now)
	if err != nil {
		return err
	}
	u.after[vault.Path(cmp.Or(string(t.From), string(t.Path)))] = text
	if len(steps) > 0 || e.To != "" {
		row.Files = append(row.Files, verb+string(t.Path))
		return u.addEdit(c, e)
	}
	return nil
}

// another reports whether two texts are of different memories: git takes a file that
// went and one that came for a move where they are alike.
func another(a, b []byte) bool {
	id := vault.Parse("", a).ID
	return id != "" && id != vault.Parse("", b).ID
}

// takeAway removes a file that the operation made, unless it says more by now. One
// that was on disk before is kept there.
func (u *undoing) takeAway(ctx context.Context, p vault.Path, c *vault.Change, row *UndoRow) error {
	is, err := u.readTextAt(ctx, u.rev.Commit, p)
	if err != nil {
		return err
	}
	if a, ok := u.adopted.Of(p, is); ok {
		return u.release(ctx, a, is, c, row)
	}
	is, now, err := u.both(ctx, p)
	if err != nil {
		return err
	}
	if !bytes.Equal(is, now) {
		return u.errLosesWork(p, "it was changed since")
	}
	u.after[p] = nil
	if id := vault.Parse(p, is).ID; id != "" {
		c.Gone = append(c.Gone, id)
	}
	row.Files = append(row.Files, "remove "+string(p))
	return u.addEdit(c, vault.Edit{Path: p, Remove: true})
}

// bringBack makes a file again that the operation removed.
func (u *undoing) bringBack(ctx context.Context, p vault.Path, c *vault.Change, row *UndoRow) error {
	was, err := u.readTextAt(ctx, u.before, p)
	if err != nil {
		return err
	}
	again, err := u.adoptAgain(ctx, p, was)
	if err != nil {
		return err
	}
	if again != nil {
		u.after[p] = was
		row.Files = append(row.Files, "adopt again "+string(p))
		return u.addEdit(c, vault.Edit{Path: p, Adopt: true, Steps: again})
	}
	if err := u.checkPathFree(ctx, p); err != nil {
		return err
	}
	u.through.continuePassage(vault.Parse(p, was), nil)
	u.after[p] = was
	row.Files = append(row.Files, "bring back "+string(p))
	return u.addEdit(c, vault.Edit{Path: p, Create: was})
}

// checkPathFree refuses a path at which something stands.
func (u *undoing) checkPathFree(ctx context.Context, p vault.Path) error {
	if text, planned := u.after[p]; planned {
		if text != nil {
			return u.errLosesWork(p, "another file is there")
		}
		return nil
	}
	there, err := u.tx.Look(ctx, p)
	if err == nil && there.File {
		err = u.errLosesWork(p, "another file is there")
	}
	return err
}

// both returns a file as the operation left it and as it is now, refusing one
// that has uncommitted edits or is gone.
func (u *undoing) both(ctx context.Context, p vault.Path) (is, now []byte, err error) {
	if is, err = u.readTextAt(ctx, u.rev.Commit, p); err != nil {
		return nil, nil, err
	}
	if text, planned := u.after[p]; planned {
		if text == nil {
			return nil, nil, u.errLosesWork(p, "it is not there any more")
		}
		return is, text, nil
	}
	now, err = u.readTextAt(ctx, u.head, p)
	if vault.CodeOf(err) == vault.CodeNotFound {
		return nil, nil, u.errLosesWork(p, "it is not there any more")
	}
	if err == nil {
		err = u.tx.Clean(ctx, p)
	}
	return is, now, err
}

func (u *undoing) readTextAt(ctx context.Context, commit string, p vault.Path) ([]byte, error) {
	if text, ok := u.texts[commit][p]; ok {
		return text, nil
	}
	return u.h.Store.ReadAt(ctx, commit, p)
}

// errLosesWork is the refusal to lose later work.
func (u *undoing) errLosesWork(p vault.Path, why string) error {
	return &vault.Error{Code: vault.CodeConflict, Path: string(p), Msg: "undoing the " + u.rev.Verb + " of " + vault.Short(u.rev.Commit) + " would lose later work: " + why,
		Hint: "`cp memory log " + string(p) + "` tells what came after; take that back first (a person's commit with `git revert`), or change the memory by hand"}
}

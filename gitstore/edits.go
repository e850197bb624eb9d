package gitstore

import (
	"bytes"
	"context"
	"errors"

	"github.com/cp-memory/cp/gitstore/internal/object"
	"github.com/cp-memory/cp/vault"
)

// version is a state of the files that edits are made on: HEAD's tree or the index.
type version interface {
	Find(ctx context.Context, path string) (object.Entry, bool, error)
	Put(ctx context.Context, path string, e object.Entry) error
	Drop(ctx context.Context, path string) error
	DropAll(ctx context.Context, dir string) error
	MoveAll(ctx context.Context, from, to string) error
}

// editor makes the edits of one commit on HEAD's tree and on the index, side by side.
type editor struct {
	texts  object.Texts
	commit vault.Commit
	mode   func(path string) uint32 // that of the file in the work tree

	base   version // the tree for which the edits were planned; nil where it is HEAD's, or gone
	before version // HEAD's tree as it was, but that what moved has moved
	after  version // and with the edits so far
	index  version

	adopted []vault.Path // of the commit's Adopts, those that HEAD had not

	damaged error // the edits left out because of the version of their file that is there
}

// editAll makes all the edits.
func (e *editor) editAll(ctx context.Context) error {
	on := []struct {
		version
		change changer
	}{{e.after, e.changeInTree}, {e.index, e.changeInIndex}, {e.before, followMove}}
	for _, edit := range e.commit.Edits {
		for _, v := range on {
			if err := e.apply(ctx, v.version, edit, v.change); err != nil {
				return err
			}
		}
	}
	return nil
}

// changer creates, changes or moves a file in a version.
type changer func(ctx context.Context, v version, edit vault.Edit) error

// followMove moves HEAD's version of a file along, so that a later edit finds it.
func followMove(ctx context.Context, v version, edit vault.Edit) error {
	old, ok, err := v.Find(ctx, string(edit.Path))
	if !ok || err != nil || edit.To == "" {
		return err
	}
	return carry(ctx, v, string(edit.Path), string(edit.To), old)
}

// apply makes one edit on a version. change creates or changes a file.
func (e *editor) apply(ctx context.Context, v version, edit vault.Edit, change changer) error {
	path, to := string(edit.Path), string(edit.To)
	switch {
	case edit.Remove && edit.Tree:
		return v.DropAll(ctx, path)
	case edit.Remove:
		return v.Drop(ctx, path)
	case edit.Tree:
		return v.MoveAll(ctx, path, to)
	}
	err := change(ctx, v, edit)
	if vault.CodeOf(err) == vault.CodeDamaged {
		e.damaged = errors.Join(e.damaged, err)
		return nil
	}
	return err
}

// changeInTree creates, changes or moves a file in HEAD's tree.
func (e *editor) changeInTree(ctx context.Context, v version, edit vault.Edit) error {
	at, old, ok, err := locateFile(ctx, v, edit)
	if err != nil {
		return err
	}
	planned, err := e.isAsPlanned(ctx, at, old)
	if err != nil {
		return err
	}
	var text []byte
	switch {
	case edit.Create != nil && ok && !planned:
		return e.keepCommitted(ctx, v, edit, at, old)
	case edit.Create != nil:
		text = edit.Create
	case edit.Whole || edit.Adopt && !ok:
		text, err = e.onDisk(edit)
		if !ok && e.commit.Adopts[edit.Path] != "" {
			e.adopted = append(e.adopted, edit.Path)
		}
	case !ok:
		return nil // never committed: it stays so
	default:
		if planned {
			edit.Steps = vault.Plain(edit.Steps)
		}
		return e.rewriteFile(ctx, v, edit, at, old)
	}
	if err != nil {
		return err
	}
	return e.putText(ctx, v, edit, at, old, text)
}

// isAsPlanned reports whether a file in HEAD is the one for which the edits were planned.
// Where it is not, somebody has committed it since, perhaps with the edits on disk.
func (e *editor) isAsPlanned(ctx context.Context, at string, now object.Entry) (bool, error) {
	if e.base == nil {
		return true, nil
	}
	was, _, err := e.base.Find(ctx, at)
	return was == now, err
}

// keepCommitted leaves the text of a new file that somebody has committed, perhaps with words of
// their own, if it is that file.
func (e *editor) keepCommitted(ctx context.Context, v version, edit vault.Edit, at string, now object.Entry) error {
	text, err := e.texts.Text(ctx, at, now.ID)
	if err != nil || sameFile(edit, text) {
		return err
	}
	return e.putText(ctx, v, edit, at, now, edit.Create)
}

// sameFile reports whether a text is one of the file that the edit makes.
func sameFile(edit vault.Edit, text []byte) bool {
	made := vault.Parse(edit.Path, edit.Create)
	return made.ID != "" && vault.Parse(edit.Path, text).ID == made.ID
}

// rewriteFile puts the steps' result, in the file's own mode.
func (e *editor) rewriteFile(ctx context.Context, v version, edit vault.Edit, at string, old object.Entry) error {
	next := old
	if len(edit.Steps) > 0 {
		if !old.IsFile() {
			return vault.Errorf(vault.CodeDamaged, "replace it by a file", "%s is a symbolic link in git, not a file", at)
		}
		text, err := e.texts.Text(ctx, at, old.ID)
		if err != nil {
			return err
		}
		if bytes.IndexByte(text, 0) >= 0 {
			return &vault.Error{Code: vault.CodeFilter, Path: at, Msg: "git has the file's text in an encoding like UTF-16, which cp does not write into", Hint: "keep memories in UTF-8: take working-tree-encoding off it in git's attributes"}
		}
		if text, err = vault.ApplyRepaired(edit.Steps, text); err != nil {
			return err
		}
		if next.ID, err = e.texts.Blob(ctx, editTarget(edit), text); err != nil {
			return err
		}
	}
	return carry(ctx, v, at, editTarget(edit), next)
}

// putText puts a text, in the mode of the file on disk where there was none.
func (e *editor) putText(ctx context.Context, v version, edit vault.Edit, at string, old object.Entry, text []byte) error {
	id, err := e.texts.Blob(ctx, editTarget(edit), text)
	if err != nil {
		return err
	}
	mode := old.Mode
	if !old.IsFile() {
		mode = e.mode(editTarget(edit))
	}
	return carry(ctx, v, at, editTarget(edit), object.Entry{Mode: mode, ID: id})
}

// changeInIndex makes an edit on the staged version. If nothing else was staged the result
// is HEAD's new version; otherwise a person's staged changes remain as a difference to it.
func (e *editor) changeInIndex(ctx context.Context, v version, edit vault.Edit) error {
	path := editTarget(edit)
	new, inHead, err := e.after.Find(ctx, path)
	if err != nil {
		return err
	}
	at, old, ok, err := locateFile(ctx, v, edit)
	if err != nil {
		return err
	}
	was, hadHead, err := e.before.Find(ctx, at)
	switch {
	case err != nil:
		return err
	case !ok && hadHead && edit.Create == nil && !edit.Whole:
		return nil // a staged deletion
	case !ok && !inHead:
		return nil // in neither
	case !ok, edit.Whole, old == was && hadHead, at == path && old == new:
		return carry(ctx, v, at, path, new)
	case edit.Create != nil:
		return nil // a person staged another file of this name
	}
	return e.rewriteFile(ctx, v, edit, at, old)
}

// locateFile finds the file of an edit: at its old place or, after a move, at the new one. at
// is the old place if it is at neither.
func locateFile(ctx context.Context, v version, edit vault.Edit) (at string, e object.Entry, ok bool, err error) {
	for _, p := range []vault.Path{edit.Path, edit.To} {
		if p == "" {
			continue
		}
		e, ok, err = v.Find(ctx, string(p))
		if ok || err != nil {
			return string(p), e, ok && e.Mode != object.ModeTree, err
		}
	}
	return string(edit.Path), object.Entry{}, false, nil
}

func editTarget(edit vault.Edit) string {
	if edit.To != "" {
		return string(edit.To)
	}
	return string(edit.Path)
}

// carry puts an entry at to and takes it away from where it was.
func carry(ctx context.Context, v version, from, to string, e object.Entry) error {
	if from != to {
		if err := v.Drop(ctx, from); err != nil {
			return err
		}
	}
	return v.Put(ctx, to, e)
}

// onDisk returns the text that the commit brings for an edit.
func (e *editor) onDisk(edit vault.Edit) ([]byte, error) {
	for _, p := range []vault.Path{edit.Path, edit.To} {
		if text, ok := e.commit.Texts[p]; ok {
			return text, nil
		}
	}
	return nil, vault.Errorf(vault.CodeInternal, "", "the commit lacks the text of %s", edit.Path)
}

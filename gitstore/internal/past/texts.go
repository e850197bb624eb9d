package past

import (
	"context"
	"errors"
	"slices"

	"github.com/cp-memory/cp/gitstore/internal/object"
	"github.com/cp-memory/cp/gitstore/plumb"
	"github.com/cp-memory/cp/vault"
)

// ReadAt returns the text of a file in a commit, named by its id or in any way
// that git understands. The error has CodeNotFound when it is not in there.
func (p Past) ReadAt(ctx context.Context, commit, path string) ([]byte, error) {
	d, root, err := p.openTree(ctx, commit, []string{path})
	if err != nil {
		return nil, err
	}
	defer d.Close()
	e, ok, err := root.Find(ctx, path)
	if err != nil {
		return nil, err
	}
	if !ok || e.Mode == object.ModeTree || e.Mode == object.ModeSubmodule {
		return nil, vault.Errorf(vault.CodeNotFound, "", "%s is not in the commit %s", path, commit)
	}
	return d.Text(ctx, path, e.ID)
}

// TextsAt calls fn with the text of each path that is a file in a commit or tree.
func (p Past) TextsAt(ctx context.Context, commit string, paths []string, fn func(path string, text []byte) error) error {
	if commit == "" || len(paths) == 0 {
		return nil
	}
	d, root, err := p.openTree(ctx, commit, paths)
	if err != nil {
		return err
	}
	defer d.Close()
	for _, path := range paths {
		e, ok, err := root.Find(ctx, path)
		if err != nil {
			return err
		}
		if !ok || !e.IsFile() {
			continue
		}
		text, err := d.Text(ctx, path, e.ID)
		if err == nil {
			err = fn(path, text)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// openTree opens the tree of a commit, and the texts of the paths.
func (p Past) openTree(ctx context.Context, commit string, paths []string) (d object.Database, root *object.Tree, err error) {
	if d, err = p.source.Reader(ctx, paths); err != nil {
		return d, nil, err
	}
	id := commit
	if !plumb.IsHex(commit) {
		id, _ = p.git.CommitOf(ctx, commit)
	}
	root, err = object.OpenTree(ctx, d, p.ids, id)
	if id == "" || errors.Is(err, object.ErrMissing) {
		err = vault.Errorf(vault.CodeNotFound, "list the commits with: git log", "there is no commit %s", commit)
	}
	if err != nil {
		d.Close()
	}
	return d, root, err
}

// FilesAt calls fn for the ordinary files that a commit has below the folders;
// with very many folders, for others as well.
func (p Past) FilesAt(ctx context.Context, commit string, folders []string, fn func(path, blob string)) error {
	if commit == "" || len(folders) == 0 {
		return nil
	}
	args := []string{"ls-tree", "-r", "-z", "--full-tree", commit}
	if len(folders) <= maxFolders && !slices.Contains(folders, "") {
		args = append(append(args, "--"), folders...)
	}
	fields, err := p.git.List(ctx, nil, args...)
	for _, field := range fields {
		if words, path := plumb.Record(field); len(words) == 3 && words[0][:3] == "100" {
			fn(path, words[2])
		}
	}
	return err
}

// maxFolders bounds the folders that are named to git. For more, all files are listed.
const maxFolders = 1000

// Blob returns an object's bytes as they are stored.
func (p Past) Blob(ctx context.Context, id string) ([]byte, error) {
	o, err := p.source.Objects()
	if err != nil {
		return nil, err
	}
	defer o.Close()
	return object.ReadKind(ctx, o, object.KindBlob, id)
}

// Texts opens the texts of blobs as the work tree would hold them at the paths.
func (p Past) Texts(ctx context.Context, paths []string) (text func(ctx context.Context, path, id string) ([]byte, error), done func(), err error) {
	d, err := p.source.Reader(ctx, paths)
	if err != nil {
		return nil, nil, err
	}
	return d.Text, d.Close, nil
}

package gitstore

import (
	"context"
	"slices"
	"strings"

	"github.com/cp-memory/cp/gitstore/object"
)

// TextsAt calls fn with the texts of those of the paths that are files in a commit.
func (r *Repo) TextsAt(ctx context.Context, commit string, paths []string, fn func(path string, text []byte) error) error {
	if commit == "" || len(paths) == 0 {
		return nil
	}
	eng, err := r.reader(ctx, paths)
	if err != nil {
		return err
	}
	defer eng.Close()
	id, err := r.treeAt(ctx, eng, commit)
	if err != nil {
		return err
	}
	return r.textsIn(ctx, eng, id, paths, fn)
}

// TextsIn is TextsAt for a tree; an empty one has none.
func (r *Repo) TextsIn(ctx context.Context, tree string, paths []string, fn func(path string, text []byte) error) error {
	if tree == "" || len(paths) == 0 {
		return nil
	}
	eng, err := r.reader(ctx, paths)
	if err != nil {
		return err
	}
	defer eng.Close()
	return r.textsIn(ctx, eng, tree, paths, fn)
}

func (r *Repo) textsIn(ctx context.Context, eng engine, tree string, paths []string, fn func(path string, text []byte) error) error {
	root, err := object.OpenTree(ctx, eng, r.IDs, tree)
	if err != nil {
		return err
	}
	for _, path := range paths {
		e, ok, err := root.Find(ctx, path)
		if err != nil {
			return err
		}
		if !ok || !e.IsFile() {
			continue
		}
		text, err := eng.Text(ctx, path, e.ID)
		if err == nil {
			err = fn(path, text)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// FilesAt calls fn for the ordinary files that a commit has below the folders;
// with very many folders, for others as well.
func (r *Repo) FilesAt(ctx context.Context, commit string, folders []string, fn func(path, blob string)) error {
	if commit == "" || len(folders) == 0 {
		return nil
	}
	args := []string{"ls-tree", "-r", "-z", "--full-tree", commit}
	if len(folders) <= maxFolders && !slices.Contains(folders, "") {
		args = append(append(args, "--"), folders...)
	}
	out, err := r.Run(ctx, nil, args...)
	if err != nil {
		return err
	}
	for record := range strings.SplitSeq(strings.TrimSuffix(string(out), "\x00"), "\x00") {
		what, path, ok := strings.Cut(record, "\t")
		if fields := strings.Fields(what); ok && len(fields) == 3 && strings.HasPrefix(fields[0], "100") {
			fn(path, fields[2])
		}
	}
	return nil
}

// maxFolders is how many folders are named to git; of more, all files are listed.
const maxFolders = 1000

package past

import (
	"cmp"
	"context"
	"strings"

	"github.com/cp-memory/cp/gitstore/internal/object"
	"github.com/cp-memory/cp/gitstore/plumb"
	"github.com/cp-memory/cp/vault"
)

// Changes calls fn for each Markdown file below the vault's folder prefix (empty: everywhere),
// and for each facts file in it, whose blob differs between two commits, in path order; blob
// is empty when the file is gone in to. An empty commit holds nothing. Folders that are equal are not read. Paths
// are relative to the top of the work tree.
func (p Past) Changes(ctx context.Context, from, to, prefix string, fn func(path, blob string) error) error {
	o, err := p.source.Objects()
	if err != nil {
		return err
	}
	defer o.Close()
	var sides [2]object.Named
	for i, commit := range []string{from, to} {
		if sides[i], err = p.findFolder(ctx, o, commit, prefix); err != nil {
			return plumb.IOError(err)
		}
	}
	if sides[0].ID == sides[1].ID {
		return nil
	}
	return plumb.IOError(differ{o, memories(prefix), fn}.compareFolders(ctx, prefix, sides[0], sides[1]))
}

// findFolder returns the folder dir of a commit, or the zero entry.
func (p Past) findFolder(ctx context.Context, o object.Store, commit, dir string) (at object.Named, err error) {
	root, err := object.OpenTree(ctx, o, p.ids, commit)
	switch {
	case err != nil:
		return at, err
	case dir == "":
		at.Entry = object.Entry{Mode: object.ModeTree, ID: root.ID()}
	default:
		at.Entry, _, err = root.Find(ctx, dir)
	}
	if at.Mode != object.ModeTree {
		at.Entry = object.Entry{}
	}
	return at, err
}

// differ walks two trees side by side.
type differ struct {
	objects object.Store
	wants   func(name string, old, new object.Named) bool // of those that are no folders
	fn      func(path, blob string) error
}

// memories returns what chooses the files of a vault in the folder prefix.
func memories(prefix string) func(name string, old, new object.Named) bool {
	return func(name string, old, new object.Named) bool {
		return (vault.Path(name).IsNote() || isFacts(prefix, name)) && (old.IsFile() || new.IsFile())
	}
}

// compareFolders compares two folders of one name; either may be the zero entry. Git
// sorts the entries of both alike, folders as if their names ended in a slash, so
// that "x" the file and "x" the folder are apart.
func (d differ) compareFolders(ctx context.Context, dir string, a, b object.Named) error {
	olds, err := d.readFolder(ctx, a)
	if err != nil {
		return err
	}
	news, err := d.readFolder(ctx, b)
	if err != nil {
		return err
	}
	for len(olds)+len(news) > 0 {
		var old, new object.Named
		order := firstOf(olds, news)
		if order <= 0 {
			old, olds = olds[0], olds[1:]
		}
		if order >= 0 {
			new, news = news[0], news[1:]
		}
		if err := d.pair(ctx, dir, old, new); err != nil {
			return err
		}
	}
	return nil
}

// firstOf compares the first entries of two rows. One of the rows may be empty.
func firstOf(olds, news []object.Named) int {
	switch {
	case len(olds) == 0:
		return 1
	case len(news) == 0:
		return -1
	}
	return cmp.Compare(olds[0].Key(), news[0].Key())
}

// readFolder returns the entries of a folder; none for the zero entry.
func (d differ) readFolder(ctx context.Context, at object.Named) ([]object.Named, error) {
	if at.ID == "" {
		return nil, nil
	}
	data, err := object.ReadKind(ctx, d.objects, object.KindTree, at.ID)
	if err != nil {
		return nil, err
	}
	return object.ParseTree(data, len(at.ID)/2)
}

// pair compares what stands at one path on both sides; either may be the zero entry.
func (d differ) pair(ctx context.Context, dir string, old, new object.Named) error {
	name := cmp.Or(new.Name, old.Name)
	if dir != "" {
		name = dir + "/" + name
	}
	switch {
	case old.ID == new.ID:
		return nil
	case cmp.Or(new.Mode, old.Mode) == object.ModeTree:
		return d.compareFolders(ctx, name, old, new)
	case !d.wants(name, old, new):
		return nil
	case !new.IsFile():
		return d.fn(name, "")
	}
	return d.fn(name, new.ID)
}

// isFacts reports whether a path is that of a facts file of the vault in the folder prefix.
func isFacts(prefix, name string) bool {
	if prefix != "" {
		name = strings.TrimPrefix(name, prefix+"/")
	}
	return vault.Path(name).IsFacts()
}

// Differences returns the files that differ between two commits or trees, in path
// order; an empty from has none.
func (p Past) Differences(ctx context.Context, from, to string) (all []vault.Difference, err error) {
	if from = cmp.Or(from, p.ids.EmptyTree()); from == to {
		return nil, nil
	}
	err = p.git.EachChange(ctx, []string{"diff-tree", "-r", "-z", "--no-renames", "--full-index", from, to}, nil, func(c plumb.Change) (bool, error) {
		all = append(all, c.Difference)
		return true, nil
	})
	return all, err
}

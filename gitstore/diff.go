package gitstore

import (
	"cmp"
	"context"
	"path/filepath"
	"slices"
	"strings"

	"github.com/cp-memory/cp/gitstore/object"
	"github.com/cp-memory/cp/gitstore/plumb"
	"github.com/cp-memory/cp/vault"
)

// Changes calls fn for each Markdown file below the folder prefix (empty: everywhere) whose blob differs
// between two commits, in path order; blob is empty when the file is gone in
// to. An empty commit holds nothing. Folders that are equal are not read. Paths
// are relative to the top of the work tree.
func (r *Repo) Changes(ctx context.Context, from, to, prefix string, fn func(path, blob string) error) error {
	o, err := r.openReader()
	if err != nil {
		return err
	}
	defer o.Close()
	d := differ{objects: o, fn: fn}
	var sides [2]object.Entry
	for i, commit := range []string{from, to} {
		if sides[i], err = d.folderAt(ctx, commit, prefix); err != nil {
			return plumb.IOError(err)
		}
	}
	return plumb.IOError(d.folders(ctx, prefix, sides[0], sides[1]))
}

// openReader opens the objects for reading.
func (r *Repo) openReader() (object.Store, error) {
	if r.format.strange != "" || r.plumbingOnly {
		return object.OpenCommand(r.Git), nil
	}
	return r.openObjects()
}

// openObjects opens the objects without git.
func (r *Repo) openObjects() (*object.DB, error) {
	return object.Open(filepath.Join(r.CommonDir(), "objects"), r.IDs)
}

// differ walks two trees side by side.
type differ struct {
	objects object.Store
	fn      func(path, blob string) error
}

// folderAt returns the folder dir of a commit; the zero entry when there is none.
func (d differ) folderAt(ctx context.Context, commit, dir string) (object.Entry, error) {
	id, err := object.TreeOf(ctx, d.objects, commit)
	if err != nil || id == "" {
		return object.Entry{}, err
	}
	at := object.Entry{Mode: object.ModeTree, ID: id}
	for name := range strings.SplitSeq(dir, "/") {
		if name == "" {
			break
		}
		names, err := d.read(ctx, at)
		i := slices.IndexFunc(names, func(n named) bool { return n.name == name && n.Mode == object.ModeTree })
		if err != nil || i < 0 {
			return object.Entry{}, err
		}
		at = names[i].Entry
	}
	return at, nil
}

type named struct {
	name string
	object.Entry
}

// read returns the entries of a folder, sorted by name alone; none for the zero entry.
func (d differ) read(ctx context.Context, at object.Entry) ([]named, error) {
	if at.ID == "" {
		return nil, nil
	}
	data, err := object.ReadKind(ctx, d.objects, object.KindTree, at.ID)
	if err != nil {
		return nil, err
	}
	var names []named
	err = object.EachEntry(data, len(at.ID)/2, func(name string, e object.Entry) error {
		names = append(names, named{name, e})
		return nil
	})
	return names, err
}

// folders compares two folders of one name; either may be the zero entry.
func (d differ) folders(ctx context.Context, dir string, a, b object.Entry) error {
	if a.ID == b.ID {
		return nil
	}
	olds, err := d.read(ctx, a)
	if err != nil {
		return err
	}
	news, err := d.read(ctx, b)
	if err != nil {
		return err
	}
	for _, p := range pairs(olds, news) {
		if err := d.pair(ctx, dir, p); err != nil {
			return err
		}
	}
	return nil
}

// pair is what stands at one path on both sides; folders and files are apart,
// so that "x" the file and "x" the folder are two pairs.
type pair struct {
	key      string // the path's place in the order: folders end in a slash
	name     string
	old, new object.Entry
}

func pairs(olds, news []named) []pair {
	all := map[string]*pair{}
	for side, names := range [][]named{olds, news} {
		for _, n := range names {
			key := n.name
			if n.Mode == object.ModeTree {
				key += "/"
			}
			p := all[key]
			if p == nil {
				p = &pair{key: key, name: n.name}
				all[key] = p
			}
			if side == 0 {
				p.old = n.Entry
			} else {
				p.new = n.Entry
			}
		}
	}
	var row []pair
	for _, p := range all {
		if p.old.ID != p.new.ID {
			row = append(row, *p)
		}
	}
	slices.SortFunc(row, func(a, b pair) int { return cmp.Compare(a.key, b.key) })
	return row
}

func (d differ) pair(ctx context.Context, dir string, p pair) error {
	path := p.name
	if dir != "" {
		path = dir + "/" + p.name
	}
	if strings.HasSuffix(p.key, "/") {
		return d.folders(ctx, path, p.old, p.new)
	}
	if !vault.Path(path).IsMarkdown() || !p.old.IsFile() && !p.new.IsFile() {
		return nil
	}
	if !p.new.IsFile() {
		return d.fn(path, "")
	}
	return d.fn(path, p.new.ID)
}

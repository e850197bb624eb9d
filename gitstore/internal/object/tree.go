package object

import (
	"bytes"
	"cmp"
	"context"
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/cp-memory/cp/vault"
)

// The modes of entries in trees and in the index.
const (
	ModeTree       = 0o040000
	ModeFile       = 0o100644
	ModeExecutable = 0o100755
	modeType       = 0o170000
	modeRegular    = 0o100000
	ModeSubmodule  = 0o160000
)

// Entry is the file, folder or link of a name in a tree or in the index.
type Entry struct {
	Mode uint32
	ID   string
}

// IsFile reports whether the entry is an ordinary file, executable or not.
func (e Entry) IsFile() bool { return e.Mode&modeType == modeRegular }

// Tree is a commit's tree that is being changed in memory. A folder is read when a path
// leads through it. A folder that is moved whole is never read.
type Tree struct {
	objects Store
	root    *folder
	empty   string // id of the empty tree
}

// folder is one tree object.
type folder struct {
	id    string // as stored; empty when changed since or new
	names map[string]*item
}

// item is an entry of a folder; sub is its tree once that has been read.
type item struct {
	Entry
	sub *folder
}

// OpenTree returns the tree with that id, or of the commit with that id. An empty id gives
// an empty tree.
func OpenTree(ctx context.Context, o Store, ids IDs, id string) (t *Tree, err error) {
	t = &Tree{objects: o, empty: ids.EmptyTree()}
	if id != t.empty {
		id, err = TreeOf(ctx, o, id)
	}
	if err == nil {
		t.root, err = t.loadFolder(ctx, id)
	}
	return t, err
}

// ID returns the id of the tree as it was read; empty for no tree, and once it has changed.
func (t *Tree) ID() string { return t.root.id }

func (t *Tree) loadFolder(ctx context.Context, id string) (*folder, error) {
	f := &folder{id: id, names: map[string]*item{}}
	if id == "" || id == t.empty {
		return f, nil
	}
	data, err := ReadKind(ctx, t.objects, KindTree, id)
	if err != nil {
		return nil, err
	}
	entries, err := ParseTree(data, len(id)/2)
	for _, e := range entries {
		f.names[e.Name] = &item{Entry: e.Entry}
	}
	return f, err
}

// Named is an entry with its name.
type Named struct {
	Name string
	Entry
}

// Key returns the text by which git sorts the entries of a tree: the name, and a slash
// behind a folder's.
func (n Named) Key() string {
	if n.Mode == ModeTree {
		return n.Name + "/"
	}
	return n.Name
}

// ParseTree parses a tree object, a row of "<mode in octal> <name>\0<id>".
func ParseTree(data []byte, idBytes int) (all []Named, err error) {
	for len(data) > 0 {
		head, rest, ok := bytes.Cut(data, []byte{0})
		octal, name, ok2 := bytes.Cut(head, []byte{' '})
		mode, err := strconv.ParseUint(string(octal), 8, 32)
		if !ok || !ok2 || err != nil || len(rest) < idBytes || len(name) == 0 {
			return nil, vault.Errorf(vault.CodeIO, "run: git fsck", "a tree object is damaged")
		}
		all = append(all, Named{string(name), Entry{uint32(mode), hex.EncodeToString(rest[:idBytes])}})
		data = rest[idBytes:]
	}
	return all, nil
}

// encodeTree is the inverse of ParseTree, sorted as git wants it.
func encodeTree(names map[string]*item) []byte {
	rows := make([]Named, 0, len(names))
	for name, it := range names {
		rows = append(rows, Named{name, it.Entry})
	}
	slices.SortFunc(rows, func(a, b Named) int { return cmp.Compare(a.Key(), b.Key()) })
	var buf bytes.Buffer
	for _, r := range rows {
		fmt.Fprintf(&buf, "%o %s\x00", r.Mode, r.Name)
		buf.Write(RawID(r.ID))
	}
	return buf.Bytes()
}

// openFolder returns the folder of an item, reading it when needed; nil when the
// item is no folder.
func (t *Tree) openFolder(ctx context.Context, it *item) (*folder, error) {
	if it == nil || it.Mode != ModeTree {
		return nil, nil
	}
	if it.sub == nil {
		sub, err := t.loadFolder(ctx, it.ID)
		if err != nil {
			return nil, err
		}
		it.sub = sub
	}
	return it.sub, nil
}

// Find returns the entry at path, of any kind.
func (t *Tree) Find(ctx context.Context, path string) (Entry, bool, error) {
	it, err := t.itemAt(ctx, path)
	if it == nil || err != nil {
		return Entry{}, false, err
	}
	return it.Entry, true, nil
}

func (t *Tree) itemAt(ctx context.Context, path string) (*item, error) {
	at := t.root
	for {
		name, rest, more := strings.Cut(path, "/")
		it := at.names[name]
		if !more || it == nil {
			return it, nil
		}
		sub, err := t.openFolder(ctx, it)
		if sub == nil || err != nil {
			return nil, err
		}
		at, path = sub, rest
	}
}

// Put sets the entry at path and makes the folders above it. A file at the path of one of
// those folders is removed.
func (t *Tree) Put(ctx context.Context, path string, e Entry) error {
	return t.putItem(ctx, path, &item{Entry: e})
}

// putItem puts an item at path; nil removes what is there.
func (t *Tree) putItem(ctx context.Context, path string, it *item) error {
	at := t.root
	for {
		at.id = ""
		name, rest, more := strings.Cut(path, "/")
		switch {
		case !more && it == nil:
			delete(at.names, name)
			return nil
		case !more:
			at.names[name] = it
			return nil
		}
		next := at.names[name]
		sub, err := t.openFolder(ctx, next)
		if err != nil {
			return err
		}
		if sub == nil && next != nil && next.Mode == ModeSubmodule {
			return vault.Errorf(vault.CodeInvalid, "run the command in the submodule", "%s lies in a submodule", name)
		}
		if sub == nil {
			sub = &folder{names: map[string]*item{}}
			at.names[name] = &item{Entry: Entry{Mode: ModeTree}, sub: sub}
		}
		at, path = sub, rest
	}
}

// Drop removes the file at path. A missing file is no error.
func (t *Tree) Drop(ctx context.Context, path string) error {
	it, err := t.itemAt(ctx, path)
	if it == nil || it.Mode == ModeTree || err != nil {
		return err
	}
	return t.putItem(ctx, path, nil)
}

// DropAll removes the folder dir and all in it.
func (t *Tree) DropAll(ctx context.Context, dir string) error {
	it, err := t.itemAt(ctx, dir)
	if it == nil || it.Mode != ModeTree || err != nil {
		return err
	}
	return t.putItem(ctx, dir, nil)
}

// MoveAll moves the folder from with everything in it to to. If to is a folder already the
// two become one, and the moved files win.
func (t *Tree) MoveAll(ctx context.Context, from, to string) error {
	it, err := t.itemAt(ctx, from)
	if it == nil || it.Mode != ModeTree || err != nil {
		return err
	}
	there, err := t.itemAt(ctx, to)
	if err != nil {
		return err
	}
	if err := t.putItem(ctx, from, nil); err != nil {
		return err
	}
	if there == nil || there.Mode != ModeTree {
		return t.putItem(ctx, to, it)
	}
	return t.merge(ctx, it, to)
}

func (t *Tree) merge(ctx context.Context, it *item, to string) error {
	sub, err := t.openFolder(ctx, it)
	if err != nil {
		return err
	}
	for name, child := range sub.names {
		path := to + "/" + name
		there, err := t.itemAt(ctx, path)
		if err != nil {
			return err
		}
		if child.Mode == ModeTree && there != nil && there.Mode == ModeTree {
			err = t.merge(ctx, child, path)
		} else {
			err = t.putItem(ctx, path, child)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// Write adds the changed tree objects and returns the root's id. Folders that
// have become empty are left out.
func (t *Tree) Write(ctx context.Context) (string, error) {
	id, err := t.writeFolder(ctx, t.root)
	if id == "" && err == nil {
		return t.objects.Write(ctx, KindTree, nil)
	}
	return id, err
}

// writeFolder returns an empty id for an empty folder.
func (t *Tree) writeFolder(ctx context.Context, f *folder) (string, error) {
	if f.id != "" {
		return f.id, nil
	}
	for name, it := range f.names {
		if it.sub == nil {
			continue
		}
		id, err := t.writeFolder(ctx, it.sub)
		if err != nil {
			return "", err
		}
		if it.ID = id; id == "" {
			delete(f.names, name)
		}
	}
	if len(f.names) == 0 {
		return "", nil
	}
	id, err := t.objects.Write(ctx, KindTree, encodeTree(f.names))
	f.id = id
	return id, err
}

package vault

import (
	"context"
	"maps"
	"slices"
)

// A Tx knows a file by the path that it will have. In an edit it has the path that it has
// now, and To says where it goes; so has each file with an edit of its own in a folder that
// moves as a whole. Of what goes with its folder in this way nothing can be moved elsewhere
// or removed in the same commit, since both would take the same file: that is refused.

// target returns where the edit's file will be.
func (e *Edit) target() Path {
	if e.To != "" {
		return e.To
	}
	return e.Path
}

// pathAfterMoves returns where the file will be that is at p now, if it goes with its folder.
func (tx *Tx) pathAfterMoves(p Path) Path {
	for _, e := range tx.order {
		if e.Tree && p.Within(e.Path) {
			return e.To + p[len(e.Path):]
		}
	}
	return p
}

// was returns where the file is now that will be at p.
func (tx *Tx) was(p Path) Path {
	if e := tx.edits[p]; e != nil {
		return e.Path
	}
	var with *Edit // the innermost folder
	for _, e := range tx.order {
		if e.Tree && p.Within(e.To) && (with == nil || len(e.To) > len(with.To)) {
			with = e
		}
	}
	if with == nil {
		return p
	}
	return with.Path + p[len(with.To):]
}

// Look tells what stands at p, or will. What goes leaves its name taken: nothing can come
// there in the same commit.
func (tx *Tx) Look(ctx context.Context, p Path) (Entry, error) {
	there, err := tx.onDisk(ctx, p)
	return Entry{there.File || tx.edits[p] != nil, there.Folder || tx.dirs[p.Home()]}, err
}

// onDisk tells what stands at p now. A folder is listed once, for all that is made in it.
func (tx *Tx) onDisk(ctx context.Context, p Path) (Entry, error) {
	dir := p.Dir()
	if tx.names[dir] == nil {
		list, err := askVault(ctx, tx, "names "+string(dir), func(ctx context.Context) ([]string, error) { return tx.v.Store.List(ctx, dir) })
		if err != nil {
			return Entry{}, err
		}
		tx.names[dir] = newNames(list)
	}
	return tx.names[dir].entryAt(p), nil
}

// newParent returns the memory that the Tx has made of the folder in which d lies.
func (tx *Tx) newParent(d *Doc) *Doc {
	dir := d.Path.Dir()
	if dir == d.Folder() {
		dir = dir.Dir()
	}
	if up := tx.docs[dir+".md"].ensureParsed(); up != nil && up.created && up.IsMemory() {
		return up
	}
	return nil
}

// CheckUnplanned refuses a folder in which files come and go by what has been planned.
func (tx *Tx) CheckUnplanned(dir Path) error {
	for _, e := range tx.order {
		to := e.target()
		if (e.Create != nil || e.Remove || e.To != "") && (e.Path.Within(dir) || to.Within(dir) || e.Tree && (dir.Within(e.Path) || dir.Within(to))) {
			return Errorf(CodeInvalid, "do it in a commit of its own, before or after", "what is in %s changes in this commit", dir)
		}
	}
	return nil
}

// Below lists the descendants of d, closed ones too, as they are on disk and will be.
// Read-only notes are none: they go with their folder, and stay where it is taken away.
func (tx *Tx) Below(ctx context.Context, d *Doc) (all []Node, err error) {
	folder := d.Folder()
	if err := tx.checkFolderMove(d.Path, folder); err != nil {
		return nil, err
	}
	if _, err := tx.CatchUp(ctx, Scope{Dir: folder}); err != nil {
		return nil, err
	}
	root := d.ID
	if d.created { // the tree does not know it, but perhaps what lies in its folder
		root = ""
	}
	known, err := tx.Tree().Walk(ctx, WalkOptions{Root: root, Closed: true, MaxDepth: MaxDepth})
	if err != nil {
		return nil, err
	}
	for _, n := range known {
		if n.ID == d.ID || tx.at[n.ID] != nil || slices.Contains(tx.about.Gone, n.ID) || !n.Path.Within(folder) || n.ReadOnly() {
			continue
		}
		if d.created && n.Parent == d.Parent {
			n.Parent = d.ID
		}
		all = append(all, n)
	}
	for _, p := range slices.Sorted(maps.Keys(tx.docs)) {
		if below := tx.docs[p]; p.Within(folder) && below != d {
			all = append(all, below.Node)
		}
	}
	return all, nil
}

// checkFolderMove refuses what touches a folder that moves as a whole: a file in it, or a folder
// that has to do with it.
func (tx *Tx) checkFolderMove(p, folder Path) error {
	if e := tx.edits[p]; e != nil && e.Create != nil {
		return tx.checkFolderMove("", folder)
	}
	for _, e := range tx.order {
		if !e.Tree {
			continue
		}
		if p != "" && tx.was(p).Within(e.Path) || folder != "" && (e.Path.Within(folder) || e.To.Within(folder)) {
			return e.moves()
		}
	}
	return nil
}

// moves is the refusal to touch what goes with a folder.
func (e *Edit) moves() error {
	return Errorf(CodeInvalid, "do it in a commit of its own, before or after", "what is in %s moves to %s in this commit, and cannot go elsewhere in the same one", e.Path, e.target())
}

// Move plans that a file gets a new path, and a parent; nil is the root level. Its folder
// stays: see [Tx.MoveFolder].
func (tx *Tx) Move(d *Doc, to Path, under *Doc) error {
	if err := d.Writable(); err != nil {
		return err
	}
	if err := tx.checkFolderMove(d.Path, ""); err != nil {
		return err
	}
	tx.placeEdit(tx.editAt(d.Path), to)
	delete(tx.docs, d.Path)
	d.Path, d.Parent, d.ParentTitle, d.Depth = to, "", "", 0
	if under != nil {
		d.Parent, d.ParentTitle, d.Depth = under.ID, under.Title, under.Depth+1
	}
	tx.rememberDoc(d)
	return nil
}

// placeEdit gives an edit's file another place.
func (tx *Tx) placeEdit(e *Edit, to Path) {
	delete(tx.edits, e.target())
	tx.noteEdit(to, e)
	switch {
	case e.Create != nil:
		e.Path = to
	case to == e.Path:
		e.To = ""
	default:
		e.To = to
	}
}

// noteEdit notes an edit by where its file will be, with the folders above.
func (tx *Tx) noteEdit(p Path, e *Edit) {
	tx.edits[p] = e
	for dir := p.Dir(); dir != "" && !tx.dirs[dir]; dir = dir.Dir() {
		tx.dirs[dir] = true
	}
}

// MoveFolder plans a new path for a folder with everything in it.
func (tx *Tx) MoveFolder(ctx context.Context, from, to Path) error {
	there, err := tx.onDisk(ctx, from+".md")
	if err != nil {
		return err
	}
	whole := there.Folder && !slices.ContainsFunc(tx.order, func(e *Edit) bool { return e.Tree && e.To == from })
	for _, e := range tx.order {
		if err := tx.along(e, from, to); err != nil {
			return err
		}
	}
	for p, d := range maps.Clone(tx.docs) {
		if p.Within(from) {
			delete(tx.docs, p)
			d.Path = to + p[len(from):]
			tx.docs[d.Path] = d
		}
	}
	if whole {
		tx.order = append(tx.order, &Edit{Path: from, To: to, Tree: true})
	}
	return nil
}

// along takes an edit along with the folder that its file will be in. What the folder has
// now must not go elsewhere or away.
func (tx *Tx) along(e *Edit, from, to Path) error {
	at := e.target()
	switch {
	case e.Create == nil && e.Path.Within(from) && (e.Remove || e.To != "" && at != to+e.Path[len(from):]):
		return e.moves()
	case at.Within(from):
		tx.placeEdit(e, to+at[len(from):])
	}
	return nil
}

// Remove plans the removal of a file. One that is only planned is left out.
func (tx *Tx) Remove(n *Node) error {
	if err := n.Writable(); err != nil {
		return err
	}
	if err := tx.checkFolderMove(n.Path, ""); err != nil {
		return err
	}
	e := tx.editAt(n.Path)
	if e.Create != nil {
		delete(tx.edits, n.Path)
		tx.order = slices.DeleteFunc(tx.order, func(o *Edit) bool { return o == e })
	} else {
		*e = Edit{Path: e.Path, Remove: true}
		tx.about.Gone = append(tx.about.Gone, n.ID)
	}
	delete(tx.docs, n.Path)
	delete(tx.at, n.ID)
	return nil
}

// Call gives a memory a name for what is planned after: "$name" then opens it. From the
// first call on "$" begins nothing but such a name, and an empty one is none.
func (tx *Tx) Call(name string, id ID) {
	if tx.named == nil {
		tx.named = make(map[string]ID)
	}
	if name != "" {
		tx.named[name] = id
	}
}

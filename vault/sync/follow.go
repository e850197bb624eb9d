package sync

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/cp-memory/cp/pointer"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/filename"
	"github.com/cp-memory/cp/vault/tree"
)

// LeftFolder is the folder of a memory whose file alone was moved by hand: mv x.md y.md
// left x/ behind, and without y/ the memories in it would be nobody's children.
type LeftFolder struct {
	Memory   vault.ID
	Title    string
	File     vault.Path // where the memory's file is now
	From, To vault.Path // the folder, and where it belongs
}

// LeftFolders returns the folders that Sync takes along unless it is told to keep them.
func (v *Syncer) LeftFolders(ctx context.Context) ([]LeftFolder, error) {
	return vault.Preview(ctx, v.Vault, leftFolders{})
}

type leftFolders struct{}

// Name is the verb's.
func (leftFolders) Name() string { return "sync" }

// Plan finds the folders and plans nothing.
func (leftFolders) Plan(ctx context.Context, tx *vault.Tx) ([]LeftFolder, error) {
	report, err := tx.CatchUp(ctx, vault.Scope{})
	if err != nil || !report.Complete {
		return nil, err
	}
	var families households
	err = tx.Tree().Parents(ctx, "", func(f vault.Family) error {
		families.addFamily(&f)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return findLeftFolders(ctx, tx, families)
}

// findLeftFolders finds the folders that were left behind. It takes none that another memory has by
// now, and goes to no place where a folder is.
func findLeftFolders(ctx context.Context, tx *vault.Tx, families []household) (all []LeftFolder, err error) {
	drift, err := tx.Tree().Drift(ctx)
	if err != nil {
		return nil, err
	}
	for _, d := range drift {
		if d.Hash == "" {
			text, held, err := tx.ReadCommitted(ctx, d.Path)
			if vault.CodeOf(err) == vault.CodeFilter {
				continue // the pass names it
			}
			if err != nil {
				return nil, err
			}
			if m := vault.Parse(d.Path, text); held && m.IsMemory() {
				if all, err = addLeft(ctx, tx, all, d.Path.Stem(), m.ID); err != nil {
					return nil, err
				}
			}
		}
	}
	all, err = leftByCommit(ctx, tx, families, all)
	return composeMoves(all), err
}

// addLeft adds the folder from, in which the children of the memory id were, if it is left behind.
func addLeft(ctx context.Context, tx *vault.Tx, all []LeftFolder, from vault.Path, id vault.ID) ([]LeftFolder, error) {
	n, err := tx.Tree().Find(ctx, string(id))
	switch to := n.Path.Stem(); {
	case id == "" || vault.CodeOf(err) == vault.CodeNotFound || vault.CodeOf(err) == vault.CodeAmbiguous:
		return all, nil
	case err != nil:
		return all, err
	case n.ID.Fold() != id.Fold() || !n.IsMemory() || n.Path.FolderRank() > 0 || from == to || to.Within(from) || from.Within(to),
		slices.ContainsFunc(all, func(o LeftFolder) bool { return o.To == to || o.From == from }):
		return all, nil
	default:
		free, err := canMoveFolder(ctx, tx, from, to)
		if free {
			all = append(all, LeftFolder{n.ID, n.Title, n.Path, from, to})
		}
		return all, err
	}
}

// canMoveFolder reports whether there are memories in the folder from, of which it is no other
// memory's, and nothing at to. On some systems a folder has the name of another one already
// that differs in case alone.
func canMoveFolder(ctx context.Context, tx *vault.Tx, from, to vault.Path) (bool, error) {
	owner, owned, err := tx.Tree().Owner(ctx, from)
	if err != nil || owned && owner.Folder() == from {
		return false, err
	}
	in, err := hasOurs(ctx, tx, from)
	if err != nil || !in {
		return false, err
	}
	if filename.Fold(string(from)) == filename.Fold(string(to)) {
		in, err := hasOurs(ctx, tx, to)
		return !in, err
	}
	taken, err := tx.Look(ctx, to+".md")
	return !taken.Folder, err
}

// hasOurs reports whether there are files of ours in a folder.
func hasOurs(ctx context.Context, tx *vault.Tx, dir vault.Path) (bool, error) {
	in, _, err := tx.Tree().List(ctx, vault.ListOptions{Dir: dir, Status: []string{"*"}, Types: []string{"*"}, Limit: 1})
	return len(in) > 0, err
}

// maxPlaces bounds the former places of files that are looked for in the history, maxAsked
// the pointers of one file that are asked after.
const (
	maxPlaces = 100
	maxAsked  = 20
)

// leftByCommit adds the folders of files whose move is in a commit already: git mv x.md
// y.md. The pointers of y.md then name memories in a folder x/ that nobody has, and the
// history says that x.md was its file.
func leftByCommit(ctx context.Context, tx *vault.Tx, families []household, all []LeftFolder) ([]LeftFolder, error) {
	places, err := formerPlaces(ctx, tx, families)
	if err != nil || len(places) == 0 {
		return all, err
	}
	files := slices.Sorted(maps.Keys(places))
	n := 0
	herr := tx.History(ctx, files, func(r vault.Revision) bool {
		for _, p := range files {
			var text []byte
			if text, err = tx.ReadAt(ctx, r.Commit, p); vault.CodeOf(err) == vault.CodeNotFound {
				err = nil
				continue
			}
			if m := vault.Parse(p, text); err == nil && places[p][m.ID.Fold()] {
				all, err = addLeft(ctx, tx, all, p.Stem(), m.ID)
			}
			files = slices.DeleteFunc(slices.Clone(files), func(o vault.Path) bool { return o == p })
		}
		n++
		return err == nil && len(files) > 0 && n < maxRevisions
	})
	return all, cmp.Or(err, herr)
}

// formerPlaces returns where the files may have been whose pointers name memories that
// live in a folder of nobody's, each with those whose pointers they are.
func formerPlaces(ctx context.Context, tx *vault.Tx, families []household) (map[vault.Path]map[string]bool, error) {
	places := make(map[vault.Path]map[string]bool)
	for _, f := range families {
		children := make(map[string]bool, len(f.Children))
		for _, c := range f.Children {
			children[c.ID.Fold()] = true
		}
		asked := 0
		for _, e := range f.Entries {
			child := pointer.FoldID(e.ID)
			if children[child] || len(places) >= maxPlaces || asked == maxAsked {
				continue
			}
			asked++
			n, err := tx.Tree().Find(ctx, child)
			if err != nil || n.ID.Fold() != child {
				continue
			}
			if err := nobodys(ctx, tx, n.Path.Dir(), f.Parent.ID.Fold(), places); err != nil {
				return nil, err
			}
		}
	}
	return places, nil
}

// nobodys adds the files of the folder dir and of those above it that have none.
func nobodys(ctx context.Context, tx *vault.Tx, dir vault.Path, parent string, places map[vault.Path]map[string]bool) error {
	for ; dir != "" && !places[dir+".md"][parent]; dir = dir.Dir() {
		owner, owned, err := tx.Tree().Owner(ctx, dir)
		if err != nil || owned && owner.Folder() == dir {
			return err
		}
		if places[dir+".md"] == nil {
			places[dir+".md"] = make(map[string]bool)
		}
		places[dir+".md"][parent] = true
	}
	return nil
}

// findLeft finds the folders that were left behind: from here on their memories are where
// they go.
func (r *reconciler) findLeft() error {
	if r.o.KeepFolders || r.only != nil || !r.out.Report.Complete {
		return nil
	}
	all, err := findLeftFolders(r.ctx, r.tx, r.families)
	for _, f := range all {
		r.addDiscrepancy(Discrepancy{Type: MovedFile, Child: f.Memory, ChildTitle: f.Title, Path: f.To, Detail: fmt.Sprintf("its folder is still %s/", f.From)},
			"took the folder %s/ along with %s", f.From, f.File)
	}
	r.followed = all
	r.seat()
	return err
}

// composeMoves returns the folders, the inner ones first, with the places that they have after
// all of them are moved: a file that was moved into a folder goes on with it. Those that
// would go into themselves so are left.
func composeMoves(all []LeftFolder) []LeftFolder {
	m := tree.Mender{Moves: trees(all)}
	var out []LeftFolder
	for _, f := range all {
		if f.To = m.PlaceOf(f.File).Stem(); !f.To.Within(f.From) {
			out = append(out, f)
		}
	}
	if len(out) < len(all) {
		return composeMoves(out)
	}
	slices.SortStableFunc(out, func(a, b LeftFolder) int { return len(b.From) - len(a.From) })
	return out
}

// folderAlong returns the folder that what is at p goes along with: the innermost that it lies in.
func (r *reconciler) folderAlong(p vault.Path) (LeftFolder, bool) {
	i := slices.IndexFunc(r.followed, func(f LeftFolder) bool { return p.Within(f.From) })
	if i < 0 {
		return LeftFolder{}, false
	}
	return r.followed[i], true
}

// withFolders returns the edits together with the moves of the folders that follow, the
// inner ones first: what has gone with one goes with no other.
func (r *reconciler) withFolders(edits []vault.Edit) []vault.Edit {
	for i, e := range edits {
		if f, ok := r.folderAlong(e.Path); ok && e.To == "" && !e.Remove {
			edits[i].To = f.To + e.Path[len(f.From):]
		}
	}
	for _, f := range r.followed {
		edits = append(edits, vault.Edit{Path: f.From, To: f.To, Tree: true})
	}
	return edits
}

// seat gives the memories in the folders that follow the parent that they will have.
func (r *reconciler) seat() {
	for _, f := range slices.Backward(r.followed) {
		var top []node
		for _, p := range r.paths {
			on := r.fileAt(p)
			if !p.Within(f.From) || on.Parent != "" && r.knownMemory(on.Parent).stands.Within(f.From) {
				continue
			}
			on.Parent, on.ParentTitle, on.Orphan = f.Memory, f.Title, false
			top = append(top, on.node)
		}
		r.reparent(f, top)
	}
}

// reparent puts the children into the family of the folder's memory, and takes them out of
// the one in which the mirror has them.
func (r *reconciler) reparent(f LeftFolder, top []node) {
	gone := func(c node) bool {
		return slices.ContainsFunc(top, func(n node) bool { return n.Path == c.Path })
	}
	for i, family := range r.families {
		r.families[i].Children = slices.DeleteFunc(family.Children, gone)
	}
	i := slices.IndexFunc(r.families, func(o household) bool { return o.Parent.Path == f.File })
	if i < 0 {
		i = len(r.families)
		r.families = append(r.families, household{Parent: r.fileAt(f.File).node})
	}
	r.families[i].Children = append(r.families[i].Children, top...)
}

// home reports whether p is where the children of a memory live, or will.
func (r *reconciler) home(n node, p vault.Path) bool {
	if f, ok := r.folderAlong(p); ok {
		return f.File == n.Path || p.Within(n.Folder()) && n.Folder().Within(f.From)
	}
	return p.Within(n.Folder())
}

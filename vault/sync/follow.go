package sync

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/cp-memory/cp/pointer"
	"github.com/cp-memory/cp/vault"
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
	var families []vault.Family
	err = tx.Tree().Parents(ctx, "", func(f vault.Family) error {
		families = append(families, f)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return left(ctx, tx, families)
}

// left finds the folders that were left behind. It takes none that another memory has by
// now, and goes to no place where a folder is.
func left(ctx context.Context, tx *vault.Tx, families []vault.Family) (all []LeftFolder, err error) {
	drift, err := tx.Tree().Drift(ctx)
	if err != nil {
		return nil, err
	}
	for _, d := range drift {
		if d.Hash == "" {
			text, held, err := tx.Committed(ctx, d.Path)
			if err != nil {
				return nil, err
			}
			if m := vault.Parse(d.Path, text); held && m.Type == vault.TypeMemory {
				if all, err = leave(ctx, tx, all, d.Path.Stem(), m.ID); err != nil {
					return nil, err
				}
			}
		}
	}
	return leftByCommit(ctx, tx, families, all)
}

// leave adds the folder from, in which the children of the memory id were, if it is left behind.
func leave(ctx context.Context, tx *vault.Tx, all []LeftFolder, from vault.Path, id vault.ID) ([]LeftFolder, error) {
	n, err := tx.Tree().Find(ctx, string(id))
	switch to := n.Path.Stem(); {
	case id == "" || vault.CodeOf(err) == vault.CodeNotFound || vault.CodeOf(err) == vault.CodeAmbiguous:
		return all, nil
	case err != nil:
		return all, err
	case n.ID.Fold() != id.Fold() || n.Type != vault.TypeMemory || n.Path.FolderRank() > 0 || from == to || to.Within(from) || from.Within(to),
		slices.ContainsFunc(all, func(o LeftFolder) bool { return o.To == to || o.From == from }):
		return all, nil
	default:
		free, err := free(ctx, tx, from, to)
		if free {
			all = append(all, LeftFolder{n.ID, n.Title, n.Path, from, to})
		}
		return all, err
	}
}

// free reports whether there are memories in the folder from, of which it is no other
// memory's, and nothing at to. On some systems a folder has the name of another one already
// that differs in case alone.
func free(ctx context.Context, tx *vault.Tx, from, to vault.Path) (bool, error) {
	owner, owned, err := tx.Tree().Owner(ctx, from)
	if err != nil || owned && owner.Folder() == from {
		return false, err
	}
	in, err := holds(ctx, tx, from)
	if err != nil || !in {
		return false, err
	}
	if vault.FoldName(string(from)) == vault.FoldName(string(to)) {
		in, err := holds(ctx, tx, to)
		return !in, err
	}
	taken, err := tx.Look(ctx, to+".md")
	return !taken.Folder, err
}

// holds reports whether there are files of ours in a folder.
func holds(ctx context.Context, tx *vault.Tx, dir vault.Path) (bool, error) {
	in, _, err := tx.Tree().List(ctx, vault.ListOptions{Dir: dir, Status: []string{"*"}, Types: []string{"*"}, Limit: 1})
	return len(in) > 0, err
}

// maxPlaces bounds the former places of files that are looked for in the history.
const maxPlaces = 20

// leftByCommit adds the folders of files whose move is in a commit already: git mv x.md
// y.md. The pointers of y.md then name memories in a folder x/ that nobody has, and the
// history says that x.md was its file.
func leftByCommit(ctx context.Context, tx *vault.Tx, families []vault.Family, all []LeftFolder) ([]LeftFolder, error) {
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
			if m := vault.Parse(p, text); err == nil && m.ID.Is(places[p]) {
				all, err = leave(ctx, tx, all, p.Stem(), m.ID)
			}
			files = slices.DeleteFunc(slices.Clone(files), func(o vault.Path) bool { return o == p })
		}
		n++
		return err == nil && len(files) > 0 && n < maxRevisions
	})
	return all, cmp.Or(err, herr)
}

// formerPlaces returns where the files may have been whose pointers name memories that
// live in a folder of nobody's, each with the memory.
func formerPlaces(ctx context.Context, tx *vault.Tx, families []vault.Family) (map[vault.Path]vault.ID, error) {
	places := make(map[vault.Path]vault.ID)
	astray := make(map[string]vault.ID) // the parent that names a child, by the folded id
	for _, f := range families {
		children := make(map[string]bool, len(f.Children))
		for _, c := range f.Children {
			children[c.ID.Fold()] = true
		}
		for _, e := range f.Entries {
			if child := pointer.Fold(e.ID); !children[child] && len(astray) < maxPlaces {
				astray[child] = f.Parent.ID
			}
		}
	}
	for _, child := range slices.Sorted(maps.Keys(astray)) {
		n, err := tx.Tree().Find(ctx, child)
		if err != nil || n.ID.Fold() != child {
			continue
		}
		for dir := n.Path.Dir(); dir != "" && len(places) < maxPlaces; dir = dir.Dir() {
			owner, owned, err := tx.Tree().Owner(ctx, dir)
			if err != nil || owned && owner.Folder() == dir {
				break
			}
			places[dir+".md"] = astray[child]
		}
	}
	return places, nil
}

// follow finds the folders that were left behind: from here on their memories are where
// they go. One in another one goes first, in a commit of its own, since one commit takes no
// file along twice: then it reports true.
func (r *reconciler) follow() (bool, error) {
	if r.o.KeepFolders || r.only != nil || !r.out.Report.Complete {
		return false, nil
	}
	all, err := left(r.ctx, r.tx, r.families)
	if err != nil {
		return false, err
	}
	inner := slices.DeleteFunc(slices.Clone(all), func(f LeftFolder) bool {
		within := func(o LeftFolder) bool { return f != o && f.From.Within(o.From) }
		holds := func(o LeftFolder) bool { return f != o && o.From.Within(f.From) }
		return !slices.ContainsFunc(all, within) || slices.ContainsFunc(all, holds)
	})
	if first := len(inner) > 0 && !r.o.DryRun; first {
		all = inner
		r.out.again = true
		r.out.took = append(slices.Clone(r.took), trees(all)...)
		r.tx.Take(&vault.Change{Title: fmt.Sprintf("%s/ follows %s", all[0].From, all[0].File), Edits: along(all)})
	}
	for _, f := range all {
		r.found(Discrepancy{Type: MovedFile, Child: f.Memory, ChildTitle: f.Title, Path: f.To, Detail: fmt.Sprintf("its folder is still %s/", f.From)},
			"took the folder %s/ along with %s", f.From, f.File)
	}
	r.followed = all
	r.seat()
	return r.out.again, nil
}

// along are the moves of folders, the inner ones first.
func along(all []LeftFolder) (edits []vault.Edit) {
	all = slices.Clone(all)
	slices.SortFunc(all, func(a, b LeftFolder) int { return len(b.From) - len(a.From) })
	for _, f := range all {
		edits = append(edits, vault.Edit{Path: f.From, To: f.To, Tree: true})
	}
	return edits
}

// withFolders returns the edits together with the moves of the folders that follow.
func (r *reconciler) withFolders(edits []vault.Edit) []vault.Edit {
	for i, e := range edits {
		for _, f := range r.followed {
			if e.Path.Within(f.From) && e.To == "" && !e.Remove {
				edits[i].To = f.To + e.Path[len(f.From):]
			}
		}
	}
	return append(edits, along(r.followed)...)
}

// seat gives the memories in the folders that follow the parent that they will have.
func (r *reconciler) seat() {
	for _, f := range r.followed {
		var top []vault.Node
		for _, p := range r.paths {
			on := r.file(p)
			if !p.Within(f.From) || on.Parent != "" && r.memory(on.Parent).stands.Within(f.From) {
				continue
			}
			on.Parent, on.ParentTitle, on.Orphan = f.Memory, f.Title, false
			top = append(top, on.Node)
		}
		r.reparent(f, top)
	}
}

// reparent puts the children into the family of the folder's memory, and takes them out of
// the one in which the mirror has them.
func (r *reconciler) reparent(f LeftFolder, top []vault.Node) {
	gone := func(c vault.Node) bool {
		return slices.ContainsFunc(top, func(n vault.Node) bool { return n.Path == c.Path })
	}
	for i, family := range r.families {
		r.families[i].Children = slices.DeleteFunc(family.Children, gone)
	}
	i := slices.IndexFunc(r.families, func(o vault.Family) bool { return o.Parent.Path == f.File })
	if i < 0 {
		i = len(r.families)
		r.families = append(r.families, vault.Family{Parent: r.file(f.File).Node})
	}
	r.families[i].Children = append(r.families[i].Children, top...)
}

// home reports whether p is where the children of a memory live, or will.
func (r *reconciler) home(n vault.Node, p vault.Path) bool {
	return p.Within(n.Folder()) || slices.ContainsFunc(r.followed, func(f LeftFolder) bool { return f.File == n.Path && p.Within(f.From) })
}

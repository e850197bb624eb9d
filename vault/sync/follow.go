package sync

import (
	"context"
	"fmt"
	"slices"

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
	return left(ctx, tx)
}

// left finds the folders that were left behind. It takes none that another memory has by
// now, and goes to no place where a folder is.
func left(ctx context.Context, tx *vault.Tx) (all []LeftFolder, err error) {
	drift, err := tx.Tree().Drift(ctx)
	for _, d := range drift {
		if err != nil {
			return nil, err
		}
		if d.Hash != "" {
			continue
		}
		var one LeftFolder
		var ok bool
		if one, ok, err = leftBy(ctx, tx, d.Path); ok && !slices.ContainsFunc(all, func(o LeftFolder) bool { return o.To == one.To }) {
			all = append(all, one)
		}
	}
	return all, err
}

// leftBy looks for the folder of HEAD's file p, which is gone from its place.
func leftBy(ctx context.Context, tx *vault.Tx, p vault.Path) (one LeftFolder, ok bool, err error) {
	there, err := tx.Look(ctx, p)
	if err != nil || !there.Folder || there.File {
		return one, false, err
	}
	text, held, err := tx.Committed(ctx, p)
	if err != nil || !held {
		return one, false, err
	}
	m := vault.Parse(p, text)
	if m.ID == "" || m.Type != vault.TypeMemory {
		return one, false, nil
	}
	n, err := tx.Tree().Find(ctx, string(m.ID))
	if vault.CodeOf(err) == vault.CodeNotFound || vault.CodeOf(err) == vault.CodeAmbiguous {
		return one, false, nil
	}
	from, to := p.Stem(), n.Path.Stem()
	if err != nil || n.ID != m.ID || n.Type != vault.TypeMemory || n.Path.FolderRank() > 0 || from == to || to.Within(from) || from.Within(to) {
		return one, false, err
	}
	owner, owned, err := tx.Tree().Owner(ctx, from)
	if err != nil || owned && owner.Folder() == from {
		return one, false, err
	}
	in, _, err := tx.Tree().List(ctx, vault.ListOptions{Dir: from, Status: []string{"*"}, Types: []string{"*"}, Limit: 1})
	if err != nil || len(in) == 0 {
		return one, false, err
	}
	taken, err := tx.Look(ctx, n.Path)
	return LeftFolder{n.ID, n.Title, n.Path, from, to}, err == nil && !taken.Folder, err
}

// follow takes the folders along that were left behind, and reports whether there are any:
// then the pass does nothing else, and another one finds their memories in place.
func (r *reconciler) follow() (bool, error) {
	if r.o.KeepFolders || r.only != nil || !r.out.Report.Complete {
		return false, nil
	}
	all, err := left(r.ctx, r.tx)
	if err != nil || len(all) == 0 {
		return false, err
	}
	change := &vault.Change{Title: fmt.Sprintf("%s/ follows %s", all[0].From, all[0].File)}
	for _, f := range all {
		change.Edits = append(change.Edits, vault.Edit{Path: f.From, To: f.To, Tree: true})
		r.found(Discrepancy{Type: MovedFile, Child: f.Memory, ChildTitle: f.Title, Path: f.To, Detail: fmt.Sprintf("its folder is still %s/", f.From)},
			"took the folder %s/ along with %s", f.From, f.File)
	}
	if r.o.DryRun {
		r.followed = all
		return false, nil
	}
	r.out.again = true
	r.tx.Take(change)
	return true, nil
}

// spareFollowed drops from a dry run what is said of memories that will be taken along.
func (r *reconciler) spareFollowed() {
	r.out.Discrepancies = slices.DeleteFunc(r.out.Discrepancies, func(d Discrepancy) bool {
		return slices.ContainsFunc(r.followed, func(f LeftFolder) bool {
			return d.Type == OrphanedMemory && d.Path.Within(f.From) || d.Type == StalePointer && d.Parent == f.Memory
		})
	})
}

package sync

import (
	"github.com/cp-memory/cp/vault/secret"

	"github.com/cp-memory/cp/vault"
)

// spareSecrets leaves out of the pass the new files that hold what looks like a
// credential: the rest of the vault is not to wait for them. The edits of the
// others are looked at when they are committed.
func (r *reconciler) spareSecrets() error {
	if r.o.AllowSecret {
		return nil
	}
	for _, d := range r.drift {
		if d.Head != "" || d.Hash == "" || !r.concerns(d.Path) {
			continue
		}
		doc, err := r.tx.Read(d.Path)
		if err != nil {
			continue // it is among the problems, or gone
		}
		if found := secret.Scan(doc); len(found) > 0 {
			r.file(d.Path).left = true
			r.out.spared = append(r.out.spared, vault.Problem{Path: d.Path, Kind: vault.ProblemSecret, Line: found[0].Line,
				Msg: "looks like " + found[0].String(doc) + ", so sync leaves the file alone; take it out, or: cp memory sync --allow-secret"})
		}
	}
	r.out.Problems = append(r.out.Problems, r.out.spared...)
	return nil
}

// spareUnadopted leaves out of the pass the files that are in no commit, where
// they are not to be adopted, all or by their names. One that has the id of a file which is gone from its place in
// HEAD is that memory, moved, and one of several is enough.
func (r *reconciler) spareUnadopted() error {
	if !r.o.NoAdopt && r.unwanted == nil {
		return nil
	}
	gone := make(map[vault.ID]bool)
	for _, d := range r.drift {
		if m, err := r.atHead(d.Path); err != nil {
			return err
		} else if m != nil && m.ID != "" && d.Hash == "" {
			gone[m.ID] = true
		}
	}
	nameless := make(map[vault.Path]bool) // they would get no id, either
	for _, p := range r.out.Problems {
		nameless[p.Path] = nameless[p.Path] || p.KeepsID()
	}
	var left []vault.Path
	for _, d := range r.drift {
		switch {
		case d.Head != "" || d.Hash == "" || r.file(d.Path).left || !r.o.NoAdopt && !r.unwanted(d.Path):
		case gone[d.ID]:
			delete(gone, d.ID)
		default:
			if r.file(d.Path).left = true; r.o.NoAdopt && !nameless[d.Path] {
				left = append(left, d.Path)
			}
		}
	}
	if n := len(left); n > 0 {
		r.warn("%s in no commit, which sync leaves alone (%s): they are not to be adopted", vault.Plural(n, "file is", "files are"), left[0])
	}
	return nil
}

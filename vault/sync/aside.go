package sync

import (
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/tree"
)

// spareNew leaves out of the pass the new files that hold what looks like a credential, for
// which the rest of the vault is not to wait, and those that are not to be adopted. The edits
// of the others are looked at when they are committed. A file that has the id of one which is
// gone from its place in HEAD is that memory, moved, and one of several is enough.
func (r *reconciler) spareNew() error {
	rules := tree.Unadopted{None: r.o.NoAdopt, Unwanted: r.unwanted}
	gone, err := r.findGoneIDs(rules)
	if err != nil {
		return err
	}
	nameless := tree.NamelessFiles(r.out.Problems)
	var left []vault.Path
	for _, d := range r.drift {
		rules.AllowSecret = r.o.AllowSecret || !r.concerns(d.Path)
		why := rules.JudgeFile(r.tx, d)
		switch {
		case why.Secret != "":
			r.fileAt(d.Path).left = true
			r.out.spared = append(r.out.spared, vault.Problem{Path: d.Path, Kind: vault.ProblemSecret, Line: why.Line,
				Msg: "looks like " + why.Secret + ", so sync leaves the file alone; take it out, or: cp memory sync --allow-secret"})
		case why.Barred && gone[d.ID]:
			delete(gone, d.ID)
		case why.Barred:
			if r.fileAt(d.Path).left = true; r.o.NoAdopt && !nameless[d.Path] {
				left = append(left, d.Path)
			}
		}
	}
	r.out.Problems = append(r.out.Problems, r.out.spared...)
	if n := len(left); n > 0 {
		r.warn("%s in no commit, which sync leaves alone (%s): they are not to be adopted", vault.Plural(n, "file is", "files are"), left[0])
	}
	return nil
}

// findGoneIDs returns the ids of the files that are gone from their place in HEAD, if some rule
// may bar a new file.
func (r *reconciler) findGoneIDs(rules tree.Unadopted) (map[vault.ID]bool, error) {
	gone := make(map[vault.ID]bool)
	if !rules.None && rules.Unwanted == nil {
		return gone, nil
	}
	for _, d := range r.drift {
		if d.Hash != "" {
			continue
		}
		if m, err := r.atHead(d.Path); err != nil {
			return nil, err
		} else if m != nil && m.ID != "" {
			gone[m.ID] = true
		}
	}
	return gone, nil
}

package vault

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
		doc, _, err := r.v.Store.Read(d.Path)
		if err != nil {
			continue // it is among the problems, or gone
		}
		if what, line := secretIn(doc); what != "" {
			r.ignored[d.Path] = true
			r.out.spared = append(r.out.spared, Problem{Path: d.Path, Kind: ProblemSecret, Line: line,
				Msg: "looks like " + what + ", so sync leaves the file alone; take it out, or: cp memory sync --allow-secret"})
		}
	}
	r.out.Problems = append(r.out.Problems, r.out.spared...)
	return nil
}

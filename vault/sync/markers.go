package sync

import (
	"bytes"
	"slices"

	"github.com/cp-memory/cp/vault"

	"github.com/cp-memory/cp/vault/converge"
	"github.com/cp-memory/cp/vault/header"
	"github.com/cp-memory/cp/vault/merge"
)

// markers takes git's conflict markers out of front matters, before anything
// else is to be edited there, and notes which ones cannot be read all the same.
func (r *reconciler) markers() error {
	for _, p := range r.out.Problems {
		if !headerOf(p.Kind) || r.fileAt(p.Path).text != nil {
			continue
		}
		doc, err := r.tx.Read(p.Path)
		if err != nil || vault.ParseText(p.Path, doc).ReadOnly() {
			continue // it is among the problems, or nothing is written into it
		}
		settled, gave := merge.ResolveHeader(doc)
		if len(gave) > 0 && r.concerns(p.Path) {
			if held, err := r.hasInHead(p.Path, doc, gave); err != nil {
				return err
			} else if !held {
				settled = doc
			}
		}
		if !bytes.Equal(settled, doc) && r.concerns(p.Path) {
			r.fileAt(p.Path).text, doc = settled, settled
			r.edits.Add(p.Path, vault.Step{Op: vault.OpSettle})
			r.addDiscrepancy(Discrepancy{Type: ConflictMarkers, Path: p.Path}, "settled the conflict markers in its front matter")
		}
		if p.Path.Foreign() {
			doc = header.LegibleText(doc)
		}
		head, _ := header.Split(doc)
		r.fileAt(p.Path).damaged = head.Err() != nil
	}
	return nil
}

// headerOf reports whether a kind of problem may be one of the front matter.
func headerOf(kind string) bool {
	return kind == vault.ProblemMarkers || kind == vault.ProblemFrontMatter || kind == vault.ProblemNoKeys
}

// hasInHead reports whether the values that give way in a file are in HEAD, and tells of
// them. A file that is in no commit is to be committed first as it is; in one that is,
// markers that a person has typed, or a stash has left, are theirs to settle.
func (r *reconciler) hasInHead(p vault.Path, doc []byte, gave []merge.Dropped) (bool, error) {
	at, inHead, err := r.tx.ReadCommitted(r.ctx, p)
	if err != nil {
		return false, err
	}
	commit := r.head
	switch {
	case !inHead && r.o.DryRun:
		commit = ""
	case !inHead:
		r.edits.Of(p).Adopt = true
		r.out.again = true
		r.addDiscrepancy(Discrepancy{Type: NewFile, Path: p, Detail: FirstCommit}, "committed it as it is, before its conflict markers are settled")
		return false, nil
	case !holdsAll(at, gave):
		r.warn("%s: its front matter holds two values of %s, of which one is in no commit; choose one by hand, or commit the file as it is", p, gave[0].Key)
		return false, nil
	}
	settled, _ := merge.ResolveHeader(doc)
	r.out.Conflicts = append(r.out.Conflicts, converge.NewConflicts(vault.Parse(p, settled).ID, p, gave, [2]string{1: commit})...)
	return true, nil
}

// holdsAll reports whether a version of a file has each of the values: under its key,
// or between the same markers.
func holdsAll(doc []byte, gave []merge.Dropped) bool {
	head, _ := header.Split(doc)
	_, marked := merge.ResolveHeader(doc)
	return !slices.ContainsFunc(gave, func(d merge.Dropped) bool {
		value, _ := head.Get(d.Key)
		return value != d.Lost && !slices.Contains(marked, d)
	})
}

// readSettled returns a file's text, its front matter settled.
func (r *reconciler) readSettled(p vault.Path) ([]byte, error) {
	if doc := r.fileAt(p).text; doc != nil {
		return doc, nil
	}
	return r.tx.Read(p)
}

// readable returns the memory with what its settled front matter says: the
// mirror could not read it.
func (r *reconciler) readable(n node) node {
	if doc := r.fileAt(n.Path).text; doc != nil {
		m := vault.Parse(n.Path, doc)
		n.Title, n.Summary = m.Title, m.Summary
	}
	return n
}

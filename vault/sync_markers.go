package vault

import (
	"bytes"

	"github.com/cp-memory/cp/vault/frontmatter"
)

// markers takes git's conflict markers out of front matters, before anything
// else is to be edited there, and notes which ones cannot be read all the same.
func (r *reconciler) markers() error {
	for _, p := range r.out.Problems {
		if p.Kind != ProblemMarkers && p.Kind != ProblemFrontMatter || r.settled[p.Path] != nil {
			continue
		}
		doc, _, err := r.v.Store.Read(p.Path)
		if err != nil {
			continue // it is among the problems
		}
		if settled := settle(doc); !bytes.Equal(settled, doc) && r.concerns(p.Path) {
			r.settled[p.Path], doc = settled, settled
			r.edits.add(p.Path, Step{Op: OpSettle})
			r.found(Discrepancy{Type: ConflictMarkers, Path: p.Path}, "settled the conflict markers in its front matter")
		}
		header, _ := frontmatter.Split(doc)
		r.damaged[p.Path] = header.Err() != nil
	}
	return nil
}

// read returns a file's text, its front matter settled.
func (r *reconciler) read(p Path) ([]byte, error) {
	if doc, ok := r.settled[p]; ok {
		return doc, nil
	}
	doc, _, err := r.v.Store.Read(p)
	return doc, err
}

// readable returns the memory with what its settled front matter says: the
// mirror could not read it.
func (r *reconciler) readable(n Node) Node {
	if doc, ok := r.settled[n.Path]; ok {
		m := Parse(n.Path, doc)
		n.Title, n.Summary = m.Title, m.Summary
	}
	return n
}

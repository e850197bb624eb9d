package render

import "github.com/cp-memory/cp/vault/tree"

// Superseded writes the outcome of supersede.
func Superseded(s Screen, o tree.Superseded) {
	if o.Unchanged {
		s.Printf("%s was superseded by %s before\n", o.Old, o.New)
		return
	}
	s.Printf("%s %s is superseded by %s %s\n", o.Old, quoted(o.OldTitle), o.New, quoted(o.NewTitle))
}

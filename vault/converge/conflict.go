package converge

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/merge"
)

// Conflict is a pair of changes by two sides of a merge that exclude each other, and how
// it was settled. Of a key one value was kept; Detail describes any other case.
type Conflict struct {
	ID      vault.ID `json:"id"`
	Path    string   `json:"path"`
	Key     string   `json:"key"` // of the front matter, or of the pointer to ID in the file at Path
	Kept    string   `json:"kept"`
	Dropped string   `json:"dropped"` // empty where that side removed the key
	Commit  string   `json:"commit"`  // has the dropped value
	Detail  string   `json:"detail"`

	pointer bool
}

// NewConflicts tells of the values that gave way when two versions of the memory at p were
// merged, which are in those commits.
func NewConflicts(id vault.ID, p vault.Path, values []merge.Dropped, commits [2]string) (all []Conflict) {
	for _, d := range values {
		c := Conflict{ID: id, Path: string(p), Key: d.Key, Kept: d.Kept, Dropped: d.Lost, Commit: commits[0], Detail: d.String()}
		if d.Theirs {
			c.Commit = commits[1]
		}
		if d.Pointer != "" {
			c.ID, c.pointer = vault.ID(d.Pointer), true
		}
		if c.Commit != "" {
			c.Detail += fmt.Sprintf(", and what gave way is in commit %.7s", c.Commit)
		}
		all = append(all, c)
	}
	return all
}

// WithoutRepeats returns each value that gave way once, by path: a phrase stands in the
// child and in its pointer, and is the child's.
func WithoutRepeats(all []Conflict) []Conflict {
	type value struct {
		id           vault.ID
		key, dropped string
	}
	known := make(map[value]bool)
	out := []Conflict{}
	for _, pointers := range [...]bool{false, true} {
		for _, c := range all {
			if v := (value{c.ID, c.Key, c.Dropped}); c.pointer == pointers && (c.Key == "" || !known[v]) {
				out = append(out, c)
				known[v] = true
			}
		}
	}
	slices.SortStableFunc(out, func(a, b Conflict) int { return cmp.Compare(a.Path, b.Path) })
	return out
}

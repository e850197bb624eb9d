package family

import (
	"cmp"
	"slices"
	"strings"
)

// Share says which files of a vault a question is about. The zero value is all of them.
type Share struct {
	Areas []Area // the first that holds a file decides
	Rest  bool   // with Areas: whether what lies in none of them is meant
}

// Area is a memory with all below it.
type Area struct {
	File, Folder string
	In           bool // whether it is meant
}

// ShareOf returns what the chosen projects hold of a vault, whose projects are held: each
// file is that of the deepest part that holds it, and else of the vault.
func ShareOf(chosen, held []Project) (s Share) {
	in := func(p Project) bool {
		return slices.ContainsFunc(chosen, func(c Project) bool { return c.Vault == p.Vault && c.Part == p.Part })
	}
	all := true
	for _, p := range deepest(held) {
		meant := in(p)
		if all = all && meant; p.IsVault() {
			s.Rest = meant
		} else {
			s.Areas = append(s.Areas, Area{p.Part, p.Folder, meant})
		}
	}
	if all {
		return Share{}
	}
	return s
}

// Holding returns the project that a file of the vault belongs to, of those that hold
// anything of the vault. ok is false if it is none of theirs.
func Holding(held []Project, file string) (p Project, ok bool) {
	for _, p := range deepest(held) {
		if p.holds(file) {
			return p, true
		}
	}
	return Project{}, false
}

// deepest orders the projects of a vault: parts before what they lie in, the vault last.
func deepest(held []Project) []Project {
	return slices.SortedFunc(slices.Values(held), func(a, b Project) int {
		if a.IsVault() != b.IsVault() {
			if a.IsVault() {
				return 1
			}
			return -1
		}
		return cmp.Or(strings.Count(b.Folder, "/")-strings.Count(a.Folder, "/"), strings.Compare(a.Part, b.Part))
	})
}

// Has reports whether a file is meant.
func (s Share) Has(file string) bool {
	for _, a := range s.Areas {
		if file == a.File || strings.HasPrefix(file, a.Folder+"/") {
			return a.In
		}
	}
	return len(s.Areas) == 0 || s.Rest
}

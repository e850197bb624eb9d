package family

import (
	"cmp"
	"path"
	"slices"
	"strings"
)

// Project is a full path on disk with memories.
type Project struct {
	Name   string
	Path   string // its identity: absolute, clean, links resolved
	Vault  string // the root of the vault that holds its memories, likewise
	Part   string // of a part of a vault: the file of its memory, below the vault; empty for the vault itself
	Folder string // likewise: the folder in which the memories below that lie
	Apart  string // why it is in no ancestor's family by itself; empty where it is
	Within string // with Apart: the folder that stands apart with all that lies in it, whose projects hear each other; empty for the project's own
	Joins  bool   // a person has put it into the families above it, whatever stands apart between
	Global bool   // it is in every family

	// Repo is the repository that holds it, the same in each of its work trees, and Top is
	// the top of the work tree. Both are empty where that is not known.
	Repo, Top string
}

// IsVault reports whether the project is a vault, and not a part of one.
func (p Project) IsVault() bool { return p.Part == "" }

// holds reports whether a file of the vault is the part's memory or lies below it.
func (p Project) holds(file string) bool {
	return p.IsVault() || file == p.Part || strings.HasPrefix(file, p.Folder+"/")
}

// Origin tells from which project something comes. Results carry it.
type Origin struct {
	Project     string `json:"project,omitempty"`
	ProjectPath string `json:"project_path,omitempty"`
	Global      bool   `json:"global,omitempty"` // it answers in every project
}

// Origin returns what results say of the project.
func (p Project) Origin() Origin { return Origin{p.Name, p.Path, p.Global} }

// Rules are the family rules of a machine. The zero value tells upper and lower case apart.
type Rules struct {
	// Fold returns the same for names that the file system takes for one; nil takes none
	// for another.
	Fold func(path string) string
}

// pathKey is a path as it is compared.
func (r Rules) pathKey(p string) string {
	if p = path.Clean(p); r.Fold != nil {
		p = r.Fold(p)
	}
	return p
}

// isBelow reports whether one key lies below another, itself excluded.
func isBelow(key, above string) bool {
	return len(key) > len(above) && strings.HasPrefix(key, above) && (above == "/" || key[len(above)] == '/')
}

// IsBelow reports whether a path lies below another one by whole components, itself excluded:
// /a/TTS2 does not lie below /a/TTS.
func (r Rules) IsBelow(p, above string) bool { return isBelow(r.pathKey(p), r.pathKey(above)) }

// IsSamePath reports whether two paths are one.
func (r Rules) IsSamePath(a, b string) bool { return r.pathKey(a) == r.pathKey(b) }

// IsApart reports whether a project stands apart from one above it: what lies in one folder that
// stands apart is of one family nevertheless.
func (r Rules) IsApart(p, from Project) bool { return len(r.pathKey(from.Path)) < r.wall(p) }

// wall is the length of the key of the folder with which a project stands apart: those with
// shorter keys above it do not hear it. It is 0 for one that does not stand apart.
func (r Rules) wall(p Project) int {
	if p.Apart == "" {
		return 0
	}
	return len(r.pathKey(cmp.Or(p.Within, p.Path)))
}

// DetectParent returns the project with the longest path that is a proper prefix of p by
// whole components: the immediate parent, not the topmost. ok is false if there is none.
// Folders between them that are no projects do not matter.
func (r Rules) DetectParent(p string, all []Project) (parent Project, ok bool) {
	return r.longest(all, func(key string) bool { return isBelow(r.pathKey(p), key) })
}

// Current returns the deepest project whose path is dir or holds it. ok is false if there is
// none.
func (r Rules) Current(dir string, all []Project) (current Project, ok bool) {
	at := r.pathKey(dir)
	return r.longest(all, func(key string) bool { return key == at || isBelow(at, key) })
}

// longest returns the project with the longest path that fits. Of two with one path the
// vault wins, then the first by the path of its vault.
func (r Rules) longest(all []Project, fits func(key string) bool) (found Project, ok bool) {
	for _, p := range all {
		if key := r.pathKey(p.Path); !p.Global && fits(key) {
			if !ok || len(key) > len(r.pathKey(found.Path)) || r.IsSamePath(p.Path, found.Path) && compareProjects(p, found) < 0 {
				found, ok = p, true
			}
		}
	}
	return found, ok
}

// compareProjects orders projects of one path.
func compareProjects(a, b Project) int {
	if a.IsVault() != b.IsVault() {
		if a.IsVault() {
			return -1
		}
		return 1
	}
	return cmp.Or(strings.Compare(a.Vault, b.Vault), strings.Compare(a.Part, b.Part))
}

// SortAsTree returns the projects in the order of a tree: each before those below it, and
// neighbours by name. Of two projects with one path the one that wins comes first.
func (r Rules) SortAsTree(all []Project) []Project {
	type keyed struct {
		key string
		Project
	}
	list := make([]keyed, len(all))
	for i, p := range all {
		list[i] = keyed{strings.ReplaceAll(strings.TrimSuffix(r.pathKey(p.Path), "/"), "/", "\x00"), p} // what lies in /a comes before /a-b
	}
	slices.SortFunc(list, func(a, b keyed) int {
		return cmp.Or(strings.Compare(a.key, b.key), compareProjects(a.Project, b.Project))
	})
	sorted := make([]Project, len(all))
	for i, p := range list {
		sorted[i] = p.Project
	}
	return sorted
}

package family

import (
	"slices"
	"strings"
)

// Family returns the project and all its descendants, itself first and the others in the
// order of a tree; then the global ones. It is never empty: of a project that is not in the
// list it is that project alone and what lies below it.
//
// Left out are: a project that stands apart from it, with all below that but what Joins; a part of a vault with the
// path of a vault; and what is there a second time because a second work tree of its
// repository lies below the first.
func (r Rules) Family(of Project, all []Project) []Project {
	family := []Project{of}
	twins := r.findTwins(append([]Project{of}, all...))
	var over walls
	for _, p := range r.SortAsTree(all) {
		switch key := r.pathKey(p.Path); {
		case p.Global || !isBelow(key, r.pathKey(of.Path)):
		case over.hide(key, p.Joins, r.IsApart(p, of)):
		case r.IsSamePath(family[len(family)-1].Path, p.Path): // the vault won
		case !r.twin(p, of, twins):
			family = append(family, p)
		}
	}
	for _, p := range all {
		if p.Global && !slices.ContainsFunc(family, func(in Project) bool { return in.Vault == p.Vault && in.Part == p.Part }) {
			family = append(family, p)
		}
	}
	return family
}

// walls are those of the projects over one, the lowest last, that say whether what lies below is
// heard: it stands apart, or it joins.
type walls []struct {
	key   string
	apart bool
}

// hide adds the project of a key, the next in the order of a tree, and reports whether it is
// hidden: it stands apart, or the lowest that says so above it does.
func (w *walls) hide(key string, joins, apart bool) bool {
	for len(*w) > 0 && (*w)[len(*w)-1].key != key && !isBelow(key, (*w)[len(*w)-1].key) {
		*w = (*w)[:len(*w)-1]
	}
	if joins || apart {
		*w = append(*w, struct {
			key   string
			apart bool
		}{key, apart})
	}
	return len(*w) > 0 && (*w)[len(*w)-1].apart
}

// twins are projects by their repository and their place in it.
type twins map[string][]Project

func (r Rules) findTwins(all []Project) twins {
	t := twins{}
	for _, p := range all {
		if p.Repo != "" {
			place := r.inRepo(p)
			t[place] = append(t[place], p)
		}
	}
	return t
}

// twin reports whether the project is another one at the same place in its repository,
// checked out a second time: the other is in the work tree of the family's project, or in
// one that lies above p's own.
func (r Rules) twin(p, of Project, t twins) bool {
	if p.Repo == "" {
		return false
	}
	return slices.ContainsFunc(t[r.inRepo(p)], func(other Project) bool {
		if r.IsSamePath(other.Top, p.Top) || other.IsVault() != p.IsVault() {
			return false
		}
		return r.IsSamePath(other.Top, of.Top) || r.IsBelow(p.Top, other.Top)
	})
}

// inRepo is the place of a project in any work tree of its repository.
func (r Rules) inRepo(p Project) string {
	return p.Repo + "\x00" + strings.TrimPrefix(strings.TrimPrefix(r.pathKey(p.Path), r.pathKey(p.Top)), "/")
}

// ListApart returns the projects below one that are not in its family since they stand apart,
// without what lies below these.
func (r Rules) ListApart(of Project, all []Project) (aside []Project) {
	for _, p := range r.SortAsTree(all) {
		if r.IsBelow(p.Path, of.Path) && !p.Global && r.IsApart(p, of) && !slices.ContainsFunc(aside, func(a Project) bool { return r.IsBelow(p.Path, a.Path) }) {
			aside = append(aside, p)
		}
	}
	return aside
}

// Everyone returns each project that answers when all are asked: in the order of a tree,
// without those that stand apart from another one above them, and the second of two with one
// path.
func (r Rules) Everyone(all []Project) []Project {
	var everyone []Project
	for _, p := range r.Tree(all) {
		if last := len(everyone) - 1; !p.Aside && (last < 0 || !r.IsSamePath(everyone[last].Path, p.Path)) {
			everyone = append(everyone, p.Project)
		}
	}
	twins := r.findTwins(everyone)
	return slices.DeleteFunc(everyone, func(p Project) bool { return r.twin(p, p, twins) })
}

// Clashes returns the projects whose path is also another one's that wins: doctor tells.
func (r Rules) Clashes(all []Project) (lost []Project) {
	sorted := r.SortAsTree(all)
	for i := 1; i < len(sorted); i++ {
		if r.IsSamePath(sorted[i].Path, sorted[i-1].Path) {
			lost = append(lost, sorted[i])
		}
	}
	return lost
}

// FindProjects returns the projects that a name or a path means: none, one, or several of one name,
// in the order of their paths. What holds a slash is a path, absolute and resolved by the
// caller; of two projects with one path the one that wins is meant.
func (r Rules) FindProjects(ref string, all []Project) (found []Project) {
	for _, p := range r.SortAsTree(all) {
		if strings.Contains(ref, "/") {
			if r.IsSamePath(p.Path, ref) || p.IsVault() && r.IsSamePath(p.Vault, ref) {
				return []Project{p}
			}
		} else if p.Name == ref && !slices.ContainsFunc(found, func(f Project) bool { return r.IsSamePath(f.Path, p.Path) }) {
			found = append(found, p)
		}
	}
	return found
}

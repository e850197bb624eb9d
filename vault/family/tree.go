package family

// Placed is a project at its place in the tree of all.
type Placed struct {
	Project
	Parent string   // the parent's path; empty for a topmost one
	Level  int      // 0 for a topmost one
	Below  []string // the paths of the descendants that are in its family
}

// Tree returns all projects in the order of a tree, each with its parent and its family. Its
// cost is that of sorting them, and of the families told.
func (r Rules) Tree(all []Project) []Placed {
	sorted := r.Sorted(all)
	twins := r.twins(sorted)
	placed := make([]Placed, 0, len(sorted))
	var above []int // the places of the projects over the next one
	for _, p := range sorted {
		key := r.key(p.Path)
		for len(above) > 0 && !below(key, r.key(placed[above[len(above)-1]].Path)) {
			above = above[:len(above)-1]
		}
		at := Placed{Project: p, Level: len(above)}
		if len(above) > 0 {
			at.Parent = placed[above[len(above)-1]].Path
		}
		for i := len(above) - 1; i >= 0 && p.Apart == ""; i-- {
			over := &placed[above[i]]
			if !r.twin(p, over.Project, twins) {
				over.Below = append(over.Below, p.Path)
			}
			if over.Apart != "" {
				break
			}
		}
		above = append(above, len(placed))
		placed = append(placed, at)
	}
	return placed
}

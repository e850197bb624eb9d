package family

// Placed is a project at its place in the tree of all.
type Placed struct {
	Project
	Parent string   // the parent's path; empty for a topmost one
	Level  int      // 0 for a topmost one
	Below  []string // the paths of the descendants that are in its family
	Aside  bool     // it stands apart from a project above it
}

// standing is a project over the next one of a tree.
type standing struct {
	at    int // its place
	key   string
	wall  int // the length of the key of the folder that it stands apart with; 0 for none
	joins bool
}

// Tree returns all projects in the order of a tree, each with its parent and its family. Its
// cost is that of sorting them, and of the families told.
func (r Rules) Tree(all []Project) []Placed {
	sorted := r.SortAsTree(all)
	twins := r.findTwins(sorted)
	placed := make([]Placed, 0, len(sorted))
	var above []standing
	for _, p := range sorted {
		own := standing{len(placed), r.pathKey(p.Path), r.wall(p), p.Joins}
		for len(above) > 0 && !isBelow(own.key, above[len(above)-1].key) {
			above = above[:len(above)-1]
		}
		at := Placed{Project: p, Level: len(above)}
		if len(above) > 0 {
			at.Parent = placed[above[len(above)-1].at].Path
		}
		wall, joins := own.wall, own.joins
		for i := len(above) - 1; i >= 0 && !at.Aside; i-- {
			over := above[i]
			if at.Aside = len(over.key) < wall; !at.Aside && !r.twin(p, placed[over.at].Project, twins) {
				placed[over.at].Below = append(placed[over.at].Below, p.Path)
			}
			if joins = joins || over.joins; !joins {
				wall = max(wall, over.wall)
			}
		}
		above = append(above, own)
		placed = append(placed, at)
	}
	return placed
}

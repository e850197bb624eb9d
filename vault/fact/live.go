package fact

// Live returns the entries that hold: those that nobody has removed, and of relations those
// whose ends nobody has removed.
func (f *Facts) Live() (entities []Entity, relations []Relation) {
	gone := make(map[string]bool)
	for _, e := range f.Entities {
		if e.Removed {
			gone[FoldName(e.Name)] = true
		}
	}
	for _, e := range f.Entities {
		if !e.Removed {
			delete(gone, FoldName(e.Name)) // it stands there with another type
			entities = append(entities, e)
		}
	}
	for _, r := range f.Relations {
		if !r.Removed && !gone[FoldName(r.From)] && !gone[FoldName(r.To)] {
			relations = append(relations, r)
		}
	}
	return entities, relations
}

package fact

// Live returns the entries that hold: those that nobody has removed, and of relations those
// whose ends nobody has removed.
func (f *Facts) Live() (entities []Entity, relations []Relation) {
	gone := make(map[string]bool)
	for _, e := range f.Entities {
		if e.Removed {
			gone[Fold(e.Name)] = true
		}
	}
	for _, e := range f.Entities {
		if !e.Removed {
			delete(gone, Fold(e.Name)) // it stands there with another type
			entities = append(entities, e)
		}
	}
	for _, r := range f.Relations {
		if !r.Removed && !gone[Fold(r.From)] && !gone[Fold(r.To)] {
			relations = append(relations, r)
		}
	}
	return entities, relations
}

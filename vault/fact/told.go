package fact

// Told are the facts of a memory as they are told: those that hold.
type Told struct {
	Of        string     `json:"of,omitempty"` // the start of the doc hash they were drawn from
	By        string     `json:"by,omitempty"` // the model that drew them
	Entities  []Entity   `json:"entities"`
	Relations []Relation `json:"relations"`
}

// LiveFacts returns the facts that hold.
func (f *Facts) LiveFacts() *Told {
	entities, relations := f.Live()
	return &Told{f.Of, f.By, append([]Entity{}, entities...), append([]Relation{}, relations...)}
}

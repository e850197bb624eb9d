package fact

import "fmt"

// Told are the facts of a memory as they are told: those that hold.
type Told struct {
	Of        string     `json:"of,omitempty"` // the start of the doc hash they were drawn from
	By        string     `json:"by,omitempty"` // the model that drew them
	Entities  []Entity   `json:"entities"`
	Relations []Relation `json:"relations"`
}

// Tell reads the facts file of a memory. The error is that of a text which is no facts file,
// or is another memory's.
func Tell(text []byte, id string) (*Told, error) {
	f, err := Parse(text)
	if err == nil && f.ID != id {
		err = fmt.Errorf("the facts of %s are those of %q", id, f.ID)
	}
	if err != nil {
		return nil, err
	}
	return f.Told(), nil
}

// Told returns the facts that hold.
func (f *Facts) Told() *Told {
	entities, relations := f.Live()
	return &Told{f.Of, f.By, append([]Entity{}, entities...), append([]Relation{}, relations...)}
}

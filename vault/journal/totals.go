package journal

// MaxSpecs bounds the pieces of work that [Totals] names.
const MaxSpecs = 100

// Totals tells how much there is of what: entries of the journal and those with a place in
// the tree.
type Totals struct {
	Kinds     map[string]int `json:"kinds"` // by namespace
	Specs     []SpecTotal    `json:"specs"` // those with the most entries first
	MoreSpecs bool           `json:"more_specs,omitempty"`
	Levels    Levels         `json:"levels"`
}

// SpecTotal counts the entries of a piece of work.
type SpecTotal struct {
	Spec    string `json:"spec"`
	Entries int    `json:"entries"`
}

// Levels counts memories and entries by level. Denied ones are counted by themselves alone.
type Levels struct {
	Pending  int `json:"pending"`
	LongTerm int `json:"long_term"` // memories of the tree included
	Core     int `json:"core"`
	Denied   int `json:"denied"`
}

package merge

import "fmt"

// Dropped is a value that is not in the merged text: both sides had changed it, and only
// one value could stay.
type Dropped struct {
	Pointer    string // the id in the pointer whose value it is; empty for the front matter
	Key        string
	Kept, Lost string // Lost is empty where that side had removed the key
	Theirs     bool   // it was theirs that gave way
}

// String tells the decision in words.
func (d Dropped) String() string {
	what := d.Key
	if d.Pointer != "" {
		what = fmt.Sprintf("the %s of the pointer to %s", d.Key, d.Pointer)
	}
	if d.Lost == "" {
		return fmt.Sprintf("%s was set to %q on one side and removed on the other; %q stays", what, d.Kept, d.Kept)
	}
	return fmt.Sprintf("%s was set to %q and to %q; %q stays", what, d.Lost, d.Kept, d.Kept)
}

func (m *merger) noteDropped(d Dropped) { m.dropped = append(m.dropped, d) }

package index

import (
	"github.com/cp-memory/cp/index/sqlite"
	"github.com/cp-memory/cp/index/usage"
	"github.com/cp-memory/cp/vault"
)

// state is where the rows stand.
type state struct {
	epoch      int64       // drawn when the file was made
	generation int64       // grows with every write
	head       string      // the commit that files.head describes; empty is none
	filled     bool        // the whole vault was scanned once
	usage      usage.State // the telemetry that reads repeats
	agreed     int64       // one more than the parents that sync found in order on these rows; 0 when it has not said so
}

// fields returns where the value of each key is kept.
func (s *state) fields() map[string]any {
	return map[string]any{"epoch": &s.epoch, "generation": &s.generation, "head": &s.head, "filled": &s.filled,
		"usage_seq": &s.usage.Seq, "usage_epoch": &s.usage.Epoch, "agreed": &s.agreed}
}

func loadState(t *tx) (s state, err error) {
	fields := s.fields()
	err = t.Each(`SELECT key, value FROM state`, nil, func(r *sqlite.Row) error {
		if field, ok := fields[r.Text()]; ok {
			r.Scan(field)
		}
		return nil
	})
	return s, err
}

// save stores s as the next generation.
func (s state) save(t *tx) error {
	return t.Exec(`INSERT OR REPLACE INTO state (key, value) VALUES
		('generation', ?), ('head', ?), ('filled', ?), ('usage_seq', ?), ('usage_epoch', ?), ('agreed', ?)`,
		s.generation+1, s.head, s.filled, s.usage.Seq, s.usage.Epoch, s.agreed)
}

// stand is what others are told of the state.
func (s state) stand() vault.Stand {
	return vault.Stand{Epoch: s.epoch, Generation: s.generation}
}

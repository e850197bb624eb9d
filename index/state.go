package index

import (
	"strconv"

	"github.com/cp-memory/cp/vault"
)

// state is where the rows stand.
type state struct {
	epoch      int64  // drawn when the file was made
	generation int64  // grows with every write
	head       string // the commit that files.head describes; empty is none
	filled     bool   // the whole vault was scanned once
	usageSeq   int64  // the telemetry that reads repeats
	usageEpoch int64
	agreed     int64 // one more than the parents that sync found in order on these rows; 0 when it has not said so
}

func loadState(t *tx) (state, error) {
	var s state
	err := t.each(`SELECT key, CAST(value AS TEXT) FROM state`, nil, func(scan scanner) error {
		var key, value string
		if err := scan(&key, &value); err != nil {
			return err
		}
		n, _ := strconv.ParseInt(value, 10, 64) // 0 where it is not a number
		switch key {
		case "epoch":
			s.epoch = n
		case "generation":
			s.generation = n
		case "head":
			s.head = value
		case "filled":
			s.filled = n == 1
		case "usage_seq":
			s.usageSeq = n
		case "usage_epoch":
			s.usageEpoch = n
		case "agreed":
			s.agreed = n
		}
		return nil
	})
	return s, err
}

// save stores s as the next generation.
func (s state) save(t *tx) error {
	filled := 0
	if s.filled {
		filled = 1
	}
	return t.exec(`INSERT OR REPLACE INTO state (key, value) VALUES
		('generation', ?), ('head', ?), ('filled', ?), ('usage_seq', ?), ('usage_epoch', ?), ('agreed', ?)`,
		s.generation+1, s.head, filled, s.usageSeq, s.usageEpoch, s.agreed)
}

// stand is what others are told of the state.
func (s state) stand() vault.Stand {
	return vault.Stand{Epoch: s.epoch, Generation: s.generation}
}

package query

import (
	"github.com/cp-memory/cp/index/sqlite"
	"github.com/cp-memory/cp/vault/header"
	"github.com/cp-memory/cp/vault/journal"
)

// The bits of tallies.state.
const (
	tallyMemory = 1 << iota
	tallyOpen
	tallyDenied
	tallyPending
)

// TallyOf counts what the vault holds. The mirror keeps the counts, so that it takes as long at
// every size.
func TallyOf(t *sqlite.Tx) (out journal.Tally, err error) {
	out.Entries = make(map[string]int)
	if err = t.Each(`SELECT type, state, n FROM tallies WHERE n > 0`, nil, func(r *sqlite.Row) error {
		word, state, n := r.Text(), r.Int(), r.Int()
		k, entry := header.ParseKind(word)
		if entry {
			out.Entries[k.Namespace()] += n
		}
		if state&tallyMemory != 0 && state&tallyDenied == 0 {
			out.Memories += n
		}
		if entry && k == header.Blocker && state&tallyOpen != 0 {
			out.Unresolved += n
		}
		if state&(tallyPending|tallyDenied|tallyOpen) == tallyPending|tallyOpen {
			out.Waiting += n
		}
		return nil
	}); err != nil {
		return out, err
	}
	batches := 0 // a review that was handed over as findings is counted by these
	err = t.One(`SELECT count(*) FROM memories p WHERE p.n IN (SELECT parent FROM memories WHERE type <> 'memory' AND type = 'finding') AND p.type = 'review'`, nil, &batches)
	if batches > 0 {
		out.Entries[header.Review.Namespace()] -= batches
	}
	return out, err
}

package recall

import (
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/field"
)

// rowTokens are the tokens of a row beside its words: id, numbers, punctuation.
const rowTokens = 16

// cost estimates the tokens of a row without its text.
func (row *Row) cost() int {
	n := rowTokens + vault.Tokens(row.Title) + vault.Tokens(row.Summary) + vault.Tokens(row.Passage)
	for _, s := range row.Ancestors {
		n += vault.Tokens(s.Title) + 1
	}
	return n
}

// pack decides which texts are given in full. Without a budget it gives all if Full is
// set, else none. With a budget it goes row by row, the best first: it gives the whole text
// if that fits, else the trigger phrase and passage. It drops the rows from the first one
// of which not even those fit.
func (r *run) pack() {
	rows, left := r.answer.Rows, r.q.Budget
	for i := range rows {
		row := &rows[i]
		if r.q.Budget == 0 {
			if !r.q.Full {
				row.Content = nil
			}
			continue
		}
		if left -= row.cost(); left < 0 {
			r.answer.Rows, r.answer.LeftOut = rows[:i], len(rows)-i
			return
		}
		if row.Tokens <= left {
			left -= row.Tokens
			continue
		}
		row.Content, row.More = nil, "cp memory show "+string(row.ID)
		if field.IsRecord(row.Type) {
			row.More = "cp shard show " + string(row.ID)
		}
	}
}

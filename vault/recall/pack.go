package recall

import "github.com/cp-memory/cp/vault"

// rowTokens is what a row costs beside its words: id, numbers, punctuation.
const rowTokens = 16

// cost estimates the tokens of a row without its text.
func (row *Row) cost() int {
	n := rowTokens + vault.Tokens(row.Title) + vault.Tokens(row.Summary) + vault.Tokens(row.Passage)
	for _, s := range row.Ancestors {
		n += vault.Tokens(s.Title) + 1
	}
	return n
}

// pack decides which texts are given in full. Without a budget: all with Full,
// else none. With one: row by row from the best, the whole text while it fits,
// else the trigger phrase and passage while they do; then it stops.
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
		if row.Type != vault.TypeMemory {
			row.More = "cp shard show " + string(row.ID)
		}
	}
}

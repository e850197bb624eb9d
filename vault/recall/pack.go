package recall

import (
	"cmp"
	"slices"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/family"
	"github.com/cp-memory/cp/vault/header"
	"github.com/cp-memory/cp/vault/tree"
)

// Form says how much of a memory an answer gives. Its zero value is what an answer without a
// budget gives.
type Form int

// The forms, the shortest first.
const (
	Whole   Form = iota // with its text where there is a Content
	Passage             // title, trigger phrase and passage
	Pointer             // one line: title and trigger phrase
	Bare                // the title alone
)

// BudgetLimit is how many memories an answer within a budget has unless the query says
// otherwise: a line of each costs little, and of 100 queries the memory that is meant is among
// the first twenty of 76, and among the first ten of 72.
const BudgetLimit = 20

// pack decides which texts are given in full. Without a budget it gives all if Full is
// set, else none.
func (r *run) pack() {
	if r.q.Budget > 0 {
		p := packer{rows: r.answer.Rows, forms: make([]Form, len(r.answer.Rows)), measure: r.q.Measure}
		if p.measure == nil {
			p.measure = estimate
		}
		p.frame = p.measure(nil)
		r.answer.Rows, r.answer.Next = p.pack(r.q.Budget)
		if r.answer.LeftOut = len(p.rows) - len(r.answer.Rows); len(r.answer.Rows) == 0 && len(p.rows) > 0 {
			r.answer.Least = p.frame + p.cost(0, Bare)
		}
		return
	}
	for i := range r.answer.Rows {
		if !r.q.Full {
			r.answer.Rows[i].Content = nil
		}
	}
}

// packer fills a budget. It gives a line of each memory first, the best first, then the
// passages in the same order, then the whole texts that are worth most for their tokens. So
// one long text never takes the place of others.
type packer struct {
	rows    []Row
	forms   []Form // of each row; absent where it is left out
	measure func([]Row) int
	frame   int // the tokens of an answer without rows
	left    int
	done    []step
}

// absent is the form of a row that is left out.
const absent = Bare + 1

// step is a row that got another form, and the form it had.
type step struct {
	row int
	was Form
}

// pack returns the rows in their forms, and the number of the first one that is left out.
// What a row costs is measured by itself; the whole is measured at last, and what was given
// last is taken back as long as it is too much.
func (p *packer) pack(budget int) (rows []Row, next int) {
	p.left = budget - p.frame
	for i := range p.rows {
		p.forms[i] = absent
		if !p.changeForm(i, Pointer) && !p.changeForm(i, Bare) && (len(p.done) == 0 || p.cost(i, Bare) > budget/4) {
			p.cutTitle(i, budget/4)
			p.changeForm(i, Bare)
		}
	}
	for i := range p.rows {
		if p.forms[i] == Pointer {
			p.changeForm(i, Passage)
		}
	}
	for _, i := range p.worth() {
		p.changeForm(i, Whole)
	}
	for rows = p.listKeptRows(); len(p.done) > 0 && p.measure(rows) > budget; rows = p.listKeptRows() {
		last := p.done[len(p.done)-1]
		p.done, p.forms[last.row] = p.done[:len(p.done)-1], last.was
	}
	next = slices.Index(p.forms, absent)
	if next < 0 {
		next = len(p.rows)
	}
	return rows, next
}

// cutTitle cuts the title of a row, so that it costs at most so many tokens, and where it is the first
// all that are left.
func (p *packer) cutTitle(i, most int) {
	if len(p.done) == 0 {
		most = p.left
	}
	row := &p.rows[i]
	row.Title, _ = tree.BriefLine(row.Title, "", func(title, _ string) bool {
		row.Title = title
		return p.cost(i, Bare) <= most
	})
}

// changeForm gives a row another form if it fits.
func (p *packer) changeForm(i int, form Form) bool {
	more := p.cost(i, form) - p.cost(i, p.forms[i])
	if more > p.left {
		return false
	}
	p.left -= more
	p.done = append(p.done, step{i, p.forms[i]})
	p.forms[i] = form
	return true
}

// worth returns the rows whose texts may be given, those first that are worth most for what
// the text costs.
func (p *packer) worth() (all []int) {
	value := make(map[int]float64)
	for i := range p.rows {
		if p.rows[i].Content != nil && p.forms[i] != absent && p.forms[i] != Bare {
			all = append(all, i)
			value[i] = p.rows[i].Similarity / float64(max(p.cost(i, Whole)-p.cost(i, p.forms[i]), 1))
		}
	}
	slices.SortStableFunc(all, func(a, b int) int { return cmp.Compare(value[b], value[a]) })
	return all
}

// cost returns the tokens of a row in a form.
func (p *packer) cost(i int, form Form) int {
	if form == absent {
		return 0
	}
	return p.measure([]Row{p.rows[i].inForm(form)}) - p.frame
}

// listKeptRows returns the rows that are not left out.
func (p *packer) listKeptRows() []Row {
	rows := make([]Row, 0, len(p.rows))
	for i := range p.rows {
		if p.forms[i] != absent {
			rows = append(rows, p.rows[i].inForm(p.forms[i]))
		}
	}
	return rows
}

// inForm returns the row in a form. A passage is no news beside the whole text, and an explanation
// comes after a line of each.
func (row Row) inForm(form Form) Row {
	if row.Form = form; form == Pointer || form == Bare {
		row.Explain = nil
	}
	switch {
	case form == Whole && row.Content != nil:
		row.Passage = ""
		return row
	case form == Bare:
		row.Summary, row.Ending = "", Ending{Replaced: row.Replaced, Resolved: row.Resolved} // when is short
	case form == Passage && header.IsRecord(row.Type):
		row.More = "cp shard show " + string(row.ID)
	case form == Passage:
		row.More = "cp memory show " + string(row.ID)
	}
	row.Content = nil
	return row
}

// rowTokens are the tokens of a row beside its words: id, numbers, punctuation.
const rowTokens = 16

// estimate estimates the tokens of rows of which it is not known how they are printed.
func estimate(rows []Row) (n int) {
	for i := range rows {
		row := &rows[i]
		n += rowTokens + vault.Tokens(row.Title) + vault.Tokens(row.Summary)
		if row.Form == Pointer || row.Form == Bare {
			continue
		}
		n += vault.Tokens(row.Passage)
		for _, s := range row.Ancestors {
			n += vault.Tokens(s.Title) + 1
		}
		if row.Content != nil {
			n += vault.Tokens(*row.Content)
		}
	}
	return n
}

// Line is a row as a program gets it within a budget: without what can be asked for by its id.
type Line struct {
	ID         vault.ID   `json:"id"`
	Title      string     `json:"title"`
	Similarity float64    `json:"similarity"`
	Type       string     `json:"type,omitempty"`   // other than memory
	Status     string     `json:"status,omitempty"` // other than open
	Summary    string     `json:"summary,omitempty"`
	Passage    string     `json:"passage,omitempty"`
	Tokens     int        `json:"tokens,omitempty"` // of the whole text
	Content    *string    `json:"content,omitempty"`
	More       string     `json:"more,omitempty"` // the command that gives the text, where a passage stands for it
	Path       vault.Path `json:"path,omitempty"` // where the id is a stand-in
	Superseded vault.ID   `json:"superseded_by,omitempty"`
	Ending
	Explain *Explain `json:"explain,omitempty"`
	family.Origin
}

// Lines returns what a program gets of rows within a budget.
func Lines(rows []Row) []any {
	all := make([]any, len(rows))
	for i := range rows {
		all[i] = rows[i].formLine()
	}
	return all
}

// formLine returns what the row says in its form.
func (row *Row) formLine() Line {
	l := Line{ID: row.ID, Title: row.Title, Similarity: row.Similarity, Summary: row.Summary, Superseded: row.Superseded, Ending: row.Ending, Explain: row.Explain, Origin: row.Origin}
	if row.Type != vault.TypeMemory {
		l.Type = row.Type
	}
	if row.Status != vault.StatusOpen {
		l.Status = row.Status
	}
	if row.Form == Passage || row.Form == Whole {
		l.Passage, l.Tokens, l.Content, l.More = row.Passage, row.Tokens, row.Content, row.More
	}
	if row.New {
		l.Path = row.Path
	}
	return l
}

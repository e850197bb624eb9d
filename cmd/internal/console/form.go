package console

import (
	"cmp"

	"github.com/cp-memory/cp/cmd/internal/render"
)

// Form says how a command answers and whom it asks. The command line fills it, and nobody
// changes it.
type Form struct {
	Output  string // text, json, yaml or jsonl; empty means text
	Limit   int    // rows of a list; 0 means the command's own default
	All     bool   // all rows of a list
	Debug   bool   // tell on stderr why things are as they are
	NoInput bool   // never ask; the answer is no
}

// unlimited is the number of rows that no list reaches.
const unlimited = 1 << 30

// Rows is the number of rows asked for; 0 means that nobody said.
func (f Form) Rows() int {
	if f.All {
		return unlimited
	}
	return f.Limit
}

// As returns the console that answers in a format.
func (f Console) As(format render.Format) Console {
	form := *f.Form
	form.Output = string(format)
	f.Form = &form
	return f
}

// Limit is the number of rows of a list.
func (f Console) Limit() int { return cmp.Or(f.Form.Rows(), DefaultLimit) }

// Page is the number of rows of a list whose JSON is whole unless rows are asked for; 0 is all.
func (f Console) Page() int {
	if f.AsText() {
		return f.Limit()
	}
	return f.Form.Rows()
}

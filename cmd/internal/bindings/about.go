package bindings

import (
	"cmp"
	"context"
	"slices"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/about"
	"github.com/cp-memory/cp/vault/tree"
)

// Question asks what is known of a file of the code.
type Question struct {
	Path    string // as it is typed; lines may follow
	Explain bool   // also what did not match, and why
	Limit   int    // of the memories; 0 is 20
	Budget  int    // tokens of the answer at the most; 0 is unlimited
}

// Known is a memory about a file.
type Known struct {
	tree.ListRow
	Match string `json:"match"` // lines, symbol, file, folder, glob, commit, finding or mentions
	At    string `json:"at,omitempty"`
	Now   string `json:"now,omitempty"`   // where that stands now, if elsewhere
	Apart bool   `json:"apart,omitempty"` // it is about the file, and not about the lines that were asked for
	Hash  string `json:"-"`               // of the memory's file
}

// Answer is what is known of a file.
type Answer struct {
	Path     string   `json:"path"`
	Memories []Known  `json:"memories"`
	More     int      `json:"more"`
	Explain  []string `json:"explain,omitempty"`
}

// The matches, the narrowest first.
const (
	Lines = iota
	Symbol
	File
	Folder
	Glob
	Commit
	Finding
	Mentions
)

// matches are their names.
var matches = [...]string{"lines", "symbol", "file", "folder", "glob", "commit", "finding", "mentions"}

// found is a memory that a question has found.
type found struct {
	path   vault.Path
	match  int
	at     string
	meets  bool // it has the lines that are asked for
	apart  bool // it has other lines of the file
	hidden bool
}

const aboutLimit = 20

// About returns what is known of a file: what is about its lines, the file, its folders; then entries whose commits
// changed it, and findings; and where these are few, memories that name it.
func (r Room) About(ctx context.Context, q Question) (a Answer, err error) {
	asked, err := r.Binding(q.Path)
	if err != nil {
		return a, err
	}
	a = Answer{Path: asked.Path, Memories: []Known{}}
	if _, err := r.CatchUp(ctx, vault.Scope{}); err != nil {
		return a, err
	}
	all, err := r.findBound(ctx, asked)
	if err != nil {
		return a, err
	}
	if err := r.addWeaker(ctx, asked, &all); err != nil {
		return a, err
	}
	known, err := r.makeKnown(ctx, all)
	if err != nil {
		return a, err
	}
	if q.Explain {
		a.Explain = r.explain(ctx, asked, known)
	}
	limit := cmp.Or(q.Limit, aboutLimit)
	a.Memories = append(a.Memories, known[:min(limit, len(known))]...)
	for q.Budget > 0 && len(a.Memories) > 1 && cost(a.Memories) > q.Budget {
		a.Memories = a.Memories[:len(a.Memories)-1]
	}
	a.More = len(known) - len(a.Memories)
	return a, nil
}

// cost estimates the tokens of rows.
func cost(rows []Known) (n int) {
	for _, k := range rows {
		n += vault.PointerCost + vault.Tokens(k.Title+" "+k.Summary)
	}
	return n
}

// findBound returns the memories that are bound to a file, one for each, by its narrowest binding.
func (r Room) findBound(ctx context.Context, asked about.Binding) ([]found, error) {
	rows, err := r.Bindings.OfFile(ctx, asked.Path)
	if err != nil {
		return nil, err
	}
	now := make(map[place]string)
	if asked.From > 0 {
		if now, err = r.placesNow(ctx, rows); err != nil {
			return nil, err
		}
	}
	at := make(map[vault.Path]int)
	var all []found
	for _, row := range rows {
		f := found{path: row.File, hidden: row.Hidden, at: row.Text}
		b, err := about.Parse(row.Text)
		if err != nil {
			continue
		}
		f.match = matchOf(b)
		if row.Finding {
			f.match = Finding
		}
		if moved, err := about.Parse(now[place{row.ID, row.Text}]); err == nil {
			b = moved
		}
		if b.Symbol != "" && asked.From > 0 {
			b.From, b.To = r.symbolLines(b)
		}
		if asked.From > 0 && b.From > 0 {
			f.meets = b.Meets(asked)
			f.apart = !f.meets
		}
		i, ok := at[row.File]
		if !ok {
			at[row.File] = len(all)
			all = append(all, f)
		} else if f.before(all[i]) {
			all[i] = f
		}
	}
	return all, err
}

// place is a binding of a memory.
type place struct {
	id vault.ID
	at string
}

// placesNow says of bindings whose code stands elsewhere now where that is.
func (r Room) placesNow(ctx context.Context, rows []about.Row) (map[place]string, error) {
	states, err := r.StatesOf(ctx, rows)
	now := make(map[place]string)
	for id, c := range states {
		for _, b := range c.Bindings {
			now[place{id, b.At}] = b.Now
		}
	}
	return now, err
}

func matchOf(b about.Binding) int {
	switch {
	case b.Glob:
		return Glob
	case b.IsFolder():
		return Folder
	case b.Symbol != "":
		return Symbol
	case b.HasRange():
		return Lines
	}
	return File
}

// before reports whether one find is nearer to the question than another.
func (f found) before(g found) bool {
	if f.meets != g.meets {
		return f.meets
	}
	return f.match < g.match
}

// symbolLines returns the lines of a symbol in the work tree; 0 where it is not found.
func (r Room) symbolLines(b about.Binding) (from, to int) {
	judge, err := r.Judge()
	if err != nil || judge.Code.Files == nil {
		return 0, 0
	}
	text, err := judge.Code.Files.Read(b.Path)
	if err != nil {
		return 0, 0
	}
	if from, to, err = about.FindSymbol(b.Path, about.SplitLines(text), b.Symbol); err != nil {
		return 0, 0
	}
	return from, to
}

func bindingsOf(c *vault.CodeState) []vault.BindingState {
	if c == nil {
		return nil
	}
	return c.Bindings
}

// makeKnown makes the rows of what was found, in their order.
func (r Room) makeKnown(ctx context.Context, all []found) (out []Known, err error) {
	at := make(map[vault.Path]found, len(all))
	paths := make([]vault.Path, 0, len(all))
	for _, f := range all {
		at[f.path] = f
		paths = append(paths, f.path)
	}
	rows, hashes, err := tree.RowsAt(ctx, r.Vault, paths)
	for i, row := range rows {
		f := at[row.Path]
		k := Known{ListRow: row, Match: matches[f.match], At: f.at, Apart: f.apart, Hash: hashes[i]}
		for _, b := range bindingsOf(row.Mark.Code) {
			if b.At == f.at {
				k.Now = b.Now
			}
		}
		out = append(out, k)
	}
	slices.SortStableFunc(out, func(a, b Known) int {
		f, g := at[a.Path], at[b.Path]
		switch {
		case f.before(g):
			return -1
		case g.before(f):
			return 1
		}
		return cmp.Or(b.Created.Compare(a.Created), cmp.Compare(a.Path, b.Path))
	})
	return out, err
}

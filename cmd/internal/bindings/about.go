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
	known, err := r.makeKnown(ctx, asked, all)
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

// findBound returns the memories that are bound to a file, one for each.
func (r Room) findBound(ctx context.Context, asked about.Binding) ([]found, error) {
	rows, err := r.Bindings.OfFile(ctx, asked.Path)
	at := make(map[vault.Path]int)
	var all []found
	for _, row := range rows {
		if _, err := about.Parse(row.Text); err != nil {
			continue
		}
		i, ok := at[row.File]
		if !ok {
			i = len(all)
			at[row.File] = i
			all = append(all, found{path: row.File, hidden: row.Hidden})
		}
		all[i].rows = append(all[i].rows, row)
	}
	return all, err
}

// makeKnown makes the rows of what was found, in their order.
func (r Room) makeKnown(ctx context.Context, asked about.Binding, all []found) (out []Known, err error) {
	at := make(map[vault.Path]found, len(all))
	paths := make([]vault.Path, 0, len(all))
	for _, f := range all {
		at[f.path] = f
		paths = append(paths, f.path)
	}
	rows, hashes, err := tree.RowsAt(ctx, r.Vault, paths)
	lines := r.fileLines(asked.Path)
	for i, row := range rows {
		f := at[row.Path].nearest(asked, row.Mark.Code, lines)
		at[row.Path] = f
		out = append(out, Known{ListRow: row, Match: matches[f.match], At: f.at, Now: f.now, Apart: f.apart, Hash: hashes[i]})
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

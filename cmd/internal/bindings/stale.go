package bindings

import (
	"context"
	"slices"
	"strings"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/about"
	"github.com/cp-memory/cp/vault/tree"
)

// Stale asks which memories are about code that has changed.
type Stale struct {
	Under string // only below this memory, or in this folder
	State string // those with bindings in this state, and not the loud ones
	At    string // judged by this revision, and not by the work tree
	Diff  bool   // with the lines that have changed
	Limit int    // of the memories; 0 is all
}

// StaleMemory is a memory with the bindings that are asked for.
type StaleMemory struct {
	tree.ListRow
	Reads int      `json:"reads"`
	Diff  []string `json:"diff,omitempty"` // lines with - and + before them
}

// StaleAnswer tells of all bindings, and which memories are meant.
type StaleAnswer struct {
	Counts   map[string]int `json:"counts"` // of the bindings by state
	Memories []StaleMemory  `json:"memories"`
	More     int            `json:"more,omitempty"`
}

// IsLoud reports whether there are any.
func (a StaleAnswer) IsLoud() bool { return len(a.Memories) > 0 }

// Stale returns the memories about code that has changed, the most read first.
func (r Room) Stale(ctx context.Context, o Stale) (a StaleAnswer, err error) {
	a = StaleAnswer{Counts: map[string]int{}, Memories: []StaleMemory{}}
	if o.State != "" && !slices.Contains(vault.CodeStates, o.State) {
		return a, vault.Errorf(vault.CodeInvalid, "the states are "+strings.Join(vault.CodeStates, ", "), "'%s' is no state", vault.Clip(o.State, 40))
	}
	if _, err := r.CatchUp(ctx, vault.Scope{}); err != nil {
		return a, err
	}
	rows, err := r.Bindings.AllBindings(ctx)
	if err != nil {
		return a, err
	}
	judge, err := r.judgeAt(ctx, o.At)
	if err != nil {
		return a, err
	}
	states, err := judge.StatesOf(ctx, rows)
	if err != nil {
		return a, err
	}
	meant := make(map[vault.Path]*vault.CodeState)
	for _, row := range rows {
		if c := states[row.ID]; isMeant(c, o.State) {
			meant[row.File] = c
		}
	}
	for _, c := range states {
		for _, b := range c.Bindings {
			a.Counts[b.State]++
		}
	}
	if meant, err = r.keepBelow(ctx, meant, o.Under); err != nil {
		return a, err
	}
	if a.Memories, err = r.staleRows(ctx, meant); err != nil {
		return a, err
	}
	if o.Limit > 0 && len(a.Memories) > o.Limit {
		a.More, a.Memories = len(a.Memories)-o.Limit, a.Memories[:o.Limit]
	}
	if o.Diff {
		r.addDiffs(ctx, judge, rows, a.Memories)
	}
	return a, nil
}

// isMeant reports whether a memory is loud, or has a binding in the state.
func isMeant(c *vault.CodeState, state string) bool {
	if state == "" {
		return c.IsLoud()
	}
	return slices.ContainsFunc(c.Bindings, func(b vault.BindingState) bool { return b.State == state })
}

// judgeAt returns a judge by the work tree, or by a revision.
func (r Room) judgeAt(ctx context.Context, revision string) (*about.Judge, error) {
	judge, err := r.Judge()
	if err != nil || revision == "" {
		return judge, err
	}
	if judge.Code.Past == nil {
		return nil, vault.Errorf(vault.CodeNoGit, "run the command in the repository of the code", "there is no code repository here")
	}
	commit, err := r.CodeCommit(ctx, revision)
	if err != nil {
		return nil, err
	}
	return &about.Judge{Code: about.AtCommit(judge.Code, commit)}, nil
}

// keepBelow keeps the files that lie below a memory or in a folder.
func (r Room) keepBelow(ctx context.Context, meant map[vault.Path]*vault.CodeState, under string) (map[vault.Path]*vault.CodeState, error) {
	if under == "" {
		return meant, nil
	}
	n, dir, err := r.PlaceBelow(ctx, under)
	if err != nil {
		return nil, err
	}
	if n.ID != "" {
		dir = n.Folder()
	}
	for p := range meant {
		if dir != "" && !p.Within(dir) {
			delete(meant, p)
		}
	}
	return meant, nil
}

// staleRows makes the rows, the most read first.
func (r Room) staleRows(ctx context.Context, meant map[vault.Path]*vault.CodeState) ([]StaleMemory, error) {
	out := []StaleMemory{}
	if len(meant) == 0 {
		return out, nil
	}
	paths := make([]vault.Path, 0, len(meant))
	for p := range meant {
		paths = append(paths, p)
	}
	slices.Sort(paths)
	rows, _, err := tree.RowsAt(ctx, r.Vault, paths)
	if err != nil {
		return nil, err
	}
	ids := make([]vault.ID, len(rows))
	for i := range rows {
		ids[i] = rows[i].ID
	}
	reads, err := r.Vault.Usage.Reads(ctx, ids)
	for _, row := range rows {
		row.Mark.Code = meant[row.Path]
		out = append(out, StaleMemory{ListRow: row, Reads: reads[row.ID].Count})
	}
	slices.SortStableFunc(out, func(a, b StaleMemory) int { return b.Reads - a.Reads })
	return out, err
}

// mostDiff bounds the lines that are shown of one memory, and mostSide those of each side of a change that has two.
const mostDiff, mostSide = 12, 6

// addDiffs shows what has changed under each memory.
func (r Room) addDiffs(ctx context.Context, judge *about.Judge, rows []about.Row, memories []StaleMemory) {
	for i := range memories {
		memories[i].Diff = diffUnder(ctx, judge, rows, memories[i].ID)
	}
}

// diffUnder returns the lines that have changed under a memory, and says where it leaves some out.
func diffUnder(ctx context.Context, judge *about.Judge, rows []about.Row, id vault.ID) (diff []string) {
	for _, row := range rows {
		if row.ID == id {
			diff = append(diff, judge.DiffBinding(ctx, row.Bound, mostSide)...)
		}
	}
	return about.CutLines(diff, mostDiff)
}

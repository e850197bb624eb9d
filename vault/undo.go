package vault

import (
	"context"
	"fmt"
	"strings"
	"time"
)

// Undo takes back whole operations: the newest of the vault's history, whoever
// made them, that are not undone yet.
type Undo struct {
	Count int    // how many; 0 means 1
	Op    string // this one instead (LogRow.Op or a commit); an undo can be undone so
}

// UndoRow is an operation that is taken back, or would be.
type UndoRow struct {
	Op      string    `json:"op"`
	Commit  string    `json:"commit"` // that made it
	Verb    string    `json:"verb"`
	ID      ID        `json:"id,omitempty"`
	Subject string    `json:"subject"`
	Time    time.Time `json:"time"`
	Agent   string    `json:"agent,omitempty"`
	Files   []string  `json:"files"`            // what happens to each: "remove x.md", "bring back …", "move …", "change …"
	Undone  string    `json:"undone,omitempty"` // the commit that took it back; empty in a plan
}

// PlanUndo tells what Undo would do, the first to go first. The error is
// CodeConflict where it would lose later work.
func (v *Vault) PlanUndo(ctx context.Context, o Undo) ([]UndoRow, error) {
	revs, err := v.undoable(ctx, o)
	if err != nil {
		return nil, err
	}
	return v.planUndos(ctx, revs)
}

// planUndos plans to take back each operation, on what those before it will leave.
func (v *Vault) planUndos(ctx context.Context, revs []Revision) ([]UndoRow, error) {
	rows := []UndoRow{}
	after := overlay{}
	err := v.View(ctx, Scope{}, func(Tree) error {
		for _, r := range revs {
			row, _, err := v.planUndo(ctx, r, after)
			if err != nil {
				return err
			}
			rows = append(rows, row)
		}
		return nil
	})
	return rows, err
}

// Undo takes operations back, the newest first, each by a commit of its own. It
// plans them all before it begins; later work is never lost.
func (v *Vault) Undo(ctx context.Context, o Undo) ([]UndoRow, error) {
	revs, err := v.undoable(ctx, o)
	if err != nil {
		return nil, err
	}
	if _, err := v.planUndos(ctx, revs); err != nil {
		return nil, err
	}
	done := []UndoRow{}
	for _, r := range revs {
		var row UndoRow
		receipt, err := v.Update(ctx, "undo", Scope{}, func(ctx context.Context, _ Tree) (c *Change, err error) {
			row, c, err = v.planUndo(ctx, r, overlay{})
			return c, err
		})
		if err != nil {
			return done, err
		}
		row.Undone = receipt.Commit
		done = append(done, row)
	}
	return done, nil
}

// undoable finds the operations to take back.
func (v *Vault) undoable(ctx context.Context, o Undo) ([]Revision, error) {
	a, err := v.past()
	if err != nil {
		return nil, err
	}
	want := max(o.Count, 1)
	if o.Op != "" {
		want = 1
	}
	var found []Revision
	undone := map[string]bool{}
	err = a.Log(ctx, LogQuery{}, func(r Revision) bool {
		switch {
		case r.Op == "" || undone[r.Op]:
		case o.Op != "":
			if r.Op == o.Op || len(o.Op) >= 7 && strings.HasPrefix(r.Commit, o.Op) {
				found = append(found, r)
			}
		case r.Undoes != "":
			undone[r.Undoes] = true
		default:
			found = append(found, r)
		}
		return len(found) < want
	})
	if err == nil && len(found) < want {
		err = missingOps(o, found)
	}
	return found, err
}

// missingOps is the error for operations that are not there to be undone.
func missingOps(o Undo, found []Revision) error {
	if o.Op != "" {
		return Errorf(CodeNotFound, "`cp memory log` lists what was done; `git revert` takes back what was committed with other tools",
			"%s is no commit of this program", Clip(o.Op, 60))
	}
	n := 0
	for _, r := range found {
		if r.Verb != "init" {
			n++
		}
	}
	if n == 0 {
		return Errorf(CodeNotFound, "`cp memory log` lists what was done", "there is nothing to undo")
	}
	return Errorf(CodeNotFound, fmt.Sprintf("see what that would do: cp memory undo %d --dry-run", n),
		"only %s can be undone, not %d", Plural(n, "operation", "operations"), o.Count)
}

// overlay is what files will say once the undos planned before are made; nil is gone.
type overlay map[Path][]byte

// planUndo returns what takes one operation back.
func (v *Vault) planUndo(ctx context.Context, r Revision, after overlay) (UndoRow, *Change, error) {
	row := UndoRow{Op: r.Op, Commit: r.Commit, Verb: r.Verb, ID: r.ID, Subject: r.Subject, Time: r.Time, Agent: r.Agent, Files: []string{}}
	switch r.Verb {
	case "init", "pull", "merge":
		return row, nil, Errorf(CodeInvalid, "what was done before it can: `cp memory log` names it, for `cp memory undo --op COMMIT`; git can take back this one, too: git revert, with -m 1 for a merge",
			"the %s of %s cannot be undone", r.Verb, short(r.Commit))
	}
	u, err := v.undoing(ctx, r, after)
	if err != nil {
		return row, nil, err
	}
	touched, err := v.Archive.Touched(ctx, u.before, r.Commit)
	if err != nil {
		return row, nil, err
	}
	if err := u.load(ctx, touched); err != nil {
		return row, nil, err
	}
	c := &Change{Verb: "undo", AllowSecret: true, ID: r.ID, Title: u.title(ctx, touched), Undoes: r.Op, Note: "Takes back " + short(r.Commit) + ": " + r.Subject}
	for _, touch := range touched {
		if err := u.revert(ctx, touch, c, &row); err != nil {
			return row, nil, err
		}
	}
	if len(touched) == 0 {
		return row, nil, Errorf(CodeNotFound, "`cp memory log` lists what was done", "%s changed no memory", short(r.Commit))
	}
	return row, c, nil
}

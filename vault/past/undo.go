package past

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/cp-memory/cp/vault"
)

// Undo takes operations back by one commit, all or none, even if something changes
// meanwhile. Later work is never lost.
type Undo struct {
	Count int    // how many; 0 means 1
	Op    string // this one instead (LogRow.Op or a commit); an undo can be undone so
}

// UndoRow is an operation that is taken back, or would be.
type UndoRow struct {
	Op      string    `json:"op"`
	Commit  string    `json:"commit"` // that made it
	Verb    string    `json:"verb"`
	ID      vault.ID  `json:"id,omitempty"`
	Subject string    `json:"subject"`
	Time    time.Time `json:"time"`
	Agent   string    `json:"agent,omitempty"`
	Files   []string  `json:"files"`            // what happens to each: "remove x.md", "bring back …", "move …", "change …"
	Undone  string    `json:"undone,omitempty"` // the commit that took it back; empty in a plan
}

// PlanUndo tells what Undo would do, the first to go first. The error is
// CodeConflict where it would lose later work.
func (h *History) PlanUndo(ctx context.Context, o Undo) ([]UndoRow, error) {
	return vault.Preview(ctx, h.Vault, undo{h, o})
}

// Undo takes operations back, all of them by one commit: it is made whole or not
// at all, whatever happens meanwhile. Later work is never lost.
func (h *History) Undo(ctx context.Context, o Undo) ([]UndoRow, error) {
	rows, receipt, err := vault.Do(ctx, h.Vault, undo{h, o}, vault.Options{})
	if err != nil {
		return nil, err
	}
	for i := range rows {
		rows[i].Undone = receipt.Commit
	}
	return rows, nil
}

// undo is Undo as a verb: what it takes back stands in the history.
type undo struct {
	h *History
	o Undo
}

// Name is the verb's.
func (u undo) Name() string { return "undo" }

// Plan takes the operations back.
func (u undo) Plan(ctx context.Context, tx *vault.Tx) ([]UndoRow, error) {
	if _, err := tx.CatchUp(ctx, vault.Scope{}); err != nil {
		return nil, err
	}
	rows, c, err := u.h.planUndo(ctx, tx, u.o)
	if err == nil {
		tx.Take(c)
	}
	return rows, err
}

// planUndo plans to take each operation back, on what those before it will leave.
func (h *History) planUndo(ctx context.Context, tx *vault.Tx, o Undo) (rows []UndoRow, c *vault.Change, err error) {
	revs, err := h.undoable(ctx, o)
	if err != nil {
		return nil, nil, err
	}
	c = &vault.Change{AllowSecret: true}
	after, through := overlay{}, passages{}
	for _, r := range revs {
		row, err := h.takeBack(ctx, tx, r, after, through, c)
		if err != nil {
			return nil, nil, err
		}
		rows = append(rows, row)
	}
	if err := h.addSections(through, c); err != nil {
		return nil, nil, err
	}
	if len(revs) > 1 {
		c.ID, c.Title = "", vault.Plural(len(revs), "operation", "operations")
	}
	return rows, c, h.dropIneffective(ctx, tx, c, after)
}

// undoable finds the operations to take back.
func (h *History) undoable(ctx context.Context, o Undo) ([]vault.Revision, error) {
	a, err := h.past()
	if err != nil {
		return nil, err
	}
	want := max(o.Count, 1)
	if o.Op != "" {
		want = 1
	}
	var found []vault.Revision
	undone := map[string]bool{}
	err = a.Log(ctx, LogQuery{}, func(r vault.Revision) bool {
		switch {
		case r.Op == "" || undone[r.Op]:
		case o.Op != "":
			if r.Op == o.Op || len(o.Op) >= 7 && strings.HasPrefix(r.Commit, o.Op) {
				found = append(found, r)
			}
		case len(r.Undoes) > 0:
			for _, op := range r.Undoes {
				undone[op] = true
			}
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
func missingOps(o Undo, found []vault.Revision) error {
	if o.Op != "" {
		return vault.Errorf(vault.CodeNotFound, "`cp memory log` lists what was done; `git revert` takes back what was committed with other tools",
			"%s is no commit of this program", vault.Clip(o.Op, 60))
	}
	n := 0
	for _, r := range found {
		if r.Verb != "init" {
			n++
		}
	}
	if n == 0 {
		return vault.Errorf(vault.CodeNotFound, "`cp memory log` lists what was done", "there is nothing to undo")
	}
	return vault.Errorf(vault.CodeNotFound, fmt.Sprintf("see what that would do: cp memory undo %d --dry-run", n),
		"only %s can be undone, not %d", vault.Plural(n, "operation", "operations"), o.Count)
}

// takeBack adds to a change what takes one operation back.
func (h *History) takeBack(ctx context.Context, tx *vault.Tx, r vault.Revision, after overlay, through passages, c *vault.Change) (UndoRow, error) {
	row := UndoRow{Op: r.Op, Commit: r.Commit, Verb: r.Verb, ID: r.ID, Subject: r.Subject, Time: r.Time, Agent: r.Agent, Files: []string{}}
	switch r.Verb {
	case "init", "pull", "merge":
		return row, vault.Errorf(vault.CodeInvalid, "what was done before it can: `cp memory log` names it, for `cp memory undo --op COMMIT`; git can take back this one, too: git revert, with -m 1 for a merge",
			"the %s of %s cannot be undone", r.Verb, vault.Short(r.Commit))
	}
	u, err := h.undoing(ctx, tx, r, after)
	if err != nil {
		return row, err
	}
	u.through = through
	touched, err := h.Archive.ListTouched(ctx, u.before, r.Commit)
	if err != nil {
		return row, err
	}
	if err := u.readTouched(ctx, touched); err != nil {
		return row, err
	}
	touched = u.pairMoves(touched)
	c.ID, c.Title = r.ID, u.operationTitle(ctx, touched)
	c.Undoes = append(c.Undoes, r.Op)
	c.Note += "Takes back " + vault.Short(r.Commit) + ": " + r.Subject + "\n"
	for _, touch := range touched {
		if err := u.revert(ctx, touch, c, &row); err != nil {
			return row, err
		}
	}
	if err := u.markBack(ctx, c, &row); err != nil {
		return row, err
	}
	if len(touched) == 0 {
		return row, vault.Errorf(vault.CodeNotFound, "`cp memory log` lists what was done", "%s changed no memory", vault.Short(r.Commit))
	}
	return row, nil
}

package past

import (
	"bytes"
	"context"
	"regexp"
	"slices"
	"strings"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/header"
)

// The marker says of a vault from which the ids were taken that sync is not to put them in again:
//
//	adopt: ejected
const (
	adoptKey     = "adopt"
	adoptEjected = "ejected"
)

// mark plans that the vault's marker says so, where HEAD has the marker.
func (r *ejection) mark(ctx context.Context) error {
	text, held, err := r.tx.ReadCommitted(ctx, vault.MarkerFile)
	if err != nil || !held {
		return err
	}
	step := vault.Step{Op: vault.OpSetSetting, Key: adoptKey, Value: adoptEjected}
	r.out.Marked = true
	if next, err := step.Apply(text); err != nil || bytes.Equal(next, text) {
		return err
	}
	r.edits = append(r.edits, vault.Edit{Path: vault.MarkerFile, Steps: []vault.Step{step}})
	return nil
}

// findNamed finds the ids that go in what stays of the files.
func (r *ejection) findNamed() {
	if len(r.gone) == 0 {
		return
	}
	ids := regexp.MustCompile(regexp.QuoteMeta(r.tx.Prefix()) + "-[" + header.Alphabet + "]+")
	for _, t := range r.texts {
		row := NamedRow{Path: t.path}
		for _, word := range ids.FindAll(t.text, -1) {
			if id := vault.ID(word); r.gone[id] && !slices.Contains(row.IDs, id) {
				row.IDs = append(row.IDs, id)
			}
		}
		if len(row.IDs) > 0 {
			r.out.Named = append(r.out.Named, row)
		}
	}
}

// markBack adds the edit that gives the marker the words on adoption that it had before an eject,
// or before the undo of one. What else was changed in it since stays.
func (u *undoing) markBack(ctx context.Context, c *vault.Change, row *UndoRow) error {
	if u.rev.Verb != (eject{}).Name() && len(u.rev.Undoes) == 0 {
		return nil
	}
	was, err := u.adoptLine(ctx, u.before)
	if err != nil {
		return err
	}
	is, err := u.adoptLine(ctx, u.rev.Commit)
	if err != nil || was == is {
		return err
	}
	row.Files = append(row.Files, "change "+string(vault.MarkerFile))
	step := vault.Step{Op: vault.OpTakeOut, List: []string{is}, Value: was}
	if is == "" {
		step = vault.Step{Op: vault.OpSetSetting, Key: adoptKey, Value: adoptEjected}
	}
	c.Edits = append(c.Edits, vault.Edit{Path: vault.MarkerFile, Steps: []vault.Step{step}})
	return nil
}

// adoptLine returns the marker's line on adoption in a commit; "" for none.
func (u *undoing) adoptLine(ctx context.Context, commit string) (string, error) {
	text, err := u.readTextAt(ctx, commit, vault.MarkerFile)
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, adoptKey+":") {
			return line, err
		}
	}
	return "", ignoreNotFound(err)
}

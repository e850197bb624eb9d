package vault

import (
	"context"
	"strconv"
)

// A vault whose settings say so gets its new pointer blocks hidden (see package pointer).
// Programs that know only format 1 would not see such blocks. So the first commit that
// could make one raises the format in the vault's marker, too: they then refuse the vault.

// MarkerFile is the file that makes a folder a vault.
const MarkerFile Path = ".cp/vault.yaml"

// The formats of a vault.
const (
	FormatPlain  = 1
	FormatHidden = 2 // pointer blocks may be hidden
)

// Hidden reports whether new pointer blocks are to be hidden.
func (tx *Tx) Hidden() bool { return tx.v.Hidden }

// styled says in the steps on pointers in which style they make a block.
func (tx *Tx) styled(steps []Step) {
	for i := range steps {
		switch steps[i].Op {
		case OpAddPointer, OpSetPointer, OpSetBlock:
			steps[i].Hidden = tx.v.Hidden
		}
	}
}

// raise adds the edit of the marker to a change of a vault with hidden blocks, if HEAD
// says another format still. It changes that line alone: what else a person has typed
// there stays uncommitted.
func (tx *Tx) raise(ctx context.Context, c *Change) error {
	if !tx.v.Hidden || c.Empty() {
		return nil
	}
	step := Step{Op: OpSetSetting, Key: "format", Value: strconv.Itoa(FormatHidden)}
	text, held, err := tx.Committed(ctx, MarkerFile)
	if err == nil && held && !step.Done(text) {
		c.Edits = append(c.Edits, Edit{Path: MarkerFile, Steps: []Step{step}})
	}
	return err
}

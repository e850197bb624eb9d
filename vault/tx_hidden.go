package vault

import (
	"bytes"
	"context"
	"slices"
	"strconv"
	"strings"
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
	FormatQuiet  = 3 // parents may keep no pointers: `pointers: none`
	FormatAbout  = 4 // memories may be about code: `about`, which an older program would merge as one text
)

// HidesPointers reports whether new pointer blocks are to be hidden.
func (tx *Tx) HidesPointers() bool { return tx.v.Hidden }

// setBlockStyle says in the steps on pointers in which style they make a block.
func (tx *Tx) setBlockStyle(steps []Step) {
	for i := range steps {
		switch steps[i].Op {
		case OpAddPointer, OpSetPointer, OpSetBlock:
			steps[i].Hidden = tx.v.Hidden
		}
	}
}

// keepsNo reports whether a step would give a pointer to a parent that keeps none.
func (d *Doc) keepsNo(s Step) bool {
	switch s.Op {
	case OpAddPointer, OpSetPointer:
		return d.Mem != nil && d.Mem.Header.Quiet()
	}
	return false
}

// Needs says that programs which do not know the format must not write what is planned:
// the commit raises the vault's format to it.
func (tx *Tx) Needs(format int) { tx.format = max(tx.format, format) }

// raiseFormat adds the edit of the marker to a change of a vault with hidden blocks, or to one
// that needs a newer format, if HEAD says an older format still. It changes that line alone:
// what else a person has typed there stays uncommitted.
func (tx *Tx) raiseFormat(ctx context.Context, c *Change) error {
	format := tx.format
	if tx.v.Hidden {
		format = max(format, FormatHidden)
	}
	if slices.ContainsFunc(c.Edits, tx.isAboutCode) {
		format = max(format, FormatAbout)
	}
	if format == 0 || c.Empty() {
		return nil
	}
	text, held, err := tx.ReadCommitted(ctx, MarkerFile)
	step := Step{Op: OpSetSetting, Key: "format", Value: strconv.Itoa(format)}
	if err == nil && held && formatOf(text) < format {
		c.Edits = append(c.Edits, Edit{Path: MarkerFile, Steps: []Step{step}})
	}
	return err
}

// isAboutCode reports whether the edited file says which code the memory is about.
func (tx *Tx) isAboutCode(e Edit) bool {
	d := tx.docs[e.target()]
	return bytes.Contains(e.Create, []byte("\nabout:")) && len(Parse(e.Path, e.Create).About) > 0 || d != nil && d.Mem != nil && len(d.Mem.About) > 0
}

// formatOf returns the format that a marker's text says; 0 if it says none that can be read.
func formatOf(text []byte) int {
	for line := range strings.Lines(string(text)) {
		if value, ok := strings.CutPrefix(line, "format:"); ok {
			n, _ := strconv.Atoi(strings.Fields(value + " #")[0])
			return n
		}
	}
	return 0
}

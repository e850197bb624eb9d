package transfer

import (
	"context"
	"errors"
	"slices"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/tier"
)

// Import brings a bundle into the vault, in one commit.
type Import struct {
	Bundle
	Under  string // the memory to hang it under, or the part of the vault whose journal it goes to; empty means the root
	DryRun bool   // report, change nothing
	Update bool   // take what changed there, where nothing changed here

	AllowSecret bool // take in also what looks like it holds a credential

	Progress func(done int) // called now and then with how many items are through; may be nil
}

// What Import did with an item. They are promises: add, never change.
const (
	Created   = "created"
	Updated   = "updated"
	Unchanged = "unchanged"
	Differs   = "differs"
	Skipped   = "skipped"
)

// Row tells what happened to one item.
type Row struct {
	Source string     `json:"source"`
	Path   vault.Path `json:"path,omitempty"`
	ID     vault.ID   `json:"id,omitempty"`
	Action string     `json:"action"` // one of the constants above
	Reason string     `json:"reason,omitempty"`

	Hint  string     `json:"recovery,omitempty"` // what to do about the reason, of a git note
	Title string     `json:"title,omitempty"`    // in the journal
	Item  string     `json:"item,omitempty"`     // of an observation, what its file calls it
	Level tier.Level `json:"level,omitempty"`    // of an observation
	Count int        `json:"count,omitempty"`    // of an observation, how often it was seen
}

// newSkippedRow is the row of what does not come in.
func newSkippedRow(source string, err error) Row {
	row := Row{Source: source, Action: Skipped, Reason: err.Error()}
	if e := (*vault.Error)(nil); errors.As(err, &e) {
		row.Hint = e.Hint
	}
	return row
}

// Imported is the outcome of Import.
type Imported struct {
	Kind      Kind  `json:"-"`
	Rows      []Row `json:"files"`
	Created   int   `json:"created"`
	Updated   int   `json:"updated"`
	Unchanged int   `json:"unchanged"`
	Differs   int   `json:"differs"` // imported before and different now; --update replaces
	Skipped   int   `json:"skipped"`
	Facts     int   `json:"facts,omitempty"` // facts files that came along
	DryRun    bool  `json:"dry_run"`
	vault.Warned
}

// Do brings the bundle in. The package's comment says what becomes of each kind of item. An
// id: line that a file brings along is never rewritten: it is the id if it is valid and no
// memory has it, and else ours stands beside it as cp_id. Names that are taken, or that some
// system cannot hold, are numbered or made safe, and every new parent gets its block.
func (o Import) Do(ctx context.Context, v *vault.Vault) (Imported, error) {
	if o.DryRun && o.Kind.InTree() {
		return vault.Preview(ctx, v, o)
	}
	return vault.Run(ctx, v, o, vault.Options{DryRun: o.DryRun, AllowSecret: o.AllowSecret})
}

// Name is the verb's.
func (o Import) Name() string { return "import" }

// Plan finds out which items are here, and brings in the others.
func (o Import) Plan(ctx context.Context, tx *vault.Tx) (Imported, error) {
	out := Imported{Kind: o.Kind, Rows: []Row{}, DryRun: o.DryRun}
	im := &importer{ctx: ctx, tx: tx, o: o}
	rows, err := im.rows()
	if err != nil {
		return out, err
	}
	for _, row := range append(rows, o.Left...) {
		out.addRow(row)
	}
	out.Facts, err = im.planFacts(out.Rows)
	out.Warnings = append(slices.Clone(o.Notes), im.warnings...)
	tx.About("", o.Kind.FormatCount(out.Created+out.Updated))
	if o.Kind.InTree() {
		tx.AllowSecret() // each text was looked at
	}
	return out, err
}

// addRow adds a row to the report.
func (out *Imported) addRow(row Row) {
	out.Rows = append(out.Rows, row)
	switch row.Action {
	case Created:
		out.Created++
	case Updated:
		out.Updated++
	case Unchanged:
		out.Unchanged++
	case Differs:
		out.Differs++
	default:
		out.Skipped++
	}
}

// importer decides what becomes of each item.
type importer struct {
	ctx context.Context
	tx  *vault.Tx
	o   Import

	root     vault.ID        // under which all hangs; empty is none
	items    []item          // of the tree
	given    map[string]bool // the ids of the items, folded
	bySource map[string]*item
	known    map[string]string // the sources of the memories that are here, by folded id; nil for few items
	done     int               // items that are through
	warnings []string
}

// rows decides about all items, and returns a row for each.
func (im *importer) rows() (rows []Row, err error) {
	if im.o.Kind.InTree() {
		return im.intoTree()
	}
	im.tx.InPart(im.o.Under)
	for i := range im.o.Items {
		row, err := im.intoJournal(&im.o.Items[i])
		if err != nil {
			return nil, err
		}
		rows = append(rows, row)
		im.through()
	}
	return rows, nil
}

// intoJournal decides about an entry or an observation.
func (im *importer) intoJournal(it *Item) (row Row, err error) {
	switch {
	case it.Err != nil:
		row = newSkippedRow(it.Source, it.Err)
	case it.Entry != nil:
		row, err = im.importItem(it)
	default:
		row, err = im.observe(it)
	}
	row.Source = it.Source
	if it.Entry != nil {
		row.Title = it.Entry.Title
	}
	if it.Observed != nil {
		row.Item = it.Observed.ID
	}
	return row, err
}

// progressEvery is the number of items between two calls of Progress.
const progressEvery = 64

// through counts an item that is decided about.
func (im *importer) through() {
	if im.done++; im.o.Progress != nil && (im.done%progressEvery == 0 || im.done == len(im.o.Items)) {
		im.o.Progress(im.done)
	}
}

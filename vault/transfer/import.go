package transfer

import (
	"context"
	"slices"
	"strings"

	"github.com/cp-memory/cp/vault"
)

// SourceFile is one file to import.
type SourceFile struct {
	Rel  string // slash-separated, relative to what is imported
	Text []byte

	Fresh bool // it is none of the files that are here: no earlier copy of it is looked for
}

// Import brings Markdown files into the vault in one commit. The texts stay
// byte for byte; ids are added to the front matter, blocks to the parents.
type Import struct {
	Under   string // the memory to hang them under; empty means the root
	Files   []SourceFile
	Facts   []SourceFile // facts files of memories among Files, of a vault that was exported
	DryRun  bool
	Update  bool  // also replace the text of files imported before that differ now
	Skipped []Row // what the caller could not read, for the report

	AllowSecret bool // take in also what looks like it holds a credential

	Progress func(done int) // called now and then with how many Files are through; may be nil
}

// What Import did with a file. They are promises: add, never change.
const (
	Created   = "created"
	Updated   = "updated"
	Unchanged = "unchanged"
	Differs   = "differs"
	Skipped   = "skipped"
)

// Row tells what happened to one file.
type Row struct {
	Source string     `json:"source"`
	Path   vault.Path `json:"path,omitempty"`
	ID     vault.ID   `json:"id,omitempty"`
	Action string     `json:"action"` // one of the constants above
	Reason string     `json:"reason,omitempty"`
}

// Imported is the outcome of Import.
type Imported struct {
	Rows      []Row    `json:"files"`
	Created   int      `json:"created"`
	Updated   int      `json:"updated"`
	Unchanged int      `json:"unchanged"`
	Differs   int      `json:"differs"` // imported before and different now; --update replaces
	Skipped   int      `json:"skipped"`
	Facts     int      `json:"facts,omitempty"` // facts files that came along
	DryRun    bool     `json:"dry_run"`
	Warnings  []string `json:"-"`
}

// Do puts each file at its relative path below the memory Under, so that
// relative links keep working, and gives every new parent its block.
//
// A file comes in byte for byte. Only the id is added to its front matter, or a front
// matter with the id if it has none that can be edited. An id: line
// that it brings along is never rewritten: it is the id if it is valid and no memory has
// it, and else ours stands beside it as cp_id. Names that are taken, or that some system
// cannot hold, are numbered or made safe.
//
// A file that was imported before is found again by its place and its text, and
// left as it is: a second run changes nothing.
func (o Import) Do(ctx context.Context, v *vault.Vault) (Imported, error) {
	if o.DryRun {
		return vault.Preview(ctx, v, o)
	}
	out, receipt, err := vault.Do(ctx, v, o, vault.Options{})
	if err != nil {
		return Imported{}, err
	}
	out.Warnings = append(out.Warnings, receipt.Notes...)
	return out, nil
}

// Name is the verb's.
func (o Import) Name() string { return "import" }

// progressEvery is the number of files between two calls of Progress.
const progressEvery = 64

// Plan finds each file its place, and its parents their pointers.
func (o Import) Plan(ctx context.Context, tx *vault.Tx) (Imported, error) {
	out := Imported{Rows: []Row{}, DryRun: o.DryRun}
	im, err := newImporter(ctx, tx, o)
	if err != nil {
		return out, err
	}
	files := slices.Clone(o.Files)
	slices.SortStableFunc(files, func(a, b SourceFile) int { return strings.Compare(a.Rel, b.Rel) })
	for i, f := range files {
		row, err := im.file(f)
		if err != nil {
			return out, err
		}
		out.Count(row)
		if o.Progress != nil && ((i+1)%progressEvery == 0 || i+1 == len(files)) {
			o.Progress(i + 1)
		}
	}
	for _, row := range o.Skipped {
		out.Count(row)
	}
	if err = im.create(); err == nil {
		out.Facts, err = im.facts(out.Rows)
	}
	out.Warnings = im.warnings
	tx.About("", vault.Plural(out.Created+out.Updated, "file", "files"))
	tx.AllowSecret() // each file was looked at
	return out, err
}

// Count adds a row to the report.
func (out *Imported) Count(row Row) {
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

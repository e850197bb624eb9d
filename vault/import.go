package vault

import (
	"context"
	"slices"
	"strings"
)

// SourceFile is one file to import.
type SourceFile struct {
	Rel  string // slash-separated, relative to what is imported
	Text []byte
}

// Import brings Markdown files into the vault in one commit. The texts stay
// byte for byte; ids are added to the front matter, blocks to the parents.
type Import struct {
	Under   string // the memory to hang them under; empty means the root
	Files   []SourceFile
	DryRun  bool
	Update  bool        // also replace the text of files imported before that differ now
	Skipped []ImportRow // what the caller could not read, for the report

	AllowSecret bool // take in also what looks like it holds a credential

	Progress func(done int) // called now and then with how many Files are through; may be nil
}

// What Import did with a file. They are promises: add, never change.
const (
	ImportCreated   = "created"
	ImportUpdated   = "updated"
	ImportUnchanged = "unchanged"
	ImportDiffers   = "differs"
	ImportSkipped   = "skipped"
)

// ImportRow tells what happened to one file.
type ImportRow struct {
	Source string `json:"source"`
	Path   Path   `json:"path,omitempty"`
	ID     ID     `json:"id,omitempty"`
	Action string `json:"action"` // one of the Import… constants
	Reason string `json:"reason,omitempty"`
}

// Imported is the outcome of Import.
type Imported struct {
	Rows      []ImportRow `json:"files"`
	Created   int         `json:"created"`
	Updated   int         `json:"updated"`
	Unchanged int         `json:"unchanged"`
	Differs   int         `json:"differs"` // imported before and different now; --update replaces
	Skipped   int         `json:"skipped"`
	DryRun    bool        `json:"dry_run"`
	Warnings  []string    `json:"-"`
}

// Import puts each file at its relative path below the memory Under, so that
// relative links keep working, and gives every new parent its block.
//
// A file comes in byte for byte; what is added is the id in its front matter,
// or a front matter with the id where there is none that can be edited. A valid
// id that nobody has is kept; another one is kept as source_id. Names that some
// system cannot hold, or that are taken, are made safe or numbered.
//
// A file that was imported before is found again by its place and its text, and
// left as it is: a second run changes nothing.
func (v *Vault) Import(ctx context.Context, o Import) (Imported, error) {
	var out Imported
	plan := func(ctx context.Context, t Tree) (*Change, error) { return v.planImport(ctx, t, o, &out) }
	if o.DryRun {
		err := v.View(ctx, Scope{}, func(t Tree) error {
			_, err := plan(ctx, t)
			return err
		})
		return out, err
	}
	receipt, err := v.Update(ctx, "import", Scope{}, plan)
	if err != nil {
		return Imported{}, err
	}
	out.Warnings = append(out.Warnings, receipt.Notes...)
	return out, nil
}

// progressEvery is how many files pass between two calls of Progress.
const progressEvery = 64

// planImport is the plan of Import.
func (v *Vault) planImport(ctx context.Context, t Tree, o Import, out *Imported) (*Change, error) {
	*out = Imported{Rows: []ImportRow{}, DryRun: o.DryRun}
	im, err := v.newImporter(ctx, t, o)
	if err != nil {
		return nil, err
	}
	files := slices.Clone(o.Files)
	slices.SortStableFunc(files, func(a, b SourceFile) int { return strings.Compare(a.Rel, b.Rel) })
	for i, f := range files {
		row, err := im.file(f)
		if err != nil {
			return nil, err
		}
		out.count(row)
		if o.Progress != nil && ((i+1)%progressEvery == 0 || i+1 == len(files)) {
			o.Progress(i + 1)
		}
	}
	for _, row := range o.Skipped {
		out.count(row)
	}
	edits, err := im.edits()
	out.Warnings = im.warnings
	if err != nil {
		return nil, err
	}
	return &Change{Verb: "import", Title: Plural(out.Created+out.Updated, "file", "files"), Edits: edits, AllowSecret: true}, nil // each file was looked at
}

// count adds a row to the report.
func (out *Imported) count(row ImportRow) {
	out.Rows = append(out.Rows, row)
	switch row.Action {
	case ImportCreated:
		out.Created++
	case ImportUpdated:
		out.Updated++
	case ImportUnchanged:
		out.Unchanged++
	case ImportDiffers:
		out.Differs++
	default:
		out.Skipped++
	}
}

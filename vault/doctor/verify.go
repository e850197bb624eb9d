package doctor

import (
	"context"
	"slices"
	"strings"

	"github.com/cp-memory/cp/vault"
)

// IndexRow is what the index says of one file that it takes to be on disk.
type IndexRow struct {
	Path    vault.Path
	Hash    string // git's blob id; empty where the file could not be read
	Stored  bool   // there is a row of what the file says
	Content string // of that row: [vault.Memory.ContentHash]
}

// IndexRows is the index as it stands.
type IndexRows interface {
	// Rows lists its rows of files, in any order.
	Rows(ctx context.Context, fn func(IndexRow)) error

	// ListAltered returns the files about which any of its rows is another one than what it would
	// be if it were made now, from the files. .cp/index.db stands for rows of no file, where
	// nothing else differs.
	ListAltered(ctx context.Context) ([]vault.Path, error)
}

// What a difference is. They are promises: add, never change.
const (
	RowMissing = "missing"    // a file that the index does not have
	Orphaned   = "orphaned"   // a row without a file
	Mismatched = "mismatched" // the index has another text of the file, or says something else of it
)

// IndexDifference is one file on which disk and index differ.
type IndexDifference struct {
	Kind string     `json:"kind"`
	Path vault.Path `json:"path"`
}

// IndexReport is what a comparison has found.
type IndexReport struct {
	Consistent  bool              `json:"consistent"`
	Files       int               `json:"files"`   // on disk, readable
	Indexed     int               `json:"indexed"` // files that the index has
	Missing     int               `json:"missing"`
	Orphaned    int               `json:"orphaned"`
	Mismatched  int               `json:"mismatched"`
	Differences []IndexDifference `json:"differences"`      // by path
	Damage      []string          `json:"damage,omitempty"` // what is wrong with the index's file itself
}

// CompareIndex reads every file and compares it with its row. A file that cannot be read, or is
// being written, is passed over: what it holds is not known.
func CompareIndex(ctx context.Context, files vault.Files, mirror IndexRows) (IndexReport, error) {
	r := IndexReport{Differences: []IndexDifference{}}
	rows := make(map[vault.Path]IndexRow)
	if err := mirror.Rows(ctx, func(row IndexRow) { rows[row.Path] = row }); err != nil {
		return r, err
	}
	r.Indexed = len(rows)
	complete, err := files.Scan(ctx, vault.Scope{}, func(f vault.File) error {
		row, there := rows[f.Path]
		delete(rows, f.Path)
		if f.Problem == nil && !f.Kept {
			r.compareFile(files, f.Path, row, there)
		}
		return ctx.Err()
	})
	if err != nil {
		return r, err
	}
	if complete {
		for p := range rows {
			r.countDifference(Orphaned, p)
		}
	}
	altered, err := mirror.ListAltered(ctx)
	if err != nil {
		return r, err
	}
	told := make(map[vault.Path]bool, len(r.Differences))
	for _, d := range r.Differences {
		told[d.Path] = true
	}
	for _, p := range altered {
		if !told[p] {
			r.countDifference(Mismatched, p)
		}
	}
	slices.SortFunc(r.Differences, func(a, b IndexDifference) int { return strings.Compare(string(a.Path), string(b.Path)) })
	r.Consistent = len(r.Differences) == 0
	return r, nil
}

// compareFile compares one file with its row.
func (r *IndexReport) compareFile(files vault.Files, p vault.Path, row IndexRow, there bool) {
	text, _, err := files.Read(p)
	if err != nil {
		return
	}
	r.Files++
	switch {
	case !there, row.Hash != "" && !row.Stored:
		r.countDifference(RowMissing, p)
	case row.Hash != files.BlobID(text), row.Content != vault.ParseText(p, text).ContentHash():
		r.countDifference(Mismatched, p)
	}
}

// countDifference counts a difference.
func (r *IndexReport) countDifference(kind string, p vault.Path) {
	switch kind {
	case RowMissing:
		r.Missing++
	case Orphaned:
		r.Orphaned++
	case Mismatched:
		r.Mismatched++
	}
	r.Differences = append(r.Differences, IndexDifference{kind, p})
}

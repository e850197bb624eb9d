package doctor_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/cp-memory/cp/testdata/vaultmap"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/doctor"
)

// rows are those of an index.
type rows []doctor.IndexRow

func (all rows) Rows(_ context.Context, fn func(doctor.IndexRow)) error {
	for _, r := range all {
		fn(r)
	}
	if all == nil {
		return errors.New("no index")
	}
	return nil
}

// mirror is an index with those rows, in which those files have others than they should.
type mirror struct {
	rows
	altered []vault.Path
}

func (m mirror) ListAltered(context.Context) ([]vault.Path, error) { return m.altered, nil }

// Each row is what the index has of two files, and what is found.
func TestCompare(t *testing.T) {
	start := vaultmap.Files{"a.md": "# A\n", "b.md": "# B\n"}
	sound := func(w *vaultmap.World, p vault.Path) doctor.IndexRow {
		text := []byte(start[p])
		return doctor.IndexRow{Path: p, Hash: w.Vault.Store.BlobID(text), Stored: true, Content: vault.ParseText(p, text).ContentHash()}
	}
	for _, row := range []struct {
		name  string
		given func(*vaultmap.World)
		rows  func(a, b doctor.IndexRow) rows
		other []vault.Path
		want  string
	}{
		{name: "both", rows: func(a, b doctor.IndexRow) rows { return rows{b, a} }, want: "true 2 2 []"},
		{name: "an empty index", rows: func(doctor.IndexRow, doctor.IndexRow) rows { return rows{} }, want: "false 2 0 [{missing a.md} {missing b.md}]"},
		{name: "nothing of what it says", rows: func(a, b doctor.IndexRow) rows { b.Stored = false; return rows{a, b} }, want: "false 2 2 [{missing b.md}]"},
		{name: "another text", rows: func(a, b doctor.IndexRow) rows { b.Hash = a.Hash; return rows{a, b} }, want: "false 2 2 [{mismatched b.md}]"},
		{name: "another content", rows: func(a, b doctor.IndexRow) rows { b.Content = ""; return rows{a, b} }, want: "false 2 2 [{mismatched b.md}]"},
		{name: "one too many", rows: func(a, b doctor.IndexRow) rows { c := a; c.Path = "c.md"; return rows{a, b, c} }, want: "false 2 3 [{orphaned c.md}]"},
		{name: "another row of one", rows: func(a, b doctor.IndexRow) rows { return rows{a, b} }, other: []vault.Path{"b.md"}, want: "false 2 2 [{mismatched b.md}]"},
		{name: "told once", rows: func(a, b doctor.IndexRow) rows { b.Content = ""; return rows{a, b} }, other: []vault.Path{".cp/index.db", "b.md"}, want: "false 2 2 [{mismatched .cp/index.db} {mismatched b.md}]"},
		{name: "a file that cannot be read", given: vaultmap.Broken("b.md"), rows: func(a, b doctor.IndexRow) rows { return rows{a, b} }, want: "true 1 2 []"},
		{name: "no answer", rows: func(doctor.IndexRow, doctor.IndexRow) rows { return nil }, want: "no index"},
	} {
		w := vaultmap.New(start)
		if row.given != nil {
			row.given(w)
		}
		r, err := doctor.CompareIndex(t.Context(), w.Vault.Store.Files, mirror{row.rows(sound(w, "a.md"), sound(w, "b.md")), row.other})
		got := fmt.Sprint(r.Consistent, r.Files, r.Indexed, r.Differences)
		if err != nil {
			got = err.Error()
		}
		if got != row.want {
			t.Errorf("%s: got %s, want %s", row.name, got, row.want)
		}
	}
}

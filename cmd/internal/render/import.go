package render

import (
	"fmt"
	"strings"

	"github.com/cp-memory/cp/vault/transfer"
)

// Imported writes what an import did, or would do: the files that need a look,
// then the sums.
func Imported(s Screen, r transfer.Imported) {
	for _, row := range r.Rows {
		switch row.Action {
		case transfer.Skipped, transfer.Differs:
			s.Printf("%s %s: %s\n", styled(pad(row.Action, 8)), row.Source, why(row))
		case transfer.Created, transfer.Updated:
			if r.DryRun {
				s.Printf("%s %s\n", styled(pad(row.Action, 8)), goes(row))
			}
		}
	}
	verb := "Imported"
	if r.DryRun {
		verb = "Would import"
	}
	s.Printf("%s %s: %s\n", verb, count(len(r.Rows), "file", "files"), sums(r))
}

// goes names a file, and its new place if that is another one.
func goes(row transfer.Row) string {
	if row.Source == string(row.Path) {
		return row.Source
	}
	return row.Source + " → " + string(row.Path)
}

func why(row transfer.Row) string {
	if row.Reason == "" && row.Action == transfer.Differs {
		return "imported before and different now; --update replaces it"
	}
	return row.Reason
}

// sums lists the counts that are not zero.
func sums(r transfer.Imported) string {
	var parts []string
	for _, c := range []struct {
		n    int
		word string
	}{{r.Created, "created"}, {r.Updated, "updated"}, {r.Unchanged, "unchanged"}, {r.Differs, "different"}, {r.Skipped, "skipped"}} {
		if c.n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", c.n, c.word))
		}
	}
	if len(parts) == 0 {
		return "nothing to do"
	}
	return strings.Join(parts, ", ")
}

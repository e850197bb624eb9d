package render

import "github.com/cp-memory/cp/vault/tree"

// Batched writes what the lines of a batch have done, and how many.
func Batched(s Screen, rows []tree.BatchRow, dry bool) {
	changed := 0
	for _, r := range rows {
		what := "created"
		switch {
		case r.Unchanged:
			what = "unchanged"
		case r.Verb == "update":
			what = "updated"
		}
		if !r.Unchanged {
			changed++
		}
		if r.ID != "" {
			what += " " + string(r.ID)
		}
		s.Printf("%s %s\n", what, quoted(r.Title))
	}
	if dry {
		s.Printf("Would write %s in one commit\n", count(changed, "change", "changes"))
		return
	}
	s.Printf("Wrote %s in one commit\n", count(changed, "change", "changes"))
}

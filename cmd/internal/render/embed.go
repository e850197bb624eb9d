package render

import (
	"fmt"

	"github.com/cp-memory/cp/cmd/internal/app"
	"github.com/cp-memory/cp/vault/embed"
)

// Embedded writes what a backfill did, or with dryRun would do.
func Embedded(s Screen, d embed.Done, dryRun bool) {
	if dryRun {
		s.Printf("%s would be embedded by %s, %d skipped\n", count(d.Missing, "text", "texts"), Line(d.Model), d.Skipped)
		return
	}
	s.Printf("%d embedded, %d failed, %d skipped\n", d.Embedded, d.Failed, d.Skipped)
	if d.Cut > 0 {
		s.Printf("%s longer than the model takes: embedded by the beginning\n", count(d.Cut, "text is", "texts are"))
	}
	if d.Pruned > 0 {
		s.Printf("%s dropped whose texts no file holds any more\n", count(d.Pruned, "vector", "vectors"))
	}
	if d.Missing > d.Failed {
		s.Printf("%s left: run it again\n", count(d.Missing-d.Failed, "text is", "texts are"))
	}
	for _, f := range d.Failures {
		s.Printf("  %s: %s\n", Line(string(f.Path)), Line(f.Message))
	}
}

// vectors tells in a line how far the vectors are.
func vectors(v app.VectorState) string {
	switch {
	case v.Problem != "":
		return v.Problem
	case v.Missing == 0:
		return fmt.Sprintf("%d by %s", v.Have, v.Model)
	case v.Have == 0:
		return fmt.Sprintf("none yet by %s; %d missing: cp admin embed-backfill", v.Model, v.Missing)
	}
	return fmt.Sprintf("%d by %s; %d missing: cp admin embed-backfill", v.Have, v.Model, v.Missing)
}

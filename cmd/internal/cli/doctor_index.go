package cli

import (
	"context"
	"os"
	"path/filepath"

	"github.com/cp-memory/cp/cmd/internal/app"
	"github.com/cp-memory/cp/vault"
)

// indexFile is where the mirror of a vault lies.
func indexFile(s *app.Session) string { return filepath.Join(s.Root, ".cp", "index.db") }

// indexChecks let SQLite verify the index and look whether it can be used at all.
func (f face) indexChecks(ctx context.Context, s *app.Session) []vault.Check {
	checks := []vault.Check{checkIndex(ctx, s)}
	if private, why := s.Index.Private(); private {
		checks[0] = vault.Check{Check: "index", Severity: sevWarning, Evidence: "cannot be used, every command builds its own: " + why.Error(), Fix: "make " + filepath.Dir(indexFile(s)) + " writable"}
	}
	if tracked, _ := s.Index.Tracked(ctx); tracked {
		checks = append(checks, vault.Check{Check: "index_tracked", Severity: sevWarning, Evidence: "git tracks the index, so none is believed, and every command builds its own",
			Fix: "git rm --cached -f '" + indexFile(s) + "*', and commit that"})
	}
	if bad := indexFile(s) + ".bad"; exists(bad) {
		checks = append(checks, vault.Check{Check: "index_bad", Severity: sevInfo, Evidence: "an index that was damaged, or that this clone did not make, was set aside", Fix: "rm -r '" + bad + "'"})
	}
	return append(checks, setAside(s)...)
}

// setAside tells of the databases that no file can be made from, and that were
// damaged: what they held is gone from the answers, and may be worth a look.
func setAside(s *app.Session) (checks []vault.Check) {
	dir := s.State.CommonStateDir()
	if dir == "" {
		dir = filepath.Dir(indexFile(s))
	}
	for _, db := range []struct{ name, lost string }{
		{"vectors.db", "the damaged vectors were set aside; cp admin embed-backfill makes them again"},
		{"usage.db", "the damaged counts of readings were set aside, and counting began anew"},
	} {
		if bad := filepath.Join(dir, db.name+".bad"); exists(bad) {
			checks = append(checks, vault.Check{Check: "set_aside", Severity: sevInfo, Evidence: db.lost, Fix: "rm '" + bad + "'"})
		}
	}
	return checks
}

func checkIndex(ctx context.Context, s *app.Session) vault.Check {
	c := vault.Check{Check: "index", Severity: sevOK, Evidence: indexFile(s)}
	found, err := s.Index.Check(ctx)
	switch {
	case err != nil:
		return failed("index", err)
	case len(found) > 0:
		c.Severity, c.Evidence, c.Fix = sevError, found[0], "cp doctor --fix, or: rm '"+indexFile(s)+"'"
	}
	return c
}

func exists(name string) bool {
	_, err := os.Lstat(name)
	return err == nil
}

package cli

import (
	"context"
	"os"
	"path/filepath"

	"github.com/cp-memory/cp/cmd/internal/session"
	"github.com/cp-memory/cp/vault"
)

// checkable is a mirror that can verify its file.
type checkable interface {
	Check(ctx context.Context) ([]string, error)
}

// indexFile is where the mirror of a vault lies.
func indexFile(s *session.Session) string { return filepath.Join(s.Root, ".cp", "index.db") }

// indexChecks let SQLite verify the index and look whether it can be used at all.
func (f face) indexChecks(ctx context.Context, s *session.Session) []vault.Check {
	checks := []vault.Check{checkIndex(ctx, s)}
	if m, ok := s.Mirror.(privately); ok {
		if private, why := m.Private(); private {
			checks[0] = vault.Check{Check: "index", Severity: sevWarning, Evidence: "cannot be used, every command builds its own: " + why.Error(), Fix: "make " + filepath.Dir(indexFile(s)) + " writable"}
		}
	}
	if bad := indexFile(s) + ".bad"; exists(bad) {
		checks = append(checks, vault.Check{Check: "index_bad", Severity: sevInfo, Evidence: "a damaged index was set aside", Fix: "rm '" + bad + "'"})
	}
	return checks
}

func checkIndex(ctx context.Context, s *session.Session) vault.Check {
	c := vault.Check{Check: "index", Severity: sevOK, Evidence: indexFile(s)}
	m, ok := s.Mirror.(checkable)
	if !ok {
		return c
	}
	found, err := m.Check(ctx)
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

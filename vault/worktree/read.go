package worktree

import (
	"context"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/internal/files"
)

// Read returns a file's bytes, at most [vault.MaxFile], and its stat from the
// same open file, taken before the reading. No symbolic link is followed on the
// way, and a pipe does not block. A file that is missing or has just been
// emptied may be in the middle of being saved, and gets some moments.
func (s *Store) Read(p vault.Path) ([]byte, vault.Stat, error) {
	return s.ReadSaved(context.Background(), p, func([]byte) bool { return true })
}

// ReadSaved reads a file that is to be acted on. A file that was written a moment ago and
// is not whole yet is read again, for a few moments.
func (s *Store) ReadSaved(ctx context.Context, p vault.Path, whole func([]byte) bool) ([]byte, vault.Stat, error) {
	b, st, err := readSaved(ctx, func() ([]byte, vault.Stat, error) { return s.read(p) }, func(b []byte) bool {
		ok := whole(b) // it sees each text, the last one that is returned too
		return ok && len(b) > 0
	})
	if err != nil {
		return nil, vault.Stat{}, files.ReadError(s.abs(p, false), p, err)
	}
	return b, st, nil
}

// readSaved reads a file that an editor may be saving. While it is missing, or was written
// a moment ago and is not whole, it is read again, for a few moments.
func readSaved(ctx context.Context, read func() ([]byte, vault.Stat, error), whole func([]byte) bool) ([]byte, vault.Stat, error) {
	for try := 0; ; try++ {
		b, st, err := read()
		done := err == nil && (whole(b) || quiet(st)) || files.IgnoreMissing(err) != nil
		if done || try == saveWaits || pause(ctx, 1) != nil {
			return b, st, err
		}
	}
}

// read reads a file, at its other place where a write under way has moved it.
func (s *Store) read(p vault.Path) ([]byte, vault.Stat, error) {
	b, st, err := s.Dir.Read(p)
	if to := s.findMovedPath(p, err); to != "" {
		return s.Dir.Read(to)
	}
	return b, st, err
}

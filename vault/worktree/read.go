package worktree

import (
	"context"
	"errors"
	"io/fs"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/worktree/files"
)

// Read returns a file's bytes, at most [vault.MaxFile], and its stat from the
// same open file, taken before the reading. No symbolic link is followed on the
// way, and a pipe does not block. A file that is missing or has just been
// emptied may be in the middle of being saved, and gets up to halfWay moments.
func (s *Store) Read(p vault.Path) ([]byte, vault.Stat, error) {
	return s.ReadWhole(context.Background(), p, func([]byte) bool { return true })
}

// ReadWhole is Read for a file that is to be acted on: one that whole refuses,
// and that was written a moment ago, gets the same moments.
func (s *Store) ReadWhole(ctx context.Context, p vault.Path, whole func([]byte) bool) ([]byte, vault.Stat, error) {
	for try := 0; ; try++ {
		b, st, err := s.read(p)
		refused := err == nil && !whole(b) // whole sees each text, the last one that is returned too
		if again := halfSaved(b, st, err) || refused && !settled(st); again && try < halfWay && pause(ctx, 1) == nil {
			continue
		}
		if err != nil {
			return nil, vault.Stat{}, files.ReadError(s.abs(p, false), p, err)
		}
		return b, st, nil
	}
}

func halfSaved(b []byte, st vault.Stat, err error) bool {
	return errors.Is(err, fs.ErrNotExist) || err == nil && len(b) == 0 && !settled(st)
}

// read reads a file, at its other place where a write under way has moved it.
func (s *Store) read(p vault.Path) ([]byte, vault.Stat, error) {
	b, st, err := s.Dir.Read(p)
	if to := s.elsewhere(p, err); to != "" {
		return s.Dir.Read(to)
	}
	return b, st, err
}

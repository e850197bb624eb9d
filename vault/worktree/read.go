package worktree

import (
	"context"
	"errors"
	"io"
	"io/fs"

	"golang.org/x/sys/unix"

	"github.com/cp-memory/cp/vault"
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
			return nil, vault.Stat{}, readError(s.abs(p, false), p, err)
		}
		return b, st, nil
	}
}

func halfSaved(b []byte, st vault.Stat, err error) bool {
	return errors.Is(err, fs.ErrNotExist) || err == nil && len(b) == 0 && !settled(st)
}

var (
	errNotRegular = errors.New("not a regular file")
	errTooBig     = errors.New("larger than 4 MiB")
)

func (s *Store) read(p vault.Path) ([]byte, vault.Stat, error) {
	if p == "" {
		return nil, vault.Stat{}, errNotRegular
	}
	f, err := s.openFile(p)
	if to := s.elsewhere(p, err); to != "" {
		f, err = s.openFile(to)
	}
	if err != nil {
		return nil, vault.Stat{}, err
	}
	defer f.close()
	return readOpen(f)
}

func readOpen(f handle) ([]byte, vault.Stat, error) {
	var st unix.Stat_t
	if err := unix.Fstat(f.fd, &st); err != nil {
		return nil, vault.Stat{}, err
	}
	switch {
	case uint32(st.Mode)&unix.S_IFMT != unix.S_IFREG:
		return nil, vault.Stat{}, errNotRegular
	case st.Size > vault.MaxFile:
		return nil, vault.Stat{}, errTooBig
	}
	b := make([]byte, 0, st.Size+1)
	b, err := readAll(f, b, int(st.Size))
	return b, statOf(&st), err
}

// readAll appends what a regular file holds to b, whose spare room usually is
// enough for it all and a byte: one that has given its size and does not fill
// that is at its end.
func readAll(f handle, b []byte, size int) ([]byte, error) {
	for {
		n, err := f.Read(b[len(b):cap(b)])
		b = b[:len(b)+n]
		switch {
		case errors.Is(err, io.EOF), err == nil && len(b) >= size && len(b) < cap(b):
			return b, nil
		case err != nil:
			return b, err
		case len(b) > vault.MaxFile:
			return b, errTooBig
		}
		b = append(b, 0)[:len(b)]
	}
}

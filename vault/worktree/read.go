package worktree

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

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
		again := halfSaved(b, st, err) || err == nil && !whole(b) && !settled(st)
		if again && try < halfWay && pause(ctx, 1) == nil {
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
	dir, err := s.openDir(p.Dir())
	if err != nil {
		return nil, vault.Stat{}, err
	}
	defer dir.Close()
	f, err := openAt(dir, p.Base(), 0)
	if err != nil {
		return nil, vault.Stat{}, err
	}
	defer f.Close()
	return readOpen(f)
}

func readOpen(f *os.File) ([]byte, vault.Stat, error) {
	var st unix.Stat_t
	if err := unix.Fstat(int(f.Fd()), &st); err != nil {
		return nil, vault.Stat{}, err
	}
	switch {
	case uint32(st.Mode)&unix.S_IFMT != unix.S_IFREG:
		return nil, vault.Stat{}, errNotRegular
	case st.Size > vault.MaxFile:
		return nil, vault.Stat{}, errTooBig
	}
	b := make([]byte, 0, st.Size+1)
	b, err := readAll(io.LimitReader(f, vault.MaxFile+1), b)
	if err == nil && len(b) > vault.MaxFile {
		err = errTooBig
	}
	return b, statOf(&st), err
}

// readAll appends what r gives to b, whose spare room usually holds it all.
func readAll(r io.Reader, b []byte) ([]byte, error) {
	for {
		if len(b) == cap(b) {
			b = append(b, 0)[:len(b)]
		}
		n, err := r.Read(b[len(b):cap(b)])
		b = b[:len(b)+n]
		if errors.Is(err, io.EOF) {
			return b, nil
		}
		if err != nil {
			return b, err
		}
	}
}

// openDir opens a folder of the vault, element by element, so that nobody can
// slip a symbolic link into the way.
func (s *Store) openDir(p vault.Path) (*os.File, error) {
	dir, err := os.OpenFile(s.root, os.O_RDONLY|unix.O_DIRECTORY, 0)
	if err != nil || p == "" {
		return dir, err
	}
	for name := range strings.SplitSeq(string(p), "/") {
		next, err := openAt(dir, name, unix.O_DIRECTORY)
		dir.Close()
		if err != nil {
			return nil, err
		}
		dir = next
	}
	return dir, nil
}

// openAt opens a name in an open folder for reading.
func openAt(dir *os.File, name string, flags int) (*os.File, error) {
	full := filepath.Join(dir.Name(), name)
	for {
		fd, err := unix.Openat(int(dir.Fd()), name, unix.O_RDONLY|unix.O_NOFOLLOW|unix.O_NONBLOCK|unix.O_CLOEXEC|flags, 0)
		switch {
		case err == unix.EINTR:
			continue
		case err == unix.ENOTDIR && linkAt(dir, name):
			err = unix.ELOOP // Linux says so only without O_DIRECTORY
		}
		if err != nil {
			return nil, &fs.PathError{Op: "open", Path: full, Err: err}
		}
		return os.NewFile(uintptr(fd), full), nil
	}
}

func linkAt(dir *os.File, name string) bool {
	var st unix.Stat_t
	err := unix.Fstatat(int(dir.Fd()), name, &st, unix.AT_SYMLINK_NOFOLLOW)
	return err == nil && uint32(st.Mode)&unix.S_IFMT == unix.S_IFLNK
}

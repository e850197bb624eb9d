package files

import (
	"errors"
	"io"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/disk/sysfile"
)

// Read returns a file's bytes, at most [vault.MaxFile], and its stat from the same
// open file, taken before the reading.
func (d Dir) Read(p vault.Path) ([]byte, vault.Stat, error) {
	if p == "" {
		return nil, vault.Stat{}, ErrNotRegular
	}
	return readOpen(d.openFile(p))
}

// Read is [Dir.Read] for a file by its absolute name: links above it are followed.
func Read(at string) ([]byte, vault.Stat, error) { return readOpen(sysfile.Open(at, sysfile.NoLink)) }

// The errors of Read for what is no memory.
var (
	ErrNotRegular = errors.New("not a regular file")
	ErrTooBig     = errors.New("larger than 4 MiB")
)

// readOpen reads and closes a file that was opened.
func readOpen(f handle, err error) ([]byte, vault.Stat, error) {
	if err != nil {
		return nil, vault.Stat{}, err
	}
	defer f.Close()
	st, err := f.Stat()
	if err != nil {
		return nil, vault.Stat{}, err
	}
	switch {
	case !st.Mode.IsRegular():
		return nil, vault.Stat{}, ErrNotRegular
	case st.Size > vault.MaxFile:
		return nil, vault.Stat{}, ErrTooBig
	}
	b, err := readAll(f, make([]byte, 0, st.Size+1), int(st.Size))
	return b, statOf(st), err
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
			return b, ErrTooBig
		}
		b = append(b, 0)[:len(b)]
	}
}

package sysfile

import (
	"encoding/binary"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/sys/unix"
)

// Beneath opens a path below an open folder in one call, and nothing that a symbolic link leads to
// (Linux 5.6).
func (h Handle) Beneath(path string, how How) (Handle, error) {
	fd, err := unix.Openat2(h.fd, path, &unix.OpenHow{
		Flags:   uint64(reading | int(how)),
		Resolve: unix.RESOLVE_BENEATH | unix.RESOLVE_NO_SYMLINKS,
	})
	switch err {
	case nil:
		return Handle{fd, filepath.Join(h.name, path)}, nil
	case unix.ENOENT, unix.EACCES:
		return Handle{}, &fs.PathError{Op: "open", Path: filepath.Join(h.name, path), Err: err}
	}
	return Handle{}, ErrNoBeneath // element by element tells which of them it is
}

// The layout of a record of getdents64: inode and offset, 8 bytes each, its
// length, the type and the name up to a NUL.
const (
	direntLength = 16
	direntType   = 18
	direntName   = 19
	shortDirent  = 32 // a guess at the usual record
)

// List returns the names in an open folder, sorted. buf is room for the system's
// answer, and free again afterwards.
func (h Handle) List(buf []byte) ([]Entry, error) {
	var entries []Entry
	for {
		n, err := unix.Getdents(h.fd, buf)
		switch {
		case err == unix.EINTR:
			continue
		case err != nil:
			return entries, &fs.PathError{Op: "readdirent", Path: h.name, Err: err}
		case n == 0:
			sortByName(entries)
			return entries, nil
		}
		entries = h.parseNames(slices.Grow(entries, n/shortDirent), string(buf[:n]))
	}
}

// parseNames adds the entries of one answer; their names share its memory.
func (h Handle) parseNames(entries []Entry, b string) []Entry {
	for len(b) >= direntName {
		size := int(binary.NativeEndian.Uint16([]byte(b[direntLength : direntLength+2])))
		if size < direntName || size > len(b) {
			break
		}
		name, _, _ := strings.Cut(b[direntName:size], "\x00")
		kind := b[direntType]
		b = b[size:]
		if name == "." || name == ".." {
			continue
		}
		entries = append(entries, Entry{name, h.typeOf(name, kind)})
	}
	return entries
}

// typeOf returns the type that a listing tells; the stat has it where the listing does not, on some file systems.
func (h Handle) typeOf(name string, kind byte) fs.FileMode {
	switch kind {
	case unix.DT_REG:
		return 0
	case unix.DT_DIR:
		return fs.ModeDir
	case unix.DT_LNK:
		return fs.ModeSymlink
	case unix.DT_UNKNOWN:
		if st, err := h.StatAt(name); err == nil {
			return st.Mode.Type()
		}
	}
	return fs.ModeIrregular
}

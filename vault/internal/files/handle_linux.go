package files

import (
	"encoding/binary"
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/sys/unix"
)

// errNoBeneath is returned by beneath where the kernel lacks the call, or
// forbids it.
var errNoBeneath = errors.New("the kernel cannot open beneath a folder")

// beneath opens a path below an open folder in one call, and nothing that a
// symbolic link leads to (Linux 5.6).
func (h handle) beneath(path string, flags int) (handle, error) {
	fd, err := unix.Openat2(h.fd, path, &unix.OpenHow{
		Flags:   uint64(unix.O_RDONLY | unix.O_NONBLOCK | unix.O_CLOEXEC | flags),
		Resolve: unix.RESOLVE_BENEATH | unix.RESOLVE_NO_SYMLINKS,
	})
	switch err {
	case nil:
		return handle{fd, filepath.Join(h.name, path)}, nil
	case unix.ENOENT, unix.EACCES:
		return handle{}, &fs.PathError{Op: "open", Path: filepath.Join(h.name, path), Err: err}
	}
	return handle{}, errNoBeneath // element by element tells which of them it is
}

// The layout of a record of getdents64: inode and offset, 8 bytes each, its
// length, the type and the name up to a NUL.
const (
	direntLength = 16
	direntType   = 18
	direntName   = 19
	shortDirent  = 32 // a guess at the usual record
)

// listNames returns the names in an open folder, sorted. buf is room for the kernel's
// answer, and free again afterwards.
func (h handle) listNames(buf []byte) ([]entry, error) {
	var entries []entry
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
func (h handle) parseNames(entries []entry, b string) []entry {
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
		if kind == unix.DT_UNKNOWN {
			kind = h.typeOf(name)
		}
		entries = append(entries, entry{name, modeOf(kind)})
	}
	return entries
}

// typeOf asks for the stat what the listing does not tell on some file systems.
func (h handle) typeOf(name string) byte {
	var st unix.Stat_t
	if err := unix.Fstatat(h.fd, name, &st, unix.AT_SYMLINK_NOFOLLOW); err != nil {
		return unix.DT_UNKNOWN
	}
	return byte(st.Mode & unix.S_IFMT >> 12) // the types are those of the mode, shifted
}

func modeOf(kind byte) fs.FileMode {
	switch kind {
	case unix.DT_REG:
		return 0
	case unix.DT_DIR:
		return fs.ModeDir
	case unix.DT_LNK:
		return fs.ModeSymlink
	}
	return fs.ModeIrregular
}

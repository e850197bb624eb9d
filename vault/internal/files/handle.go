package files

import (
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/sys/unix"

	"github.com/cp-memory/cp/vault"
)

// handle is an open file or folder. A scan opens each folder and a catch-up
// each changed file, and an [os.File] asks the kernel four times more than
// these do: for its flags, and whether it can be polled.
type handle struct {
	fd   int
	name string // absolute, for messages
}

func (h handle) close() { _ = unix.Close(h.fd) }

// Read implements [io.Reader].
func (h handle) Read(b []byte) (int, error) {
	for {
		n, err := unix.Read(h.fd, b)
		switch {
		case err == unix.EINTR:
			continue
		case err != nil:
			return 0, &fs.PathError{Op: "read", Path: h.name, Err: err}
		case n == 0 && len(b) > 0:
			return 0, io.EOF
		}
		return n, nil
	}
}

// entry is a name in a folder.
type entry struct {
	name string
	mode fs.FileMode // its type bits alone
}

func (e entry) isDir() bool { return e.mode.IsDir() }

func sortByName(entries []entry) {
	slices.SortFunc(entries, func(a, b entry) int { return strings.Compare(a.name, b.name) })
}

// entriesOf returns what package os has listed.
func entriesOf(listed []fs.DirEntry) []entry {
	entries := make([]entry, len(listed))
	for i, e := range listed {
		entries[i] = entry{e.Name(), e.Type()}
	}
	return entries
}

// openName opens a file for reading by its absolute name; a pipe does not block.
func openName(name string, flags int) (handle, error) {
	for {
		fd, err := unix.Open(name, unix.O_RDONLY|unix.O_NONBLOCK|unix.O_CLOEXEC|flags, 0)
		switch {
		case err == unix.EINTR:
			continue
		case err != nil:
			return handle{}, &fs.PathError{Op: "open", Path: name, Err: err}
		}
		return handle{fd, name}, nil
	}
}

// openDir opens a folder of the vault so that no symbolic link can slip into the way.
// openFile does so with a file.
func (d Dir) openDir(p vault.Path) (handle, error) { return d.openBelow(p, unix.O_DIRECTORY) }

func (d Dir) openFile(p vault.Path) (handle, error) { return d.openBelow(p, 0) }

func (d Dir) openBelow(p vault.Path, flags int) (handle, error) {
	root, err := openName(string(d), unix.O_DIRECTORY)
	if err != nil || p == "" {
		return root, err
	}
	defer root.close()
	if h, err := root.beneath(string(p), flags); err != errNoBeneath {
		return h, err
	}
	at := root
	for parts := strings.Split(string(p), "/"); ; parts = parts[1:] {
		if len(parts) == 1 {
			h, err := at.open(parts[0], flags)
			if at != root {
				at.close()
			}
			return h, err
		}
		next, err := at.open(parts[0], unix.O_DIRECTORY)
		if at != root {
			at.close()
		}
		if err != nil {
			return handle{}, err
		}
		at = next
	}
}

// open opens a name in an open folder for reading, and no symbolic link.
func (h handle) open(name string, flags int) (handle, error) {
	full := filepath.Join(h.name, name)
	for {
		fd, err := unix.Openat(h.fd, name, unix.O_RDONLY|unix.O_NOFOLLOW|unix.O_NONBLOCK|unix.O_CLOEXEC|flags, 0)
		switch {
		case err == unix.EINTR:
			continue
		case err == unix.ENOTDIR && h.isLink(name):
			err = unix.ELOOP // Linux says so only without O_DIRECTORY
		}
		if err != nil {
			return handle{}, &fs.PathError{Op: "open", Path: full, Err: err}
		}
		return handle{fd, full}, nil
	}
}

func (h handle) isLink(name string) bool {
	var st unix.Stat_t
	err := unix.Fstatat(h.fd, name, &st, unix.AT_SYMLINK_NOFOLLOW)
	return err == nil && uint32(st.Mode)&unix.S_IFMT == unix.S_IFLNK
}

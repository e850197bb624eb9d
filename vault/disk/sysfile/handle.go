//go:build unix

package sysfile

import (
	"errors"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// Handle is a file or folder that is open for reading. An [os.File] asks the system four times more: for
// its flags, and whether it can be polled.
type Handle struct {
	fd   int
	name string // absolute, for messages
}

// How says what may be opened.
type How int

const (
	Folder How = unix.O_DIRECTORY // folders alone
	NoLink How = unix.O_NOFOLLOW  // no symbolic link as the last name
)

// NoWait is the flag of os.OpenFile with which a named pipe opens at once.
const NoWait = unix.O_NONBLOCK

const reading = unix.O_RDONLY | unix.O_NONBLOCK | unix.O_CLOEXEC

// ErrNoBeneath is returned by Beneath where the system lacks the call, or forbids it.
var ErrNoBeneath = errors.New("the system cannot open beneath a folder")

// Open opens a file by its absolute name; a named pipe does not block.
func Open(name string, how How) (Handle, error) { return openAt(unix.AT_FDCWD, name, name, how) }

// Open opens a name in an open folder, and no symbolic link.
func (h Handle) Open(name string, how How) (Handle, error) {
	full := filepath.Join(h.name, name)
	next, err := openAt(h.fd, name, full, how|NoLink)
	if IsNotDir(err) && h.isLink(name) { // Linux says that it is a link only without Folder
		err = &fs.PathError{Op: "open", Path: full, Err: unix.ELOOP}
	}
	return next, err
}

func openAt(at int, name, full string, how How) (Handle, error) {
	for {
		fd, err := unix.Openat(at, name, reading|int(how), 0)
		switch {
		case err == unix.EINTR:
			continue
		case err != nil:
			return Handle{}, &fs.PathError{Op: "open", Path: full, Err: err}
		}
		return Handle{fd, full}, nil
	}
}

func (h Handle) isLink(name string) bool {
	st, err := h.StatAt(name)
	return err == nil && st.Mode&fs.ModeSymlink != 0
}

// Name returns the absolute name by which it was opened.
func (h Handle) Name() string { return h.name }

// Close closes it.
func (h Handle) Close() { _ = unix.Close(h.fd) }

// Stat returns its stat.
func (h Handle) Stat() (Stat, error) {
	var st unix.Stat_t
	if err := unix.Fstat(h.fd, &st); err != nil {
		return Stat{}, err
	}
	return statOf(&st), nil
}

// StatAt returns the stat of a name below an open folder.
func (h Handle) StatAt(name string) (Stat, error) {
	var st unix.Stat_t
	if err := unix.Fstatat(h.fd, name, &st, unix.AT_SYMLINK_NOFOLLOW); err != nil {
		return Stat{}, err
	}
	return statOf(&st), nil
}

// Read implements [io.Reader].
func (h Handle) Read(b []byte) (int, error) {
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

// Await waits until there is something to read, at most so long; ready is false when the time is over before.
func (h Handle) Await(limit time.Duration) (ready bool, err error) {
	wanted := []unix.PollFd{{Fd: int32(h.fd), Events: unix.POLLIN}}
	n, err := unix.Poll(wanted, int(limit.Milliseconds())+1)
	switch {
	case err == unix.EINTR || err == nil && n == 0:
		return false, nil
	case err == nil && wanted[0].Revents&unix.POLLIN == 0:
		err = io.ErrUnexpectedEOF
	}
	return err == nil, err
}

// Entry is a name in a folder.
type Entry struct {
	Name string
	Mode fs.FileMode // its type bits alone
}

// IsDir reports whether it is a folder.
func (e Entry) IsDir() bool { return e.Mode.IsDir() }

func sortByName(entries []Entry) {
	slices.SortFunc(entries, func(a, b Entry) int { return strings.Compare(a.Name, b.Name) })
}

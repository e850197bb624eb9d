//go:build unix

package sysfile

import (
	"errors"
	"io/fs"
	"os"

	"golang.org/x/sys/unix"
)

// ErrNoExchange is returned by Exchange where the file system or the operating
// system cannot swap two names in one step.
var ErrNoExchange = errors.New("the file system cannot exchange two files")

// linkThenRemove is rename-if-new for systems without the call: link fails where to exists.
func linkThenRemove(from, to string) error {
	if err := os.Link(from, to); err != nil {
		return err
	}
	return os.Remove(from)
}

// isFlagUnknown reports whether the kernel or the file system lacks the call's flag.
func isFlagUnknown(err error) bool { return isOneOf(err, unix.EINVAL, unix.ENOSYS, unix.ENOTSUP) }

func linkError(op, from, to string, err error) error {
	if err == nil {
		return nil
	}
	return &os.LinkError{Op: op, Old: from, New: to, Err: err}
}

// RemoveDir removes a folder if it is empty, and no file, and reports whether it is gone.
func RemoveDir(name string) (gone bool, err error) {
	err = unix.Rmdir(name)
	switch {
	case err == nil, isOneOf(err, unix.ENOENT):
		return true, nil
	case isOneOf(err, unix.ENOTEMPTY, unix.EEXIST, unix.ENOTDIR):
		return false, nil
	}
	return false, &fs.PathError{Op: "rmdir", Path: name, Err: err}
}

// Touch sets a file's times to now.
func Touch(name string) error { return os.NewSyscallError("utimes", unix.Utimes(name, nil)) }

// MakePipe makes a named pipe, which must not exist.
func MakePipe(name string, mode fs.FileMode) error {
	if err := unix.Mkfifo(name, uint32(mode.Perm())); err != nil {
		return &fs.PathError{Op: "mkfifo", Path: name, Err: err}
	}
	return nil
}

// WritePipe writes b to a named pipe that somebody reads, in one write, and never waits.
// It fails if nobody reads, or if the name is no pipe.
func WritePipe(name string, b []byte) error {
	fd, err := unix.Open(name, unix.O_WRONLY|unix.O_NONBLOCK|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0)
	if err != nil {
		return &fs.PathError{Op: "open", Path: name, Err: err}
	}
	pipe := Handle{fd, name}
	defer pipe.Close()
	if st, err := pipe.Stat(); err != nil || st.Mode&fs.ModeNamedPipe == 0 {
		return &fs.PathError{Op: "write", Path: name, Err: unix.EINVAL}
	}
	if _, err := unix.Write(fd, b); err != nil {
		return &fs.PathError{Op: "write", Path: name, Err: err}
	}
	return nil
}

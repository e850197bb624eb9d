//go:build unix

package sysfile

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// ErrLocked is returned by TryLock where another process holds the lock.
var ErrLocked = errors.New("another process holds the lock")

// TryLock takes the lock of an open file, which its closing lets go. It does not wait.
func TryLock(f *os.File) error {
	err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
	if isOneOf(err, unix.EWOULDBLOCK) {
		return ErrLocked
	}
	return err
}

// IsLocked reports whether a process holds the lock of a file.
func IsLocked(name string) bool {
	f, err := os.Open(name)
	if err != nil {
		return false
	}
	defer f.Close() // lets go of the lock too
	return isOneOf(unix.Flock(int(f.Fd()), unix.LOCK_SH|unix.LOCK_NB), unix.EWOULDBLOCK)
}

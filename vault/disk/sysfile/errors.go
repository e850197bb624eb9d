//go:build unix

package sysfile

import (
	"errors"

	"golang.org/x/sys/unix"
)

// isOneOf reports whether an error is one of the system's.
func isOneOf(err error, numbers ...unix.Errno) bool {
	for _, n := range numbers {
		if errors.Is(err, n) {
			return true
		}
	}
	return false
}

// IsNotDir reports that a file stands where a folder was meant.
func IsNotDir(err error) bool { return isOneOf(err, unix.ENOTDIR) }

// IsDir reports that a folder stands where a file was meant.
func IsDir(err error) bool { return isOneOf(err, unix.EISDIR) }

// IsSymlink reports that a symbolic link stood in the way of what follows none.
func IsSymlink(err error) bool { return isOneOf(err, unix.ELOOP, unix.EMLINK) }

// IsReadOnly reports a file system that is mounted read-only.
func IsReadOnly(err error) bool { return isOneOf(err, unix.EROFS) }

// IsFull reports a disk without room, or a person's share of it.
func IsFull(err error) bool { return isOneOf(err, unix.ENOSPC, unix.EDQUOT) }

// IsOtherDisk reports a rename from one file system to another.
func IsOtherDisk(err error) bool { return isOneOf(err, unix.EXDEV) }

// IsUnsupported reports what the file system cannot do.
func IsUnsupported(err error) bool { return isOneOf(err, unix.EINVAL, unix.ENOTSUP) }

// IsForbiddenHere reports what the file system permits nobody.
func IsForbiddenHere(err error) bool { return isOneOf(err, unix.EPERM) }

// IsRefused reports an address at which nobody listens.
func IsRefused(err error) bool { return isOneOf(err, unix.ECONNREFUSED) }

// IsTaken reports an address at which somebody listens.
func IsTaken(err error) bool { return isOneOf(err, unix.EADDRINUSE) }

// IsOutOfMemory reports that the system has no memory to give.
func IsOutOfMemory(err error) bool { return isOneOf(err, unix.ENOMEM) }

// IsProcessGone reports a process that has ended.
func IsProcessGone(err error) bool { return isOneOf(err, unix.ESRCH) }

// IsExhausted reports that the system watches no more folders, or opens no more files.
func IsExhausted(err error) bool {
	return isOneOf(err, unix.ENOSPC, unix.EMFILE, unix.ENFILE, unix.ENOMEM, unix.ENOSYS)
}

// Reason returns the system's words for an error, without the names around them.
func Reason(err error) string {
	var errno unix.Errno
	if errors.As(err, &errno) {
		return errno.Error()
	}
	return err.Error()
}

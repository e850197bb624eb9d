//go:build unix

package sysfile

import (
	"io/fs"
	"os"

	"golang.org/x/sys/unix"
)

// CanWrite returns why this user may not write a file, or in a folder; nil where it may. The error is the system's own.
func CanWrite(name string) error { return unix.Access(name, unix.W_OK) }

// CanChange returns why this user may make and remove no names in a folder.
func CanChange(dir string) error { return unix.Access(dir, unix.W_OK|unix.X_OK) }

// CanRun returns why this user may not run a file.
func CanRun(name string) error { return unix.Access(name, unix.X_OK) }

// HaveSameOwner reports whether two files are one user's and one group's. Where the system does not tell, they are.
func HaveSameOwner(a, b fs.FileInfo) bool {
	x, ok := StatOf(a)
	y, told := StatOf(b)
	return !ok || !told || x.UID == y.UID && x.GID == y.GID
}

// GiveOwner gives a file the owner and group of the one that like describes.
func GiveOwner(name string, like fs.FileInfo) error {
	s, ok := StatOf(like)
	if !ok {
		return nil
	}
	return os.Lchown(name, int(s.UID), int(s.GID))
}

// WithPrivateFiles calls make so that what it makes is this user's alone from its first moment. It is of
// the whole process: no other file may be made meanwhile.
func WithPrivateFiles(make func()) {
	was := unix.Umask(0o177)
	make()
	unix.Umask(was)
}

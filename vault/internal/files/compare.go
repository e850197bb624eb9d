package files

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"io/fs"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// IsSameFile reports whether two names belong to one file.
func IsSameFile(a, b string) bool {
	var x, y unix.Stat_t
	return unix.Lstat(a, &x) == nil && unix.Lstat(b, &y) == nil && x.Ino == y.Ino && x.Dev == y.Dev
}

// SameText reports whether two files can be read and say the same.
func SameText(a, b string) bool {
	x, y, ok := Both(a, b)
	return ok && bytes.Equal(x, y)
}

// Both reads two files; ok is false where one cannot be read.
func Both(a, b string) (x, y []byte, ok bool) {
	x, _, err := Read(a)
	if err != nil {
		return nil, nil, false
	}
	y, _, err = Read(b)
	return x, y, err == nil
}

// Inode returns the number of a file's inode.
func Inode(info fs.FileInfo) uint64 { return sys(info).Ino }

// Links returns how many names a file has.
func Links(name string) uint64 {
	info, err := os.Lstat(name)
	if err != nil {
		return 0
	}
	return uint64(sys(info).Nlink)
}

func sys(info fs.FileInfo) *syscall.Stat_t {
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		return st
	}
	return new(syscall.Stat_t)
}

// Present reports whether something stands at a name.
func Present(abs string) bool {
	_, err := os.Lstat(abs)
	return err == nil
}

// Digest names a text.
func Digest(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

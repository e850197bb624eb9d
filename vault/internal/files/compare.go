package files

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"io/fs"
	"os"

	"github.com/cp-memory/cp/vault/disk/sysfile"
)

// IsSameFile reports whether two names belong to one file.
func IsSameFile(a, b string) bool {
	x, err := sysfile.Lstat(a)
	y, failed := sysfile.Lstat(b)
	return err == nil && failed == nil && x.Inode == y.Inode && x.Device == y.Device
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
func Inode(info fs.FileInfo) uint64 {
	st, _ := sysfile.StatOf(info)
	return st.Inode
}

// Links returns how many names a file has.
func Links(name string) uint64 {
	st, _ := sysfile.Lstat(name)
	return st.Links
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

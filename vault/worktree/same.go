package worktree

import (
	"bytes"
	"io/fs"
	"os"
	"syscall"

	"golang.org/x/sys/unix"

	"github.com/cp-memory/cp/vault"
)

// readFile reads a file of the vault by its absolute name.
func readFile(at string) ([]byte, vault.Stat, error) {
	f, err := openName(at, unix.O_NOFOLLOW)
	if err != nil {
		return nil, vault.Stat{}, err
	}
	defer f.close()
	return readOpen(f)
}

func sameFile(a, b string) bool {
	var x, y unix.Stat_t
	return unix.Lstat(a, &x) == nil && unix.Lstat(b, &y) == nil && x.Ino == y.Ino && x.Dev == y.Dev
}

func sameText(a, b string) bool {
	x, y, ok := both(a, b)
	return ok && bytes.Equal(x, y)
}

// sameMemories reports whether two files carry one id.
func sameMemories(a, b string) bool {
	x, y, ok := both(a, b)
	return ok && sameMemory(x, y)
}

func both(a, b string) (x, y []byte, ok bool) {
	x, _, err := readFile(a)
	if err != nil {
		return nil, nil, false
	}
	y, _, err = readFile(b)
	return x, y, err == nil
}

func inode(info fs.FileInfo) uint64 { return sys(info).Ino }

// links returns how many names a file has.
func links(name string) uint64 {
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

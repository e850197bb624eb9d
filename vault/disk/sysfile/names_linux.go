package sysfile

import (
	"os"

	"golang.org/x/sys/unix"
)

// RenameNew renames from to a name that must not exist; else the error is fs.ErrExist.
func RenameNew(from, to string) error {
	err := unix.Renameat2(unix.AT_FDCWD, from, unix.AT_FDCWD, to, unix.RENAME_NOREPLACE)
	if !isFlagUnknown(err) {
		return linkError("rename", from, to, err)
	}
	return linkThenRemove(from, to)
}

// Exchange swaps the files behind two names in one step.
func Exchange(a, b string) error {
	err := unix.Renameat2(unix.AT_FDCWD, a, unix.AT_FDCWD, b, unix.RENAME_EXCHANGE)
	if isFlagUnknown(err) {
		return ErrNoExchange
	}
	return linkError("exchange", a, b, err)
}

// SyncFS flushes the whole file system that holds a name.
func SyncFS(name string) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	return os.NewSyscallError("syncfs", unix.Syncfs(int(f.Fd())))
}

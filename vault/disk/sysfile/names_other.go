//go:build unix && !linux

package sysfile

import "golang.org/x/sys/unix"

// RenameNew renames from to a name that must not exist; else the error is fs.ErrExist.
func RenameNew(from, to string) error { return linkThenRemove(from, to) }

// Exchange swaps the files behind two names in one step.
func Exchange(_, _ string) error { return ErrNoExchange }

// SyncFS flushes the whole file system that holds a name.
func SyncFS(string) error {
	unix.Sync()
	return nil
}

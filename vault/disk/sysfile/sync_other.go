//go:build unix && !linux

package sysfile

import "golang.org/x/sys/unix"

// SyncFS asks the system to flush what it holds; unlike on Linux it does not wait for that.
func SyncFS(string) error {
	unix.Sync()
	return nil
}

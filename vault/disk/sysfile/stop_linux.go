//go:build failpoints

package sysfile

import (
	"os"
	"runtime"
	"syscall"

	"golang.org/x/sys/unix"
)

// StopSelf stops the process at once. It signals this thread: a signal to the process could
// be taken by another thread while this one continues.
func StopSelf() error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	return unix.Tgkill(os.Getpid(), unix.Gettid(), syscall.SIGSTOP)
}

//go:build failpoints

package disk

import (
	"os"
	"runtime"
	"syscall"

	"golang.org/x/sys/unix"
)

// stop stops the process before it does anything more: a signal to the process,
// not to this thread, could be taken by another one while this one goes on.
func stop() error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	return unix.Tgkill(os.Getpid(), unix.Gettid(), syscall.SIGSTOP)
}

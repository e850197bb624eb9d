//go:build failpoints && !linux

package disk

import (
	"os"
	"syscall"
)

// stop stops the process; another thread may do a little more first.
func stop() error { return syscall.Kill(os.Getpid(), syscall.SIGSTOP) }

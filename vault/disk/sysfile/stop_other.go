//go:build unix && failpoints && !linux

package sysfile

import (
	"os"
	"syscall"
)

// StopSelf stops the process; another thread may do a little more first.
func StopSelf() error { return syscall.Kill(os.Getpid(), syscall.SIGSTOP) }

//go:build unix && failpoints

package sysfile

import (
	"os"

	"golang.org/x/sys/unix"
)

// Faults are the errors that a test build can give, by their names.
var Faults = map[string]error{
	"ENOSPC": unix.ENOSPC, "EIO": unix.EIO, "EROFS": unix.EROFS,
	"EACCES": unix.EACCES, "EMFILE": unix.EMFILE, "EDQUOT": unix.EDQUOT,
}

// KillSelf ends this process as kill -9 does.
func KillSelf() {
	_ = unix.Kill(os.Getpid(), unix.SIGKILL)
	select {}
}

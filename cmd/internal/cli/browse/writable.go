package browse

import (
	"golang.org/x/sys/unix"
)

// writable reports whether files can be written in a folder.
func writable(dir string) bool { return unix.Access(dir, unix.W_OK) == nil }

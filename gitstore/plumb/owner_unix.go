//go:build unix

package plumb

import (
	"os"
	"syscall"
)

// ownsAll reports whether this user owns each of the files that is there. Like git, it
// does not follow links.
func ownsAll(files ...string) bool {
	for _, file := range files {
		info, err := os.Lstat(file)
		if os.IsNotExist(err) {
			continue
		}
		if err != nil {
			return false
		}
		if stat, ok := info.Sys().(*syscall.Stat_t); !ok || int(stat.Uid) != os.Geteuid() {
			return false
		}
	}
	return true
}

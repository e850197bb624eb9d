package plumb

import (
	"os"

	"github.com/cp-memory/cp/vault/disk/sysfile"
)

// ownsAll reports whether this user owns each of the files that is there. Like git, it
// does not follow links.
func ownsAll(files ...string) bool {
	for _, file := range files {
		info, err := os.Lstat(file)
		if os.IsNotExist(err) {
			continue
		}
		if err != nil || !sysfile.IsOwn(info) {
			return false
		}
	}
	return true
}

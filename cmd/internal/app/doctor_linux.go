package app

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/cp-memory/cp/vault/disk/sysfile"
)

// noGitIn reports whether no git process works in the folder top; false when
// that cannot be told.
func noGitIn(top string) bool {
	procs, err := filepath.Glob("/proc/[0-9]*")
	if err != nil || len(procs) == 0 {
		return false
	}
	for _, proc := range procs {
		comm, err := os.ReadFile(filepath.Join(proc, "comm"))
		if err != nil || !strings.HasPrefix(string(comm), "git") {
			continue
		}
		cwd, err := os.Readlink(filepath.Join(proc, "cwd"))
		if errors.Is(err, fs.ErrNotExist) || sysfile.IsProcessGone(err) {
			continue // it has ended since
		}
		if err != nil || cwd == top || strings.HasPrefix(cwd, top+"/") {
			return false
		}
	}
	return true
}

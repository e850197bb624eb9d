package cli

import (
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"
)

// remoteFileSystems are those of other machines, by the magic number of statfs(2).
var remoteFileSystems = map[int64]string{
	unix.NFS_SUPER_MAGIC:  "NFS",
	unix.SMB_SUPER_MAGIC:  "SMB",
	unix.SMB2_SUPER_MAGIC: "SMB",
	unix.CIFS_SUPER_MAGIC: "CIFS",
	unix.V9FS_MAGIC:       "9P",
	unix.CEPH_SUPER_MAGIC: "Ceph",
	unix.AFS_SUPER_MAGIC:  "AFS",
	unix.CODA_SUPER_MAGIC: "Coda",
}

// fileSystem names the file system that holds dir if it is one of another machine.
func fileSystem(dir string) (name string, remote bool) {
	var st unix.Statfs_t
	if unix.Statfs(dir, &st) != nil {
		return "", false
	}
	name, remote = remoteFileSystems[int64(uint32(st.Type))]
	return name, remote
}

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
		if err != nil || cwd == top || strings.HasPrefix(cwd, top+"/") {
			return false
		}
	}
	return true
}

package disk

import "golang.org/x/sys/unix"

// fileSystems are those worth a name, by the magic number of statfs(2), and
// whether they are of another machine.
var fileSystems = map[int64]struct {
	name   string
	remote bool
}{
	unix.NFS_SUPER_MAGIC:  {"NFS", true},
	unix.SMB_SUPER_MAGIC:  {"SMB", true},
	unix.SMB2_SUPER_MAGIC: {"SMB", true},
	unix.CIFS_SUPER_MAGIC: {"CIFS", true},
	unix.V9FS_MAGIC:       {"9P", true},
	unix.CEPH_SUPER_MAGIC: {"Ceph", true},
	unix.AFS_SUPER_MAGIC:  {"AFS", true},
	unix.CODA_SUPER_MAGIC: {"Coda", true},
	unix.FUSE_SUPER_MAGIC: {"FUSE", false},
}

// FileSystem names the file system that holds dir where that matters: if it is
// one of another machine, or FUSE, which may be.
func FileSystem(dir string) (name string, remote bool) {
	var st unix.Statfs_t
	if unix.Statfs(dir, &st) != nil {
		return "", false
	}
	return named(int64(st.Type))
}

// named looks a magic number up. Some kernels give it a sign.
func named(magic int64) (name string, remote bool) {
	fs := fileSystems[int64(uint32(magic))]
	return fs.name, fs.remote
}

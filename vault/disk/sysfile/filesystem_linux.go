package sysfile

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

// FileSystem names the file system that holds dir if that matters: it is another
// machine's, or FUSE, which may be.
func FileSystem(dir string) (name string, remote bool) {
	var st unix.Statfs_t
	if unix.Statfs(dir, &st) != nil {
		return "", false
	}
	return lookUpMagic(int64(st.Type))
}

// lookUpMagic looks a magic number up. Some kernels give it a sign.
func lookUpMagic(magic int64) (name string, remote bool) {
	fs := fileSystems[int64(uint32(magic))]
	return fs.name, fs.remote
}

// dated are the file systems that change a folder's time with every name that comes or
// goes in it.
var dated = map[int64]bool{
	unix.EXT4_SUPER_MAGIC:      true, // ext2 and ext3 too
	unix.XFS_SUPER_MAGIC:       true,
	unix.BTRFS_SUPER_MAGIC:     true,
	unix.F2FS_SUPER_MAGIC:      true,
	unix.TMPFS_MAGIC:           true,
	unix.OVERLAYFS_SUPER_MAGIC: true,
	0x2FC12FC1:                 true, // ZFS
	0xCA451A4E:                 true, // bcachefs
}

// HasReliableTime reports whether the time of an open folder shows that no name in it came or went.
// That is known of the local file systems that people use, and not of those of another
// machine or in a process.
func (h Handle) HasReliableTime() bool {
	var st unix.Statfs_t
	return unix.Fstatfs(h.fd, &st) == nil && dated[int64(uint32(st.Type))]
}

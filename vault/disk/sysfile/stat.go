//go:build unix

package sysfile

import (
	"io/fs"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// Stat is what a file system says of a name; a symbolic link is not followed.
type Stat struct {
	Mode                 fs.FileMode // its type and permissions
	Size                 int64
	MTime, CTime         int64 // when its contents and its inode changed, ns since 1970
	Inode, Device, Links uint64
	UID, GID             uint32
}

// Lstat returns the stat of a name. The error is the system's own.
func Lstat(name string) (Stat, error) {
	var st unix.Stat_t
	if err := unix.Lstat(name, &st); err != nil {
		return Stat{}, err
	}
	return statOf(&st), nil
}

func statOf(st *unix.Stat_t) Stat {
	return Stat{
		Mode: modeOf(uint32(st.Mode)), Size: st.Size, MTime: st.Mtim.Nano(), CTime: st.Ctim.Nano(),
		Inode: st.Ino, Device: uint64(st.Dev), Links: uint64(st.Nlink), UID: st.Uid, GID: st.Gid, // of other types on other systems
	}
}

// modeOf returns the type and the permissions of a mode of the system's.
func modeOf(mode uint32) fs.FileMode {
	perm := fs.FileMode(mode & 0o777)
	switch mode & unix.S_IFMT {
	case unix.S_IFREG:
		return perm
	case unix.S_IFDIR:
		return perm | fs.ModeDir
	case unix.S_IFLNK:
		return perm | fs.ModeSymlink
	case unix.S_IFIFO:
		return perm | fs.ModeNamedPipe
	case unix.S_IFSOCK:
		return perm | fs.ModeSocket
	}
	return perm | fs.ModeIrregular
}

// StatOf returns the stat that package os has asked for; ok is false where it has not.
func StatOf(info fs.FileInfo) (s Stat, ok bool) {
	st, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return s, false
	}
	inode, contents := timesOf(st)
	return Stat{
		Mode: info.Mode(), Size: info.Size(), MTime: contents, CTime: inode,
		Inode: st.Ino, Device: uint64(st.Dev), Links: uint64(st.Nlink), UID: st.Uid, GID: st.Gid, // of other types on other systems
	}, true
}

// IsOwn reports whether a file is this user's.
func IsOwn(info fs.FileInfo) bool {
	s, ok := StatOf(info)
	return ok && int(s.UID) == os.Geteuid()
}

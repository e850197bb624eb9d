package gitindex

import "syscall"

// times returns when a file's inode and its contents changed.
func times(st *syscall.Stat_t) (inode, contents syscall.Timespec) { return st.Ctimespec, st.Mtimespec }

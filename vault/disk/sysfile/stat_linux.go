package sysfile

import "syscall"

// timesOf returns when a file's inode and its contents changed.
func timesOf(st *syscall.Stat_t) (inode, contents int64) { return st.Ctim.Nano(), st.Mtim.Nano() }

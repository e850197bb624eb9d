// Package sysfile is the floor: all that is asked of the operating system and that package os does not have, or not alike on
// every system. No other package imports syscall or golang.org/x/sys, so what another system does
// otherwise is written here. It changes nothing unasked and injects no faults: that is done above it, in package disk.
//
//	st, err := sysfile.Lstat(name)
//	taken := sysfile.IsNotDir(err) // a file stands where a folder was meant
package sysfile

//go:build unix && !linux

package sysfile

// FileSystem is not told here.
func FileSystem(string) (name string, remote bool) { return "", false }

// HasReliableTime reports whether the time of an open folder shows that no name in it came or went.
// Nobody has tried it on this system.
func (h Handle) HasReliableTime() bool { return false }

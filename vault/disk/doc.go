// Package disk is the one place where the product changes the file system: the
// vault's files, and what it writes below the git directory. Every function
// that changes something passes a fault point first, so that a test build (tag
// "failpoints") can kill the process or fail the call before each of them.
//
// Nothing here is cached or buffered: when a function returns nil, the change
// is visible to other processes; where the name says Sync, it is on the disk.
//
//	err := disk.WriteSync(temp, text, 0o666)
//	if err == nil {
//		err = disk.RenameNew(temp, path) // fails where path exists
//	}
//	if err == nil {
//		err = disk.SyncDir(filepath.Dir(path))
//	}
package disk

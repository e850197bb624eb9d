//go:build !linux

package disk

// FileSystem is not told here.
func FileSystem(string) (name string, remote bool) { return "", false }

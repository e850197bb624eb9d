//go:build !linux

package disk

// FileSystem is not told here.
func FileSystem(string) (name string, remote bool) { return "", false }

// Dated reports whether the time of an open folder tells that no name in it came
// or went; nobody has tried it here.
func Dated(int) bool { return false }

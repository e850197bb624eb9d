//go:build !linux

package cli

// fileSystem is not told here.
func fileSystem(string) (name string, remote bool) { return "", false }

// noGitIn cannot be told here.
func noGitIn(string) bool { return false }

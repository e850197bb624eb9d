//go:build unix && !linux

package sysfile

// WatchesFolders says that the system tells what happens in a folder, and holds nothing but the folder for it. kqueue holds a
// descriptor for each file: 10,000 memories would take 10,000.
const WatchesFolders = false

//go:build unix && !linux

package sysfile

import (
	"os"

	"golang.org/x/sys/unix"
)

// Beneath is one system call on Linux. Here a path is opened element by element.
func (h Handle) Beneath(string, How) (Handle, error) { return Handle{}, ErrNoBeneath }

// List returns the names in an open folder, sorted.
func (h Handle) List([]byte) ([]Entry, error) {
	fd, err := unix.Dup(h.fd)
	if err != nil {
		return nil, err
	}
	f := os.NewFile(uintptr(fd), h.name)
	defer f.Close()
	listed, err := f.ReadDir(-1)
	var entries []Entry
	for _, e := range listed {
		entries = append(entries, Entry{e.Name(), e.Type()})
	}
	sortByName(entries)
	return entries, err
}

//go:build !linux

package files

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

var errNoBeneath = errors.New("the system cannot open beneath a folder")

// beneath is one system call on Linux. Here a path is opened element by element.
func (h handle) beneath(string, int) (handle, error) { return handle{}, errNoBeneath }

// listNames returns the names in an open folder, sorted.
func (h handle) listNames([]byte) ([]entry, error) {
	fd, err := unix.Dup(h.fd)
	if err != nil {
		return nil, err
	}
	f := os.NewFile(uintptr(fd), h.name)
	defer f.Close()
	listed, err := f.ReadDir(-1)
	entries := entriesOf(listed)
	sortByName(entries)
	return entries, err
}

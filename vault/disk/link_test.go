package disk

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// Whether a file system has hard links shows when one is made; what else fails says nothing.
func TestTryLink(t *testing.T) {
	dir := t.TempDir()
	from, to := filepath.Join(dir, "from"), filepath.Join(dir, "to")
	if err := os.WriteFile(from, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	fails := func(err error) func(from, to string) error {
		return func(from, to string) error { return &os.LinkError{Op: "link", Old: from, New: to, Err: err} }
	}
	for _, row := range []struct {
		name string
		link func(from, to string) error
		none bool
	}{
		{"as it is here", os.Link, false},
		{"FAT, exFAT", fails(syscall.EPERM), true},
		{"of another machine", fails(syscall.ENOTSUP), true},
		{"no right", fails(syscall.EACCES), false},
		{"a full disk", fails(syscall.ENOSPC), false},
		{"it is there", fails(syscall.EEXIST), false},
		{"it is gone", fails(syscall.ENOENT), false},
	} {
		if err := tryLink(row.link, from, to); errors.Is(err, ErrNoLinks) != row.none || (err != nil) != row.none {
			t.Errorf("%s: got %v", row.name, err)
		}
		if _, err := os.Lstat(to); err == nil {
			t.Errorf("%s: the name is left behind", row.name)
		}
	}
}

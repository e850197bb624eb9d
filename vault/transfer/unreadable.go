package transfer

import (
	"errors"
	"io/fs"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/disk"
)

// Unreadable is the error of a file or folder that cannot be read.
func Unreadable(path string, err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return vault.Errorf(vault.CodeNotFound, "check the path", "there is no file or folder '%s'", path)
	}
	return vault.Errorf(vault.CodeIO, "", "cannot read '%s': %w", path, disk.Cause(err))
}

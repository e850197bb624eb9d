package app

import (
	"path"
	"path/filepath"

	"github.com/cp-memory/cp/cmd/internal/settings"
	"github.com/cp-memory/cp/vault/disk"
)

// A second vault in a repository belongs to a folder of it, not to all of it.

// ownerFolder returns the folder that a second vault of the repository belongs to: the vault's
// own, or that above it where it is called memory; relative to the top. It is empty for the
// vault of the whole repository.
func (at site) ownerFolder() (string, error) {
	other, err := settings.ReadVaultName(at.top)
	if err != nil || at.top == "" || at.root == at.top || (other == "" || other == at.root) && !settings.IsVault(at.top) {
		return "", err
	}
	rel, err := filepath.Rel(at.top, at.root)
	if dir := path.Dir(filepath.ToSlash(rel)); err == nil && path.Base(rel) == "memory" && dir != "." {
		return dir, nil
	}
	return filepath.ToSlash(rel), err
}

// outgrown has the vault around a new one forget what lies in that: its index is made anew
// with the next command.
func outgrown(at site) {
	if around, ok := settings.Above(filepath.Dir(at.root)); ok {
		for _, name := range []string{"index.db", "index.db-wal", "index.db-shm"} {
			_ = disk.Remove(filepath.Join(around, ".cp", name)) // what stays is told by doctor
		}
	}
}

package files

import (
	"path/filepath"

	"github.com/cp-memory/cp/vault"
)

// Dir is a vault's folder: its absolute name, symbolic links resolved.
type Dir string

// abs returns the absolute name of a path of the vault.
func (d Dir) abs(p vault.Path) string { return filepath.Join(string(d), filepath.FromSlash(string(p))) }

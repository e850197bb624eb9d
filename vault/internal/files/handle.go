package files

import (
	"strings"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/disk/sysfile"
)

// handle is an open file or folder, and entry a name in one.
type (
	handle = sysfile.Handle
	entry  = sysfile.Entry
)

// openDir opens a folder of the vault so that no symbolic link can slip into the way.
// openFile does so with a file.
func (d Dir) openDir(p vault.Path) (handle, error) { return d.openBelow(p, sysfile.Folder) }

func (d Dir) openFile(p vault.Path) (handle, error) { return d.openBelow(p, 0) }

func (d Dir) openBelow(p vault.Path, how sysfile.How) (handle, error) {
	root, err := sysfile.Open(string(d), sysfile.Folder)
	if err != nil || p == "" {
		return root, err
	}
	defer root.Close()
	if h, err := root.Beneath(string(p), how); err != sysfile.ErrNoBeneath {
		return h, err
	}
	at := root
	for parts := strings.Split(string(p), "/"); ; parts = parts[1:] {
		if len(parts) == 1 {
			h, err := at.Open(parts[0], how)
			if at != root {
				at.Close()
			}
			return h, err
		}
		next, err := at.Open(parts[0], sysfile.Folder)
		if at != root {
			at.Close()
		}
		if err != nil {
			return handle{}, err
		}
		at = next
	}
}

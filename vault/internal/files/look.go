package files

import (
	"context"
	"errors"
	"io/fs"
	"os"

	"github.com/cp-memory/cp/vault"
)

// List returns the names in a folder, in order; none where there is none.
func (d Dir) List(_ context.Context, p vault.Path) ([]string, error) {
	dir, err := d.openDir(p)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, ReadError(d.abs(p), p, err)
	}
	defer dir.Close()
	entries, err := dir.List(make([]byte, 8<<10))
	if err != nil {
		return nil, ReadError(dir.Name(), p, err)
	}
	names := make([]string, len(entries))
	for i, e := range entries {
		names[i] = e.Name
	}
	return names, nil
}

// Names returns what a folder holds, as far as it can be read.
func (d Dir) Names(dir vault.Path) map[string]bool {
	names := make(map[string]bool)
	h, err := d.openDir(dir)
	if err != nil {
		return names
	}
	defer h.Close()
	entries, _ := h.List(make([]byte, 32<<10))
	for _, e := range entries {
		names[e.Name] = true
	}
	return names
}

// Names returns the names in a folder, in no order.
func Names(dir string) ([]string, error) {
	d, err := os.Open(dir)
	if err != nil {
		return nil, err
	}
	defer d.Close()
	return d.Readdirnames(-1)
}

package files

import (
	"context"
	"errors"
	"io/fs"
	"os"

	"github.com/cp-memory/cp/vault"
)

// Look tells what stands at p on disk, under any case or Unicode form of the
// name, and whether the folder of its children is there.
func (d Dir) Look(_ context.Context, p vault.Path) (vault.Entry, error) {
	dir, err := d.openDir(p.Dir())
	if errors.Is(err, fs.ErrNotExist) {
		return vault.Entry{}, nil
	}
	if err != nil {
		return vault.Entry{}, ReadError(d.abs(p.Dir()), p.Dir(), err)
	}
	defer dir.close()
	entries, err := dir.list(make([]byte, 8<<10))
	if err != nil {
		return vault.Entry{}, ReadError(dir.name, p.Dir(), err)
	}
	var spot vault.Entry
	file, folder := Fold(p.Base()), Fold(p.Stem().Base())
	for _, e := range entries {
		key := Fold(e.name)
		spot.File = spot.File || key == file
		spot.Folder = spot.Folder || key == folder
	}
	return spot, nil
}

// Names returns what a folder holds, as far as it can be read.
func (d Dir) Names(dir vault.Path) map[string]bool {
	names := make(map[string]bool)
	h, err := d.openDir(dir)
	if err != nil {
		return names
	}
	defer h.close()
	entries, _ := h.list(make([]byte, 32<<10))
	for _, e := range entries {
		names[e.name] = true
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

package gitstore

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/cp-memory/cp/vault/disk"
)

// packs finds packs that are not those their indexes were made of. A pack ends
// in the hash of all before it, and its index in that hash and its own.
func (x *examiner) packs() error {
	all, err := filepath.Glob(filepath.Join(x.d.Common, "objects", "pack", "pack-*.pack"))
	if err != nil {
		return err
	}
	for _, pack := range all {
		size := int64(len(strings.TrimSuffix(filepath.Base(pack), ".pack"))-len("pack-")) / 2
		ends, err := tail(pack, size, 0)
		if err != nil {
			return err
		}
		named, err := tail(strings.TrimSuffix(pack, ".pack")+".idx", size, size)
		if err != nil || bytes.Equal(ends, named) {
			continue // without an index it is none of git's yet
		}
		x.d.Packs = append(x.d.Packs, pack)
		x.found("%s is cut off or was changed", pack)
		x.step("move it aside, take out of it what can be read, and look on")
	}
	return nil
}

// tail returns size bytes of a file, so many before its end; nothing of one that is shorter.
func tail(path string, size, before int64) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil || info.Size() < size+before {
		return nil, err
	}
	b := make([]byte, size)
	_, err = f.ReadAt(b, info.Size()-before-size)
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return b, err
}

// packs moves the packs aside, with what was made of them, and unpacks what they
// still hold: git reads a pack from its beginning until it breaks off.
func (r rescuer) packs() error {
	for _, pack := range r.d.Packs {
		stem := strings.TrimSuffix(pack, ".pack")
		for _, end := range []string{".idx", ".rev", ".bitmap", ".mtimes", ".keep", ".promisor", ".pack"} {
			if present(stem + end) {
				if err := r.move(stem + end); err != nil {
					return err
				}
			}
		}
		rel, err := filepath.Rel(r.d.Common, pack)
		if err != nil {
			return err
		}
		if err := r.unpack(filepath.Join(r.keep, rel)); err != nil {
			return err
		}
	}
	if len(r.d.Packs) == 0 {
		return nil
	}
	for _, derived := range []string{"multi-pack-index", "../info/commit-graph"} { // they name what is not there any more
		if at := filepath.Join(r.d.Common, "objects", "pack", derived); present(at) {
			if err := r.move(at); err != nil {
				return err
			}
		}
	}
	return disk.SyncFS(r.d.Common)
}

func (r rescuer) unpack(pack string) error {
	f, err := os.Open(pack)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer f.Close()
	cmd := command(r.x.ctx, r.d.Top, nil, "--git-dir="+r.d.Dir, "unpack-objects", "-r", "-q")
	cmd.Stdin = f
	_ = cmd.Run() // that it breaks off is why we are here; what is missing is looked at next
	return r.x.ctx.Err()
}

package repair

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// packs finds packs that are not those their indexes were made of. A pack ends
// in the hash of all before it, and its index in that hash and its own.
func (x *examiner) packs() error {
	all, err := filepath.Glob(filepath.Join(x.common, "objects", "pack", "pack-*.pack"))
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
		x.found("%s is cut off or was changed", pack)
		x.aside(pack)
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

// aside adds the commands that move a pack away, with what was made of it, and
// unpack what it still holds: git reads a pack from its beginning until it breaks off.
func (x *examiner) aside(pack string) {
	to := filepath.Join(x.common, "cp", "broken")
	x.command("mkdir -p %s && mv %s* %s", quoted(to), quoted(strings.TrimSuffix(pack, "pack")), quoted(to))
	x.command("rm -f %s %s", quoted(filepath.Join(x.common, "objects", "pack", "multi-pack-index")), quoted(filepath.Join(x.common, "objects", "info", "commit-graph")))
	x.command("git -C %s unpack-objects -r -q <%s || true", quoted(x.d.Top), quoted(filepath.Join(to, filepath.Base(pack))))
}

package repair

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/cp-memory/cp/gitstore/plumb"
)

// empties finds refs and objects of no bytes.
func (x *examiner) empties() error {
	for _, sub := range []string{"refs", "objects"} {
		root := filepath.Join(x.CommonDir(), sub)
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || strings.HasSuffix(path, ".lock") {
				return x.ctx.Err()
			}
			info, err := d.Info()
			if err != nil || info.Size() > 0 || sub == "objects" && !loose(root, path) {
				return nil
			}
			x.nothingIn(path)
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func (x *examiner) nothingIn(path string) {
	x.addFinding("%s is empty", path)
	x.command("rm -f %s", shellQuote(path))
}

// loose reports whether path, below the folder of objects, is a loose object's.
func loose(root, path string) bool {
	rel, err := filepath.Rel(root, path)
	return err == nil && len(filepath.Dir(rel)) == 2
}

// checkIndex finds out whether the index can be read and everything is there that it names.
func (x *examiner) checkIndex() error {
	list, err := x.List(x.ctx, nil, "ls-files", "-s", "-z")
	if err != nil && plumb.ExitCode(err) < 0 {
		return err
	}
	if err != nil {
		x.addFinding("%s cannot be read", filepath.Join(x.GitDir(), "index"))
	} else if missing := x.countMissing(list); missing > 0 {
		x.addFinding("the index names %d objects that are missing", missing)
	} else {
		return nil
	}
	x.d.Index = true
	x.addStep("make the index anew from the commit; the old one stays beside it as index.broken-…, since a staged text that is not on disk is named there alone")
	return nil
}

// countMissing counts the objects that entries of ls-files -s name and nothing holds.
func (x *examiner) countMissing(list []string) int {
	var ids []string
	for _, entry := range list {
		if words, _ := plumb.Record(entry); len(words) == 3 && words[0] != "160000" { // a submodule's commit is elsewhere
			ids = append(ids, words[1])
		}
	}
	n, _ := x.Missing(x.ctx, ids)
	return n
}

// packs finds packs that are not those their indexes were made of. A pack ends
// in the hash of all before it, and its index in that hash and its own.
func (x *examiner) packs() error {
	all, err := filepath.Glob(filepath.Join(x.CommonDir(), "objects", "pack", "pack-*.pack"))
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
		x.addFinding("%s is cut off or was changed", pack)
		x.setPackAside(pack)
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

// setPackAside adds the commands that move a pack away, with what was made of it, and
// unpack what it still holds: git reads a pack from its beginning until it breaks off.
func (x *examiner) setPackAside(pack string) {
	to := filepath.Join(x.CommonDir(), "cp", "broken")
	x.command("mkdir -p %s && mv %s* %s", shellQuote(to), shellQuote(strings.TrimSuffix(pack, "pack")), shellQuote(to))
	x.command("rm -f %s %s", shellQuote(filepath.Join(x.CommonDir(), "objects", "pack", "multi-pack-index")), shellQuote(filepath.Join(x.CommonDir(), "objects", "info", "commit-graph")))
	x.command("git -C %s unpack-objects -r -q <%s || true", shellQuote(x.Top()), shellQuote(filepath.Join(to, filepath.Base(pack))))
}

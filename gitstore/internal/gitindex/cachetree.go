package gitindex

import (
	"bytes"
	"path"
	"strconv"

	"github.com/cp-memory/cp/gitstore/internal/object"
)

// The extension TREE holds the ids of the trees that the index would be written
// as, in depth-first order:
//
//	<name>\0<count of entries, -1 if unknown> <count of folders>\n[<id>]
//
// The id is there only when the count is known.

// invalidateTrees marks as unknown the folders that hold a changed name; nil
// when the extension is damaged, and then is left out.
func invalidateTrees(data []byte, changes map[string]change) []byte {
	stale := map[string]bool{"": true}
	for name := range changes {
		for dir := path.Dir(name); dir != "." && !stale[dir]; dir = path.Dir(dir) {
			stale[dir] = true
		}
	}
	c := treeCache{in: data, out: make([]byte, 0, len(data)), stale: stale}
	if !c.copyFolder("", 0) || len(c.in) != 0 {
		return nil
	}
	return c.out
}

// treeCache copies the extension from in to out.
type treeCache struct {
	in    []byte
	out   []byte
	stale map[string]bool
}

// maxTreeDepth bounds the recursion on a damaged index.
const maxTreeDepth = 4096

// copyFolder copies one folder and those in it. parent is the path of the folder above.
func (c *treeCache) copyFolder(parent string, depth int) bool {
	name, rest, ok := bytes.Cut(c.in, []byte{0})
	line, rest, ok2 := bytes.Cut(rest, []byte{'\n'})
	entries, folders, ok3 := counts(line)
	if !ok || !ok2 || !ok3 || depth > maxTreeDepth {
		return false
	}
	id := rest
	if entries >= 0 {
		if len(rest) < object.IDSize {
			return false
		}
		id, rest = rest[:object.IDSize], rest[object.IDSize:]
	} else {
		id = nil
	}
	c.in = rest
	dir := path.Join(parent, string(name))
	if c.stale[dir] {
		entries, id = -1, nil
	}
	c.out = append(append(c.out, name...), 0)
	c.out = strconv.AppendInt(c.out, int64(entries), 10)
	c.out = append(c.out, ' ')
	c.out = strconv.AppendInt(c.out, int64(folders), 10)
	c.out = append(append(c.out, '\n'), id...)
	for range folders {
		if !c.copyFolder(dir, depth+1) {
			return false
		}
	}
	return true
}

// counts parses "<entries> <folders>".
func counts(line []byte) (entries, folders int, ok bool) {
	a, b, found := bytes.Cut(line, []byte{' '})
	entries, err := strconv.Atoi(string(a))
	folders, err2 := strconv.Atoi(string(b))
	return entries, folders, found && err == nil && err2 == nil && folders >= 0
}

package repair

import (
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/cp-memory/cp/gitstore/plumb"
)

// empties finds refs and objects of no bytes.
func (x *examiner) empties() error {
	for _, sub := range []string{"refs", "objects"} {
		root := filepath.Join(x.common, sub)
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
	x.found("%s is empty", path)
	x.command("rm -f %s", quoted(path))
}

// loose reports whether path below the folder of objects is that of a loose one.
func loose(root, path string) bool {
	rel, err := filepath.Rel(root, path)
	return err == nil && len(filepath.Dir(rel)) == 2
}

// index finds out whether the index can be read and everything is there that it names.
func (x *examiner) index() error {
	list, err := x.repository().List(x.ctx, nil, "ls-files", "-s", "-z")
	if err != nil && plumb.ExitCode(err) < 0 {
		return err
	}
	if err != nil {
		x.found("%s cannot be read", filepath.Join(x.d.Dir, "index"))
	} else if missing := x.missing(list); missing > 0 {
		x.found("the index names %d objects that are missing", missing)
	} else {
		return nil
	}
	x.d.Index = true
	x.step("make the index anew from the commit; what was staged is on disk and no longer staged")
	return nil
}

// missing counts the objects that entries of ls-files -s name and nothing holds.
func (x *examiner) missing(list []string) int {
	var ids []string
	for _, entry := range list {
		if words, _ := plumb.Record(entry); len(words) == 3 && words[0] != "160000" { // a submodule's commit is elsewhere
			ids = append(ids, words[1])
		}
	}
	n, _ := x.repository().Missing(x.ctx, ids)
	return n
}

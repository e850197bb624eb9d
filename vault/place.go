package vault

import (
	"context"
	"fmt"

	"github.com/cp-memory/cp/pointer"
)

type pointerEntry = pointer.Entry

// place returns a free path for a file named name in dir: name.md, name-2.md, …
// Names that would stand for the folder (index, readme), and names whose folder
// exists already, are passed over, so that a new file never becomes the parent
// of what it did not create.
func (v *Vault) place(ctx context.Context, dir Path, name string) (Path, error) {
	for n := v.staged.from(dir.Join(name)); ; n = v.staged.after(dir.Join(name), n) {
		p := dir.Join(numbered(name, n) + ".md")
		if dir.Join("x").Join(p.Base()).FolderRank() > 0 {
			continue
		}
		if v.staged.has(p) {
			continue
		}
		spot, err := v.Store.Look(ctx, p)
		if err != nil {
			return "", err
		}
		if !spot.File && !spot.Folder {
			return p, nil
		}
	}
}

func numbered(name string, n int) string {
	if n == 1 {
		return name
	}
	return fmt.Sprintf("%s-%d", name, n)
}

// suffix returns the part of an id after its prefix, the fallback for a slug.
func (id ID) suffix() string {
	for i := len(id) - 1; i >= 0; i-- {
		if id[i] == '-' {
			return string(id[i+1:])
		}
	}
	return string(id)
}

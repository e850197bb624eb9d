package files

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/disk/sysfile"
)

// Folders calls enter for each folder in which a scan of dir looks, the outer
// before the inner and before it is read: what enter begins to watch then, the
// reading cannot miss. The folder of a repository inside the vault is entered
// and left. complete is false when a folder could not be read or vanished.
func (d Dir) Folders(ctx context.Context, o Leaves, dir vault.Path, enter func(p vault.Path, abs string) error) (complete bool, err error) {
	sc := &scanner{ctx: ctx, fn: func(vault.File) error { return nil }, ignores: Ignores{Leaves: o}, enter: enter, complete: true}
	sc.sub = sc.subfolder
	if dir.Within(vault.FactsDir) {
		sc.ofFacts()
	}
	open, err := d.openDir(dir)
	if err != nil || d.isForeign(dir) {
		gone := errors.Is(err, fs.ErrNotExist) || sysfile.IsSymlink(err) || sysfile.IsNotDir(err)
		return err == nil || gone, nil
	}
	defer open.Close()
	if err := sc.scanFolder(open, dir, depthOf(dir)); err != nil {
		return false, err
	}
	return sc.complete, nil
}

// depthOf is the number of folders from the vault's to dir.
func depthOf(dir vault.Path) int {
	if dir == "" {
		return 0
	}
	return 1 + strings.Count(string(dir), "/")
}

// isForeign reports whether p lies in a repository inside the vault, or in another project's
// folder.
func (d Dir) isForeign(p vault.Path) bool {
	for dir := p.Dir(); dir != ""; dir = dir.Dir() {
		abs := d.abs(dir)
		if hasFile(abs, ".git") || hasFile(abs, "HEAD") && hasFile(abs, "objects") && hasFile(abs, "refs") {
			return true
		}
	}
	return d.FindNestedProject(p) != ""
}

func hasFile(dir, name string) bool {
	_, err := os.Lstat(filepath.Join(dir, name))
	return err == nil
}

// paths scans what the scope names. One whose folder is not there any more, or
// has become a link, is as gone as one that is not there itself.
func (sc *scanner) paths(d Dir, paths []vault.Path) error {
	rules := make(map[vault.Path]*IgnoreRules)
	for _, p := range paths {
		if err := sc.ctx.Err(); err != nil {
			return err
		}
		if d.isForeign(p) {
			continue
		}
		dir, err := d.openDir(p.Dir())
		switch {
		case errors.Is(err, fs.ErrNotExist), sysfile.IsSymlink(err), sysfile.IsNotDir(err):
			continue
		case err != nil:
			sc.complete = false
			continue
		}
		if sc.facts = p.Within(vault.FactsDir); sc.facts {
			sc.rules = nil
		} else {
			if rules[p.Dir()] == nil {
				rules[p.Dir()] = d.rulesAt(sc.ignores.Rules, p.Dir())
			}
			sc.rules = rules[p.Dir()]
		}
		err = sc.scanName(dir, p)
		dir.Close()
		if err != nil {
			return err
		}
	}
	return nil
}

// scanName scans one name of an open folder.
func (sc *scanner) scanName(dir handle, p vault.Path) error {
	info, err := os.Lstat(filepath.Join(dir.Name(), p.Base()))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return sc.reportUnopened(p, err)
	}
	e := entry{Name: info.Name(), Mode: info.Mode().Type()}
	if in, _ := sc.visible(p.Dir(), []entry{e}); len(in) == 0 || sc.passes(p.Dir(), e) {
		return nil
	}
	if err := sc.scanEntry(dir, p.Dir(), e, depthOf(p.Dir())); err != nil || !e.IsDir() {
		return err
	}
	if sc.facts {
		return nil
	}
	entries, err := dir.List(sc.buffer())
	if err != nil {
		return nil // the folder itself was scanned; twins are for the next whole scan
	}
	entries, _ = sc.visible(p.Dir(), entries)
	return sc.twin(p.Dir(), e, sc.ignores.Leaves.findTwins(p.Dir(), entries))
}

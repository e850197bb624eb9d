package watch

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/fsnotify/fsnotify"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/disk/sysfile"
)

// Folders walks the folders that a scan looks into.
type Folders interface {
	// Folders calls enter for each folder below dir and for dir itself, before it
	// is read; complete is false when one could not be read.
	Folders(ctx context.Context, dir vault.Path, enter func(p vault.Path, abs string) error) (complete bool, err error)
}

// folders are those that are watched.
type folders struct {
	events  events
	watched map[vault.Path]string // by path, how they were added
}

// watchTree watches dir and all below it. An exhausted system is an error; a folder
// that vanishes meanwhile, or may not be read, is the scan's to tell. The .cp of a folder
// below the vault's is watched, too: what makes the folder another project's lies in it.
func (f *folders) watchTree(ctx context.Context, walk Folders, dir vault.Path) error {
	_, err := walk.Folders(ctx, dir, func(p vault.Path, abs string) error {
		err := f.watchFolder(p, abs)
		if mark := p + "/.cp"; err == nil && p != "" && isFolder(abs+"/.cp") {
			err = f.watchFolder(mark, abs+"/.cp")
		}
		return err
	})
	return err
}

// watchFolder watches a folder.
func (f *folders) watchFolder(p vault.Path, abs string) error {
	err := f.events.Add(abs)
	if err == nil {
		f.watched[p] = abs
	}
	if sysfile.IsExhausted(err) || errors.Is(err, fsnotify.ErrClosed) {
		return err
	}
	return nil
}

// unwatchFolder ends the watching of dir and all below it. The watch of a folder that
// was moved would else go on under its old name.
func (f *folders) unwatchFolder(dir vault.Path) {
	if len(f.watched) == 0 || f.watched[dir] == "" {
		return
	}
	for p, abs := range f.watched {
		if p == dir || strings.HasPrefix(string(p), string(dir)+"/") {
			_ = f.events.Remove(abs) // gone already, when the folder is
			delete(f.watched, p)
		}
	}
}

// addGit watches what tells of HEAD and the branches: the git directories
// themselves, and refs with all below it.
func (f *folders) addGit(dirs []string) error {
	for _, dir := range dirs {
		if err := f.events.Add(dir); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		for _, sub := range []string{"refs", "reftable"} {
			err := filepath.WalkDir(filepath.Join(dir, sub), func(path string, e fs.DirEntry, err error) error {
				if err != nil || !e.IsDir() {
					return nil
				}
				if err := f.events.Add(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
					return err
				}
				return nil
			})
			if err != nil {
				return err
			}
		}
	}
	return nil
}

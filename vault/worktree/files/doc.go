// Package files reads a vault's folder: it opens, lists, scans and compares files
// and changes none.
//
// No symbolic link is followed, no pipe blocks, and no repository inside the
// vault is entered. A scan asks the kernel once for each folder's names and once
// for each Markdown file's stat.
//
//	d := files.Dir("/home/ann/notes")
//	complete, err := d.Scan(ctx, files.Ignores{}, vault.Scope{}, func(f vault.File) error {
//		fmt.Println(f.Path, f.Stat.Size, f.Problem)
//		return nil
//	})
//
// Facts files, which stand in the vault's own folder, are scanned by their folders, see
// [Dir.ScanFacts].
//
// A half-done write of ours shows as it is; package worktree hides it.
package files

import (
	"path/filepath"

	"github.com/cp-memory/cp/vault"
)

// Dir is a vault's folder: its absolute name, symbolic links resolved.
type Dir string

// abs returns the absolute name of a path of the vault.
func (d Dir) abs(p vault.Path) string { return filepath.Join(string(d), filepath.FromSlash(string(p))) }

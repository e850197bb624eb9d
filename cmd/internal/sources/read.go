package sources

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/cp-memory/cp/cmd/internal/settings"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/disk"
	"github.com/cp-memory/cp/vault/fact"
	"github.com/cp-memory/cp/vault/transfer"
)

// Found are the files to import.
type Found struct {
	Files  []transfer.File // those too that look like Markdown and could not be read
	Facts  []transfer.File // of the memories, where a vault is read
	Others []string        // files that are no Markdown, which stay behind
}

// Read reads the file path, or every note (see [vault.Path.IsNote]) of the
// folder path, in path order. It skips hidden files and folders in it, the vault in
// root, and vaults below it, which it names; but path itself may be hidden (.cursor/rules). It follows no symbolic links.
func Read(ctx context.Context, root, path string) (Found, error) {
	info, err := os.Stat(path)
	if err != nil {
		return Found{}, settings.ErrUnreadable(path, err)
	}
	if inside, err := isWithin(root, path); err != nil {
		return Found{}, err
	} else if inside {
		return Found{}, vault.Errorf(vault.CodeInvalid, "run: cp memory sync", "'%s' lies in the vault already; sync takes in what is new there", path)
	}
	r := reader{top: path, root: root}
	if !info.IsDir() {
		r.readFile(filepath.Base(path), path, info.Mode())
		return r.Found, nil
	}
	top, err := filepath.EvalSymlinks(path) // WalkDir does not enter a link
	if err != nil {
		return Found{}, settings.ErrUnreadable(path, err)
	}
	r.top = top
	if _, err := os.ReadDir(top); err != nil {
		return Found{}, settings.ErrUnreadable(path, err)
	}
	err = filepath.WalkDir(top, func(path string, d fs.DirEntry, err error) error {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return r.visit(path, d, err)
	})
	if err != nil {
		return r.Found, err
	}
	return r.Found, r.readFacts()
}

// readFacts reads the facts files of a vault or of an export of one.
func (r *reader) readFacts() error {
	dir := filepath.Join(r.top, filepath.FromSlash(fact.Dir))
	return filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() || filepath.Ext(path) != ".json" {
			return nil // what cannot be read does not come along
		}
		if text, err := readLimited(path, vault.MaxFile); err == nil {
			r.Facts = append(r.Facts, transfer.File{Rel: r.rel(path), Text: text})
		}
		return nil
	})
}

// isWithin reports whether path, links resolved, is root or lies below it. What is hidden there is none
// of the vault's, but for its own folder.
func isWithin(root, path string) (bool, error) {
	real, err := filepath.EvalSymlinks(path)
	if err == nil {
		real, err = filepath.Abs(real)
	}
	if err != nil {
		return false, settings.ErrUnreadable(path, err)
	}
	rel, err := filepath.Rel(root, real)
	if err != nil || !filepath.IsLocal(rel) {
		return false, nil
	}
	parts := strings.Split(filepath.ToSlash(rel), "/")
	hidden := rel != "." && slices.ContainsFunc(parts, func(part string) bool { return strings.HasPrefix(part, ".") })
	return !hidden || parts[0] == ".cp", nil
}

// reader collects the files of one folder.
type reader struct {
	Found
	top  string
	root string // the vault, which is left out
}

// visit is called for everything below top.
func (r *reader) visit(path string, d fs.DirEntry, err error) error {
	rel := r.rel(path)
	folders := strings.Count(rel, "/")
	if d != nil && d.IsDir() {
		folders++
	}
	switch {
	case path == r.top:
		return err
	case strings.HasPrefix(filepath.Base(path), "."):
		return skipFolder(d)
	case err != nil:
		r.skip(rel, disk.Cause(err).Error())
		return skipFolder(d)
	case path == r.root:
		return filepath.SkipDir
	case folders > vault.MaxDepth:
		r.skip(rel, fmt.Sprintf("deeper than %d folders", vault.MaxDepth))
		return skipFolder(d)
	case d.IsDir() && isVault(path):
		r.skip(rel, "a vault of its own: `cp memory import` its folder by itself")
		return filepath.SkipDir
	case d.IsDir():
		return nil
	case d.Type()&fs.ModeSymlink != 0:
		r.link(rel, path)
		return nil
	}
	if vault.Path(filepath.Base(path)).IsNote() {
		r.readFile(rel, path, d.Type())
	} else {
		r.Others = append(r.Others, rel)
	}
	return nil
}

// isVault reports whether a folder is a vault.
func isVault(dir string) bool {
	_, err := os.Lstat(filepath.Join(dir, ".cp", "vault.yaml"))
	return err == nil
}

func skipFolder(d fs.DirEntry) error {
	if d.IsDir() {
		return filepath.SkipDir
	}
	return nil
}

func (r *reader) rel(path string) string {
	rel, err := filepath.Rel(r.top, path)
	if err != nil {
		return path
	}
	return filepath.ToSlash(rel)
}

// link reports a symbolic link to Markdown or to a folder.
func (r *reader) link(rel, path string) {
	info, err := os.Stat(path)
	if vault.Path(filepath.Base(path)).IsNote() || err == nil && info.IsDir() {
		r.skip(rel, "a symbolic link, not followed")
	}
}

// readFile reads one file.
func (r *reader) readFile(rel, path string, mode fs.FileMode) {
	if !mode.IsRegular() { // opening a pipe would hang
		r.skip(rel, "not a regular file")
		return
	}
	text, err := readLimited(path, vault.MaxFile)
	switch {
	case err != nil:
		r.skip(rel, disk.Cause(err).Error())
	case len(text) > vault.MaxFile:
		r.skip(rel, fmt.Sprintf("larger than %d MiB", vault.MaxFile>>20))
	default:
		r.Files = append(r.Files, transfer.File{Rel: rel, Text: text})
	}
}

// readLimited reads a file, one byte past the limit at the most.
func readLimited(path string, most int64) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, most+1))
}

func (r *reader) skip(rel, why string) {
	r.Files = append(r.Files, transfer.File{Rel: rel, Err: errors.New(why)})
}

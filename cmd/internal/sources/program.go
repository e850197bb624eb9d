package sources

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/cp-memory/cp/cmd/internal/settings"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/disk"
	"github.com/cp-memory/cp/vault/transfer"
)

// Program reads what another program keeps at path: the Markdown of a folder, or one file,
// which may be named by the folder that holds it. now is the time for what has no date.
func Program(ctx context.Context, form transfer.Form, root, path string, now time.Time) ([]transfer.File, error) {
	switch {
	case form.Tree:
		return tree(ctx, form, root, path)
	case form.Kind == transfer.Observations:
		return observations(form, path, now)
	}
	return readOneFile(form, path)
}

// tree reads the Markdown of a folder. What is no Markdown is named in one row.
func tree(ctx context.Context, form transfer.Form, root, path string) ([]transfer.File, error) {
	path, err := folderInside(form, path)
	if err != nil {
		return nil, err
	}
	src, err := Read(ctx, root, path)
	if n := len(src.Others); err == nil && n > 0 {
		some := strings.Join(src.Others[:min(n, 3)], ", ")
		if n > 3 {
			some += " …"
		}
		src.Files = append(src.Files, transfer.File{Rel: some, Err: fmt.Errorf("%s no Markdown and stay behind", vault.Plural(n, "file is", "files are"))})
	}
	return src.Files, err
}

// folderInside returns the folder that a form means, where one above it is named. Where the form has a
// hidden one, as .claude/rules, no other is taken: all Markdown of a repository would come in.
func folderInside(form transfer.Form, path string) (string, error) {
	for _, name := range form.Inside {
		above, last := filepath.Split(filepath.FromSlash(name))
		inside := filepath.Join(path, above, last)
		if above != "" && filepath.Base(path) == filepath.Clean(above) {
			inside = filepath.Join(path, last)
		}
		switch {
		case exists(inside) && !exists(filepath.Join(path, "MEMORY.md")):
			return inside, nil
		case above != "" && isFolder(path) && !slices.Contains(strings.Split(filepath.ToSlash(path), "/"), last):
			return "", vault.Errorf(vault.CodeNotFound, "give "+form.Takes, "there is no folder %s in '%s'", name, path)
		}
	}
	return path, nil
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// readOneFile reads one file. Of a folder it takes the file that the program has there.
func readOneFile(form transfer.Form, path string) ([]transfer.File, error) {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		folder := path
		for _, name := range form.Inside {
			if inside := filepath.Join(folder, filepath.FromSlash(name)); path == folder && exists(inside) {
				path = inside
			}
		}
		if path == folder {
			return nil, vault.Errorf(vault.CodeInvalid, "give "+form.Takes, "'%s' is a folder", path)
		}
	}
	text, err := readWholeFile(path)
	switch {
	case errors.Is(err, errIrregular):
		return nil, vault.Errorf(vault.CodeInvalid, "give "+form.Takes, "'%s' is no regular file", path)
	case errors.Is(err, errLarge):
		return nil, vault.Errorf(vault.CodeInvalid, "import it in parts", "'%s' is larger than %d MiB", path, maxWhole>>20)
	case err != nil:
		return nil, settings.ErrUnreadable(path, err)
	}
	return []transfer.File{{Rel: filepath.Base(path), Text: text}}, nil
}

// observations reads one file, or those of the form that lie in a folder. One that cannot be
// read does not keep the other one out.
func observations(form transfer.Form, path string, now time.Time) (files []transfer.File, err error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, settings.ErrUnreadable(path, err)
	}
	names := []string{path}
	if info.IsDir() {
		names = nil
		for _, name := range form.Inside {
			names = append(names, filepath.Join(path, name))
		}
	}
	for _, name := range names {
		if text, err := readWholeFile(name); !errors.Is(err, os.ErrNotExist) {
			files = append(files, transfer.File{Rel: filepath.Base(name), Text: text, At: now, Err: err})
		}
	}
	return files, nil
}

// maxWhole bounds a single file of another program, in bytes.
const maxWhole = 64 << 20

// Why a file is not read whole.
var (
	errIrregular = errors.New("it is no regular file") // opening a pipe would hang
	errLarge     = errors.New("it is larger than 64 MB")
)

// readWholeFile reads a regular file of at most maxWhole bytes. The error tells the cause alone.
func readWholeFile(path string) ([]byte, error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, disk.Cause(err)
	case !info.Mode().IsRegular():
		return nil, errIrregular
	}
	text, err := readLimited(path, maxWhole)
	switch {
	case err != nil:
		return nil, disk.Cause(err)
	case len(text) > maxWhole:
		return nil, errLarge
	}
	return text, nil
}

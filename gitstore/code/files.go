package code

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/cp-memory/cp/gitstore"
	"github.com/cp-memory/cp/gitstore/internal/object"
	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/about"
	"github.com/cp-memory/cp/vault/disk/sysfile"
)

// largest bounds the files that are read, in bytes.
const largest = 64 << 20

// files is the work tree at top.
type files struct {
	top  string
	repo *gitstore.Repo // nil where there is none
}

// Stat is that of [about.Files].
func (f files) Stat(path string) (stat vault.Stat, there bool, why string) {
	if about.IsInGit(path) {
		return stat, false, "it lies in a .git folder"
	}
	st, err := sysfile.Lstat(filepath.Join(f.top, filepath.FromSlash(path)))
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) || sysfile.IsNotDir(err) {
			return stat, false, ""
		}
		return stat, false, "it cannot be read"
	}
	stat = vault.Stat{Size: st.Size, MTime: st.MTime, CTime: st.CTime, Inode: st.Inode}
	switch st.Mode.Type() {
	case 0:
		if st.Size > largest {
			why = "it is larger than 64 MiB"
		}
	case fs.ModeSymlink:
		why = "it is a symbolic link"
	case fs.ModeDir:
		why = "it is a folder"
	default:
		why = "it is no regular file"
	}
	return stat, true, why
}

// Read is that of [about.Files].
func (f files) Read(path string) ([]byte, error) {
	root, err := os.OpenRoot(f.top)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	name := filepath.FromSlash(path)
	for at := name; at != "."; at = filepath.Dir(at) {
		info, err := root.Lstat(at)
		if err != nil {
			return nil, err
		}
		if info.Mode()&os.ModeSymlink != 0 || at == name && !info.Mode().IsRegular() {
			return nil, fmt.Errorf("%s: a link, or no regular file", at)
		}
	}
	file, err := root.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return io.ReadAll(io.LimitReader(file, largest+1))
}

// BlobOf is that of [about.Files].
func (f files) BlobOf(text []byte) string {
	return f.RawBlobOf(bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n")))
}

// RawBlobOf is that of [about.Files].
func (f files) RawBlobOf(text []byte) string {
	if f.repo != nil {
		return f.repo.BlobID(text)
	}
	return object.IDs{}.HashObject(object.KindBlob, text)
}

// WhyAbsent is that of [about.Files].
func (f files) WhyAbsent(ctx context.Context, path string) (string, error) {
	if f.repo == nil {
		return "", nil
	}
	head, err := f.repo.Tip(ctx)
	if err != nil {
		return "", err
	}
	if inner, _, err := submodule(ctx, f.repo, head, path); inner != nil && inner.repo == nil || err != nil {
		return "it lies in a submodule that is not there", err
	}
	out, err := f.repo.Run(ctx, nil, "ls-files", "-u", "--", path)
	if err != nil || len(out) > 0 {
		return "git's index holds conflicts about it", err
	}
	if ignored, err := f.isIgnored(ctx, path); ignored || err != nil {
		return "git ignores it", err
	}
	return "", nil
}

// Attribute is that of [about.Files].
func (f files) Attribute(ctx context.Context, path, name string) (string, error) {
	if f.repo == nil || !f.mayHave(ctx, path, name) {
		return "", nil
	}
	fields, err := f.repo.List(ctx, []byte(path+"\x00"), "check-attr", "-z", "--stdin", name)
	if err != nil || len(fields) < 3 || fields[2] == "unspecified" || fields[2] == "unset" || fields[2] == "false" {
		return "", err
	}
	return fields[2], nil
}

var _ about.Files = files{}

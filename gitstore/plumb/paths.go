package plumb

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// CommonDirOf follows the file commondir that a linked work tree's directory has.
func CommonDirOf(gitDir string) (string, error) {
	b, err := os.ReadFile(filepath.Join(gitDir, "commondir"))
	if errors.Is(err, fs.ErrNotExist) {
		return gitDir, nil
	}
	if err != nil {
		return "", err
	}
	to := strings.TrimSpace(string(b))
	if !filepath.IsAbs(to) {
		to = filepath.Join(gitDir, to)
	}
	return filepath.EvalSymlinks(to)
}

// ValidRef keeps a ref's name from leading out of the git directory.
func ValidRef(ref string) bool {
	return strings.HasPrefix(ref, "refs/") && !strings.Contains(ref, "..") && !strings.ContainsAny(ref, "\\ \n\x00")
}

// IsFolder reports whether a read failed because the name is a folder's: the
// branch "a" while "a/b" has left its folder behind.
func IsFolder(err error) bool {
	var path *fs.PathError
	return errors.As(err, &path) && errors.Is(path.Err, syscall.EISDIR)
}

// ReadWithStat reads a file and the stat of the same open file.
func ReadWithStat(path string) ([]byte, fs.FileInfo, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, nil, err
	}
	raw := make([]byte, info.Size())
	_, err = io.ReadFull(f, raw)
	return raw, info, err
}

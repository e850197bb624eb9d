package plumb

import (
	"context"
	"crypto/sha1"
	"crypto/sha256"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/cp-memory/cp/vault/disk/sysfile"
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

// ReadGitFile returns the git directory that the file .git of a linked work tree or a
// submodule names; empty for a file that names none.
func ReadGitFile(dot string) (dir string, err error) {
	if info, err := os.Stat(dot); err != nil || !info.Mode().IsRegular() { // opening a pipe would hang
		return "", err
	}
	b, err := os.ReadFile(dot)
	to, ok := strings.CutPrefix(strings.TrimRight(string(b), "\r\n"), "gitdir: ")
	if err != nil || !ok {
		return "", err
	}
	if !filepath.IsAbs(to) {
		to = filepath.Join(filepath.Dir(dot), to)
	}
	return to, nil
}

// Move is a line of a reflog: where a ref was and is, and why it moved.
type Move struct{ Old, New, Why string }

// ParseMove reads a line "<old> <new> <who, when>\t<why>"; false for any other, such
// as one that a power cut has filled with zero bytes.
func ParseMove(line string) (m Move, ok bool) {
	ids, why, _ := strings.Cut(strings.TrimRight(line, "\n"), "\t")
	parts := strings.SplitN(ids, " ", 3)
	if len(parts) < 3 || !IsHex(parts[0]) || !IsHex(parts[1]) {
		return m, false
	}
	return Move{parts[0], parts[1], why}, true
}

// IsHex reports whether s is an id's worth of lower-case hex digits.
func IsHex(s string) bool {
	return (len(s) == 2*sha1.Size || len(s) == 2*sha256.Size) && strings.Trim(s, "0123456789abcdef") == ""
}

// Sleep waits. If a context ends before, it returns that one's error.
func Sleep(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}

// ValidRef keeps a ref's name from leading out of the git directory.
func ValidRef(ref string) bool {
	return strings.HasPrefix(ref, "refs/") && !strings.Contains(ref, "..") && !strings.ContainsAny(ref, "\\ \n\x00")
}

// IsFolder reports whether a read failed because the name is a folder's: the
// branch "a" while "a/b" has left its folder behind.
func IsFolder(err error) bool {
	var path *fs.PathError
	return errors.As(err, &path) && sysfile.IsDir(path.Err)
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

package worktree

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"

	"github.com/cp-memory/cp/vault"
)

func isSymlink(err error) bool { return errors.Is(err, unix.ELOOP) || errors.Is(err, unix.EMLINK) }

// reason returns what is wrong without the names around it.
func reason(err error) string {
	var errno unix.Errno
	if errors.As(err, &errno) {
		return errno.Error()
	}
	return err.Error()
}

// readError tells a person why a file or folder cannot be read.
func readError(abs string, p vault.Path, err error) error {
	e := &vault.Error{Code: vault.CodeDamaged, Path: string(p), Err: err}
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, unix.ENOTDIR):
		e.Code, e.Msg = vault.CodeNotFound, "there is no such file"
	case isSymlink(err):
		e.Msg, e.Hint = "a symbolic link, which cp does not follow", "put the file itself there"
	case errors.Is(err, errNotRegular):
		e.Msg = "not a regular file"
	case errors.Is(err, errTooBig):
		e.Msg, e.Hint = "larger than the 4 MiB a memory may have", "split it"
	default:
		e.Code, e.Msg, e.Hint = vault.CodeIO, "cannot be read: "+reason(err), "ls -ld "+quote(abs)
	}
	return e
}

// writeError tells a person why a write stopped before it began.
func (s *Store) writeError(err error) error {
	var ours *vault.Error
	if errors.As(err, &ours) {
		return err
	}
	e := s.described(err)
	e.Hint += "; nothing has changed"
	return e
}

// stopped tells why a write stopped whose intent is durable. To the command
// that made it that is as good as done; to a later one, in its way.
func (r *run) stopped(err error) error {
	e := r.s.described(err)
	if r.again {
		e.Msg = "an earlier write is not finished: " + e.Msg
		e.Hint += "; this command has changed nothing"
	} else {
		e.Hint += "; the next cp command finishes this write, so do not repeat it"
	}
	return e
}

// described returns err with its code, path and remedy.
func (s *Store) described(err error) *vault.Error {
	e := &vault.Error{Code: vault.CodeIO, Msg: "cannot be written: " + reason(err), Err: err}
	var ours *vault.Error
	var pe *fs.PathError
	var le *os.LinkError
	switch {
	case errors.As(err, &ours):
		*e = *ours
	case errors.As(err, &pe):
		e.Path = s.short(pe.Path)
	case errors.As(err, &le):
		e.Path = s.short(le.New)
		if strings.HasPrefix(filepath.Base(le.New), ".cp-") { // a name of ours; what is in the way is the person's file
			e.Path = s.short(le.Old)
		}
	default:
		e.Msg = "the vault " + e.Msg
	}
	if e.Code == vault.CodeIO || e.Hint == "" {
		e.Hint = remedy(err, s.long(e.Path))
	}
	return e
}

func remedy(err error, name string) string {
	switch {
	case errors.Is(err, unix.ENOSPC), errors.Is(err, unix.EDQUOT):
		return "free some space on the disk"
	case errors.Is(err, unix.EROFS):
		return "the file system is mounted read-only"
	case errors.Is(err, fs.ErrPermission):
		return "make it writable: ls -ld " + quote(name)
	}
	return "look at the disk"
}

// long returns the absolute name of what short has shortened.
func (s *Store) long(name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(s.root, name)
}

// short returns an absolute name relative to the vault where it lies below it.
func (s *Store) short(abs string) string {
	if rel, err := filepath.Rel(s.root, abs); err == nil && rel != "." && rel != ".." && !strings.HasPrefix(rel, "../") {
		return visible(filepath.ToSlash(rel))
	}
	return visible(abs)
}

// quote makes a name safe to paste into a shell.
func quote(name string) string {
	safe := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("/._-+:@%,", r)
	}
	if name != "" && strings.IndexFunc(name, func(r rune) bool { return !safe(r) }) < 0 {
		return name
	}
	return "'" + strings.ReplaceAll(visible(name), "'", `'\''`) + "'"
}

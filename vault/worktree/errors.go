package worktree

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/disk/sysfile"
	"github.com/cp-memory/cp/vault/internal/files"
)

// writeError tells a person why a write stopped before it began.
func (s *Store) writeError(err error) error {
	var ours *vault.Error
	if errors.As(err, &ours) || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	e := s.describeError(err)
	e.Hint += "; nothing has changed"
	return e
}

// errStopped tells why a write stopped whose intent is durable. To the command
// that made it that is as good as done; to a later one, in its way.
func (r *run) errStopped(err error) error {
	e := r.s.describeError(err)
	if r.again {
		e.Msg = "an earlier write is not finished: " + e.Msg
		e.Hint += "; this command has changed nothing"
	} else {
		e.Hint += "; the next cp command finishes this write, so do not repeat it"
	}
	return e
}

// describeError returns err with its code, path and remedy.
func (s *Store) describeError(err error) *vault.Error {
	e := &vault.Error{Code: vault.CodeIO, Msg: "cannot be written: " + sysfile.Reason(err), Err: err}
	var ours *vault.Error
	var pe *fs.PathError
	var le *os.LinkError
	switch {
	case errors.As(err, &ours):
		*e = *ours
	case errors.As(err, &pe):
		e.Path = s.relativeName(pe.Path)
	case errors.As(err, &le):
		e.Path = s.relativeName(le.New)
		if strings.HasPrefix(filepath.Base(le.New), ".cp-") { // a name of ours; what is in the way is the person's file
			e.Path = s.relativeName(le.Old)
		}
	default:
		e.Msg = "the vault " + e.Msg
	}
	if e.Code == vault.CodeIO || e.Hint == "" {
		e.Hint = hintFor(err, s.long(e.Path))
	}
	return e
}

func hintFor(err error, name string) string {
	switch {
	case sysfile.IsFull(err):
		return "free some space on the disk"
	case sysfile.IsReadOnly(err):
		return "the file system is mounted read-only"
	case errors.Is(err, fs.ErrPermission):
		return "make it writable: ls -ld " + files.Quote(name)
	}
	return "look at the disk"
}

// long returns the absolute name for a name that short has shortened.
func (s *Store) long(name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(string(s.Dir), name)
}

// relativeName returns an absolute name relative to the vault where it lies below it.
func (s *Store) relativeName(abs string) string {
	if rel, err := filepath.Rel(string(s.Dir), abs); err == nil && rel != "." && rel != ".." && !strings.HasPrefix(rel, "../") {
		return files.Visible(filepath.ToSlash(rel))
	}
	return files.Visible(abs)
}

package plumb

import (
	"errors"
	"io/fs"
	"os"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/disk/sysfile"
)

// IOError gives errors of the operating system their code.
func IOError(err error) error {
	var e *vault.Error
	var path *fs.PathError
	var link *os.LinkError
	var call *os.SyscallError
	switch {
	case errors.As(err, &e):
		return err
	case sysfile.IsReadOnly(err):
		return &vault.Error{Code: vault.CodeIO, Msg: "the repository lies on a file system that is mounted read-only", Hint: "mount it so that it can be written; what only reads works", Err: err}
	case errors.As(err, &path), errors.As(err, &link), errors.As(err, &call):
		return &vault.Error{Code: vault.CodeIO, Msg: firstOf(err).Error(), Hint: "look at free space and permissions, then run the command again", Err: err}
	}
	return err
}

// firstOf returns the first of errors that were joined: on a full or read-only
// disk the others say the same of other files.
func firstOf(err error) error {
	if all, ok := err.(interface{ Unwrap() []error }); ok && len(all.Unwrap()) > 0 {
		return firstOf(all.Unwrap()[0])
	}
	return err
}

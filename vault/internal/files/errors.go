package files

import (
	"errors"
	"io/fs"
	"strings"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/disk/sysfile"
)

// ReadError tells a person why a file or folder cannot be read.
func ReadError(abs string, p vault.Path, err error) error {
	e := &vault.Error{Code: vault.CodeDamaged, Path: string(p), Err: err}
	switch {
	case errors.Is(err, fs.ErrNotExist), sysfile.IsNotDir(err):
		e.Code, e.Msg = vault.CodeNotFound, "there is no such file"
	case sysfile.IsSymlink(err):
		e.Msg, e.Hint = "a symbolic link, which cp does not follow", "put the file itself there"
	case errors.Is(err, ErrNotRegular):
		e.Msg = "not a regular file"
	case errors.Is(err, ErrTooBig):
		e.Msg, e.Hint = "larger than the 4 MiB a memory may have", "split it"
	default:
		e.Code, e.Msg, e.Hint = vault.CodeIO, "cannot be read: "+sysfile.Reason(err), "ls -ld "+Quote(abs)
	}
	return e
}

// Quote makes a name safe to paste into a shell.
func Quote(name string) string {
	safe := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("/._-+:@%,", r)
	}
	if name != "" && strings.IndexFunc(name, func(r rune) bool { return !safe(r) }) < 0 {
		return name
	}
	return "'" + strings.ReplaceAll(Visible(name), "'", `'\''`) + "'"
}

// CompareCommand returns the command that shows how two files differ.
func CompareCommand(a, b string) string { return "git diff --no-index " + Quote(a) + " " + Quote(b) }

// IgnoreMissing returns no error where err says that a file is not there.
func IgnoreMissing(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

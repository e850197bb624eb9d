package plumb

import (
	"errors"
	"io/fs"
	"syscall"
	"testing"

	"github.com/cp-memory/cp/vault"
)

// What the disk says becomes one sentence, also when it says it many times.
func TestDiskErrors(t *testing.T) {
	of := func(path string, err error) error { return &fs.PathError{Op: "remove", Path: path, Err: err} }
	for _, row := range []struct {
		err  error
		want string
	}{
		{errors.Join(of("a", syscall.EIO), of("b", syscall.EIO)), "remove a: input/output error"},
		{errors.Join(nil, errors.Join(of("a", syscall.EROFS), of("b", syscall.EROFS))), "the repository lies on a file system that is mounted read-only"},
		{vault.Errorf(vault.CodeBusy, "", "ours"), "ours"},
	} {
		if got := IOError(row.err); got.Error() != row.want {
			t.Errorf("got %q, want %q", got, row.want)
		}
	}
}

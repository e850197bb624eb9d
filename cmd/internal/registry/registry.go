package registry

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/disk"
	"github.com/cp-memory/cp/vault/disk/sysfile"
)

// Registry is the file.
type Registry struct {
	Path string // of the file; empty where there is none to be
}

// maxSize bounds what is read of the file, in bytes: some 50,000 entries.
const maxSize = 8 << 20

// Read returns what the file says. Without a file it is empty; Why says why one cannot be
// read.
func (r Registry) Read() List {
	b, err := r.bytes()
	if err != nil {
		return List{Why: err}
	}
	return Parse(b)
}

func (r Registry) bytes() ([]byte, error) {
	if r.Path == "" {
		return nil, nil
	}
	f, err := os.OpenFile(r.Path, os.O_RDONLY|sysfile.NoWait, 0) // a pipe would hang
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, disk.Cause(err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() || info.Size() > maxSize {
		return nil, errors.New("it is no plain file of at most 8 MiB")
	}
	b := bytes.NewBuffer(make([]byte, 0, info.Size()+bytes.MinRead)) // each command reads it, and so at once
	_, err = b.ReadFrom(io.LimitReader(f, maxSize))
	return b.Bytes(), disk.Cause(err)
}

// Update changes the file by fn, which gets what is in it now and reports whether it
// changed that. It waits so long for others that are changing it. The error is CodeLocked if
// they took longer, CodeConfig where the file is not to be changed (List.Why), and CodeIO
// where it cannot be written; then it is as it was.
func (r Registry) Update(wait time.Duration, fn func(*List) bool) error {
	if r.Path == "" {
		return vault.Errorf(vault.CodeIO, "set HOME", "there is no home folder to keep the list of projects in")
	}
	dir := filepath.Dir(r.Path)
	if err := disk.MkdirAll(dir, 0o700); err != nil {
		return r.errCannotWrite(err)
	}
	release, err := r.lockFile(wait)
	if err != nil {
		return err
	}
	defer release()
	l := r.Read()
	if l.Why != nil {
		return ErrUnchanged(r.Path, l.Why)
	}
	if !fn(&l) {
		return nil
	}
	file := r.Path
	if real, err := filepath.EvalSymlinks(file); err == nil { // kept among other dot files
		file = real
	}
	if err := disk.ReplaceSync(file, l.Format(), 0o600); err != nil {
		return r.errCannotWrite(err)
	}
	return nil
}

// ErrUnchanged is the error of one who would change a file that is not to be changed.
func ErrUnchanged(file string, why error) error {
	return vault.Errorf(vault.CodeConfig, "correct it, or move it away", "%s is not changed: %w", file, why)
}

// lockFile takes the lock of those who change the file.
func (r Registry) lockFile(wait time.Duration) (release func(), err error) {
	l := flock.New(r.Path+".lock", flock.SetPermissions(0o600), flock.SetFlag(os.O_CREATE|os.O_RDONLY|sysfile.NoWait)) // a pipe would hang
	for until := time.Now().Add(wait); ; time.Sleep(5 * time.Millisecond) {
		got, err := l.TryLock()
		switch {
		case got:
			return func() { _ = l.Close() }, nil
		case err != nil:
			_ = l.Close()
			return nil, r.errCannotWrite(err)
		case time.Now().After(until):
			_ = l.Close()
			return nil, vault.Errorf(vault.CodeLocked, "try again", "another program is changing %s", r.Path)
		}
	}
}

func (r Registry) errCannotWrite(err error) error {
	return vault.Errorf(vault.CodeIO, "", "cannot write %s: %w", r.Path, disk.Cause(err))
}

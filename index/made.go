package index

import (
	"context"
	crand "crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"os"

	"github.com/cp-memory/cp/index/sqlite"
	"github.com/cp-memory/cp/vault/disk"
	"github.com/cp-memory/cp/vault/disk/sysfile"
)

// A mirror is believed only if this clone made it: a person who pushes an index.db could
// make it say anything. A random key is written into the file and, with the
// file's device and inode, into a file of the clone's own state, as in
//
//	-4711824099123 64769 131074
//
// before the mirror is there or holds anything. A mirror that git tracks is never believed,
// since its key may be known. A mirror that is not believed, or is no file at all, is set
// aside unread.

// errForeign is found where this clone did not make the mirror.
var errForeign = errors.New("the index was not made by this clone, or git tracks it")

// file is the mirror's, with what is noted of it.
type file struct{ sqlite.File }

// made identifies a mirror that was made here.
type made struct {
	key           int64
	device, inode uint64
}

func madeOf(info os.FileInfo, key int64) made {
	st, ok := sysfile.StatOf(info)
	if !ok {
		return made{}
	}
	return made{key, st.Device, st.Inode}
}

// newKey draws the key of a mirror.
func newKey() int64 {
	var b [8]byte
	_, _ = crand.Read(b[:]) // it never fails
	return int64(binary.LittleEndian.Uint64(b[:]))
}

// readMade returns what was noted last; the zero made, which no file is, without that.
func (f file) readMade() (m made) {
	b, err := os.ReadFile(f.Beside(".made"))
	if err != nil {
		return made{}
	}
	if n, err := fmt.Sscan(string(b), &m.key, &m.device, &m.inode); n != 3 || err != nil {
		return made{}
	}
	return m
}

// noteMade notes that the file at path, which will be f, was made here; the lock is held.
func (f file) noteMade(path string, key int64) error {
	info, err := os.Lstat(path)
	if err != nil {
		return err
	}
	m := madeOf(info, key)
	return disk.Replace(f.Beside(".made"), fmt.Appendln(nil, m.key, m.device, m.inode), 0o600)
}

// hasContent reports whether there is anything at the place of f but an empty file.
func (f file) hasContent() bool {
	info, err := os.Lstat(f.Path)
	return err == nil && (!info.Mode().IsRegular() || info.Size() > 0)
}

// makeEmpty makes an empty file, and notes it; the lock is held.
func (f file) makeEmpty(key int64) error {
	if err := errors.Join(disk.Remove(f.Path), f.RemoveLog()); err != nil {
		return err
	}
	if err := disk.Write(f.Path, nil, 0o644); err != nil {
		return err
	}
	return f.noteMade(f.Path, key)
}

// become replaces this file by another one with that key; the caller holds the lock. For a
// moment there is no file, so that nobody who opens the old one takes the new one's log.
func (f file) become(next sqlite.File, key int64) error {
	if err := disk.Remove(f.Path); err != nil {
		return err
	}
	if err := f.RemoveLog(); err != nil {
		return err
	}
	if err := f.noteMade(next.Path, key); err != nil {
		return err
	}
	return disk.Rename(next.Path, f.Path)
}

// familiar fails with errForeign where the file was not made here, going by its
// place on the disk, or is tracked.
func (d *DB) familiar(ctx context.Context) error {
	info, err := os.Lstat(d.path)
	if err != nil {
		return err
	}
	m := d.file().readMade()
	switch {
	case !info.Mode().IsRegular() || m != madeOf(info, m.key):
		return errForeign
	case m.key == d.mine.Load():
		return nil
	}
	tracked, err := d.IsTracked(ctx)
	if err == nil && tracked {
		err = errForeign
	}
	return err
}

// IsTracked reports whether git tracks the mirror's file.
func (d *DB) IsTracked(ctx context.Context) (bool, error) {
	if d.opt.Tracked == nil {
		return false, nil
	}
	return d.opt.Tracked(ctx)
}

// trust fails with errForeign where the open file does not hold the key noted for it.
func (d *DB) trust(ctx context.Context, p *pool) error {
	s, err := p.state(ctx)
	switch {
	case err != nil:
		return err
	case d.file().readMade() != madeOf(p.file, s.epoch):
		return errForeign
	case s.filled && s.leaves != d.opt.Leaves:
		return sqlite.ErrVersion
	}
	p.filled.Store(s.filled)
	return nil
}

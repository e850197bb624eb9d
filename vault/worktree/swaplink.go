package worktree

import (
	"bytes"

	"github.com/cp-memory/cp/vault/disk"
	"github.com/cp-memory/cp/vault/internal/files"
)

// swapByLink is swap where two names cannot be exchanged: the old inode keeps a
// second name while ours is renamed over the first. Between the look and the
// rename there is a gap of microseconds that only an exchange closes.
func (r *run) swapByLink(temp, at string, cur, next []byte, e *edit) (bool, error) {
	was := r.tempName(at, "was")
	if err := r.s.link(at, was); err != nil {
		_ = disk.Remove(temp)
		return false, files.IgnoreMissing(err)
	}
	if b, _, err := files.Read(at); err != nil || !bytes.Equal(b, cur) || !files.IsSameFile(at, was) {
		_ = disk.Remove(temp)
		return false, r.keepAside(was, at)
	}
	if err := disk.Rename(temp, at); err != nil {
		return false, err
	}
	r.markDirty(at)
	out, _, err := files.Read(was)
	if err == nil && bytes.Equal(out, cur) {
		return true, r.keepReplaced(was, at, cur, next, e)
	}
	if b, _, err := files.Read(at); err == nil && bytes.Equal(b, next) {
		return false, disk.Rename(was, at)
	}
	return false, r.keepAside(was, at)
}

package worktree

import (
	"bytes"
	"errors"
	"path/filepath"

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

// replaceByLink is replace where the file system cannot exchange two names: the earlier file has a second name before
// the new one takes its place. A save by a rename between the last look and that is lost.
func (w SectionWriter) replaceByLink(temp, at string, text, next []byte) (bool, error) {
	was := temp + ".was"
	if err := disk.Link(at, was); err != nil {
		return false, errors.Join(err, disk.Remove(temp))
	}
	if now, _, err := files.Read(at); err != nil || !bytes.Equal(now, text) || !files.IsSameFile(at, was) {
		return false, errors.Join(disk.Remove(temp), disk.Remove(was))
	}
	if err := disk.Rename(temp, at); err != nil {
		return false, errors.Join(err, disk.Remove(temp), disk.Remove(was))
	}
	out, _, err := files.Read(was)
	if err == nil && bytes.Equal(out, text) {
		if err := w.Keep(was, at, files.Digest(text)); err != nil {
			return false, err
		}
		return true, disk.SyncDir(filepath.Dir(at))
	}
	if now, _, err := files.Read(at); err == nil && bytes.Equal(now, next) { // somebody saved into the earlier one: it goes back
		return false, disk.Rename(was, at)
	}
	return false, w.Keep(was, at, files.Digest(out))
}

package worktree

import (
	"bytes"
	"errors"
	"io/fs"
	"strings"

	"github.com/cp-memory/cp/vault/disk"
	"github.com/cp-memory/cp/vault/internal/files"
)

// returned is a save that has been taken out of its place and put back.
type returned struct {
	at, kept string
	text     []byte
}

// putBack returns to its place an inode that came out of it unexpectedly; ours
// comes out in turn. If that has been written to, it holds the newest save,
// and stays. It never ends in a third exchange back: what came out first is archived.
func (r *run) putBack(temp, at string, ours []byte) error {
	if err := r.keepCopy(temp, at); err != nil {
		return err
	}
	err := r.s.exchange(temp, at)
	if errors.Is(err, fs.ErrNotExist) {
		return r.giveBack(temp, at)
	}
	if err != nil {
		return err
	}
	out, _, err := files.Read(temp)
	if err == nil && bytes.Equal(out, ours) {
		_, err := r.s.displacedFiles().Keep(r.in.Op, temp, r.s.relativeName(at), files.Digest(ours))
		return err
	}
	if err := r.s.exchange(temp, at); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return r.keepAside(temp, at)
}

// giveBack returns an inode to a name that is free at the moment; if it is
// taken again, the name holds a newer save.
func (r *run) giveBack(temp, at string) error {
	err := disk.RenameNew(temp, at)
	r.markDirty(at)
	if errors.Is(err, fs.ErrExist) {
		return r.keepAside(temp, at)
	}
	return err
}

// keepAside archives a person's version that has lost its place, and says so.
func (r *run) keepAside(temp, at string) error {
	b, _, err := files.Read(temp)
	if err != nil {
		b = nil
	}
	kept, err := r.s.displacedFiles().Keep(r.in.Op, temp, r.s.relativeName(at), files.Digest(b))
	r.back = returned{}
	if err == nil && len(b) > 0 {
		r.note("%s was saved twice while it was written; the other version is kept: %s", r.s.relativeName(at), files.CompareCommand(at, kept))
	}
	return err
}

// putAway archives a file that is done with.
func (r *run) putAway(name, at string) error {
	b, _, err := files.Read(name)
	if err != nil {
		b = nil
	}
	_, err = r.s.displacedFiles().Keep(r.in.Op, name, r.s.relativeName(at), files.Digest(b))
	return err
}

// keepCopy keeps a copy of a save that is about to go back to its place. An
// editor that loaded our text in the microseconds before saves one without it.
func (r *run) keepCopy(temp, at string) error {
	b, _, err := files.Read(temp)
	if err != nil || len(b) == 0 {
		return nil
	}
	kept, err := r.s.displacedFiles().KeepCopy(r.in.Op, b, r.s.relativeName(at))
	r.back = returned{at: at, kept: kept, text: b}
	return err
}

// compareReturned looks, once, whether a save that went back is still in the
// file's text, line by line; if not, it says where the copy is.
func (r *run) compareReturned(at string, text []byte) {
	back := r.back
	if back.at != at || len(text) == 0 {
		return
	}
	r.back = returned{}
	lines := make(map[string]bool)
	for line := range strings.Lines(string(text)) {
		lines[strings.TrimSpace(line)] = true
	}
	for line := range strings.Lines(string(back.text)) {
		if !lines[strings.TrimSpace(line)] {
			r.note("%s was saved twice while it was written, and the second save lacks lines of the first, which is kept: %s", r.s.relativeName(at), files.CompareCommand(at, back.kept))
			return
		}
	}
}

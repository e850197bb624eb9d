package worktree

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"slices"
	"time"

	"github.com/cp-memory/cp/vault"
	"github.com/cp-memory/cp/vault/disk"
	"github.com/cp-memory/cp/vault/internal/files"
)

const (
	maxSwaps  = 200                  // tries against a program that saves all the time
	saveWaits = 20                   // waits for an editor that is in the middle of saving
	moment    = 5 * time.Millisecond // one wait
	quietFor  = 2 * time.Second      // a file that is older is nobody's half-finished save
)

// pause waits n moments, give or take.
func pause(ctx context.Context, n int) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(time.Duration(n)*moment/2 + rand.N(time.Duration(n)*moment)):
		return nil
	}
}

// quiet reports whether a file has not been written for a while. The times
// are the file system's, so the clock is the machine's.
func quiet(st vault.Stat) bool { return time.Since(time.Unix(0, st.MTime)) > quietFor }

// makeSteps makes an edit's steps on the file's present text. A file that was not there when
// the edit was planned is changed only in HEAD and the index.
func (r *run) makeSteps(e *edit) error {
	if len(e.Steps) == 0 && e.Taken == nil || e.Before == "" {
		return nil
	}
	waits := 0
	for try := range maxSwaps {
		at := r.s.locateEdit(e.Path, e.Outside, r.moves)
		cur, next, err := r.readEdited(at, e)
		r.compareReturned(at, cur.text)
		if errors.Is(err, errBeingSaved) {
			if waits++; waits > saveWaits {
				break
			}
			_ = pause(r.ctx, 1)
			continue
		}
		if err != nil || bytes.Equal(cur.text, next) {
			return err
		}
		if done, err := r.swap(at, cur, next, e); done || err != nil {
			return err
		}
		_ = pause(r.ctx, min(1+try/16, 2))
	}
	r.note("%s", leftOut(e))
	return nil
}

// editText returns the text with the edit made on it; redone does so where part of
// the edit may show already.
func (r *run) editText(e *edit, text []byte) ([]byte, error) {
	if e.Taken != nil {
		return r.blendText(e, text)
	}
	return vault.ApplySteps(e.Steps, text)
}

func (r *run) redone(e *edit, text []byte) ([]byte, error) {
	if e.Taken != nil {
		return r.blendText(e, text)
	}
	next, spared, err := e.redo(text)
	if spared {
		r.noteEditedMeanwhile(e)
	}
	return next, err
}

// noteEditedMeanwhile tells, once, that a person saved something else where the edit is made.
func (r *run) noteEditedMeanwhile(e *edit) {
	note := fmt.Sprintf("%s was edited meanwhile where this changes it too; your version is in the file, uncommitted, and the other in the commit: git diff -- %s", e.Path, files.Quote(string(e.Path)))
	if !slices.Contains(r.notes, note) {
		r.notes = append(r.notes, note)
	}
}

// leftOut tells that an edit could not be made on the file.
func leftOut(e *edit) string {
	if e.Taken != nil {
		return fmt.Sprintf("%s was edited meanwhile where what came changes it too; your version is in the file, uncommitted, and what came in the commit: git diff -- %s", e.Path, files.Quote(string(e.Path)))
	}
	return fmt.Sprintf("%s is being saved by another program all the time; the edit is in the commit, not in the file: run cp memory sync", e.Path)
}

var errBeingSaved = errors.New("the file is in the middle of being saved")

// version is a file's text and the stat with which it was read.
type version struct {
	text []byte
	stat vault.Stat
}

func readVersion(at string) (v version, err error) {
	v.text, v.stat, err = files.Read(at)
	return v, err
}

// isUnchanged reports whether the file has not been saved since, by its stat. The file that
// comes out of an exchange says so for certain.
func (v version) isUnchanged(at string) bool {
	info, err := os.Lstat(at)
	if err != nil {
		return false
	}
	return info.Size() == v.stat.Size && info.ModTime().UnixNano() == v.stat.MTime && files.Inode(info) == v.stat.Inode
}

// readEdited reads a file and returns it and what the edit makes of its text.
func (r *run) readEdited(at string, e *edit) (cur version, next []byte, err error) {
	cur, err = readVersion(at)
	if errors.Is(err, fs.ErrNotExist) {
		return cur, nil, errBeingSaved
	}
	if err != nil {
		return cur, nil, err
	}
	switch files.Digest(cur.text) {
	case e.After:
		return cur, cur.text, nil
	case e.Before:
		if next = e.made; next == nil {
			next, err = r.editText(e, cur.text)
		}
	case emptyDigest:
		err = errBeingSaved
	default:
		next, err = r.redone(e, cur.text)
	}
	if err != nil {
		err = errBeingSaved // the text fitted when the edit was planned
	}
	return cur, next, err
}

var emptyDigest = files.Digest(nil)

// swap exchanges cur for next and reports whether it did. If another file than cur came
// out, somebody saved in between, and theirs goes back.
func (r *run) swap(at string, cur version, next []byte, e *edit) (bool, error) {
	temp, err := r.prepare(at, next)
	if err != nil {
		return false, files.IgnoreMissing(err)
	}
	// Writing and syncing took milliseconds, in which most of the saves fall
	// that come in between. Seen now, they never leave their place.
	if !cur.isUnchanged(at) {
		return false, disk.Remove(temp)
	}
	err = r.s.exchange(temp, at)
	if errors.Is(err, disk.ErrNoExchange) {
		return r.swapByLink(temp, at, cur.text, next, e)
	}
	if err != nil {
		_ = disk.Remove(temp)
		return false, files.IgnoreMissing(err)
	}
	r.markDirty(at)
	if out, _, err := files.Read(temp); err != nil || !bytes.Equal(out, cur.text) {
		return false, r.putBack(temp, at, next)
	}
	return true, r.keepReplaced(temp, at, cur.text, next, e)
}

// prepare writes next beside the file that it will replace, with the mode of that file.
func (r *run) prepare(at string, next []byte) (temp string, err error) {
	info, err := os.Lstat(at)
	if err != nil {
		return "", err
	}
	temp = r.temp(at, next)
	if err := r.writeTemporary(temp, at, next, 0o666); err != nil {
		return "", err
	}
	return temp, disk.Resemble(temp, info)
}

// keepReplaced keeps a replaced inode and remembers it for a late save.
func (r *run) keepReplaced(temp, at string, cur, next []byte, e *edit) error {
	kept, err := r.s.displacedFiles().Keep(r.in.Op, temp, r.s.relativeName(at), files.Digest(cur))
	r.swaps = append(r.swaps, swap{at: at, kept: kept, ours: files.Digest(next), edit: e})
	return err
}

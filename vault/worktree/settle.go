package worktree

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/cp-memory/cp/vault"
)

// swap is one replacement this run made: where the old inode went, and the
// digest of what stands in its place.
type swap struct {
	at, kept, ours string
	edit           *edit
}

// settle looks again at what was replaced, now that the commit has taken its
// milliseconds. An editor that had opened the old file before the exchange may
// have saved into it since: its text then goes to the file, with the edit made on it.
// What cannot be settled is told by a later command (see inspect), so there is no error.
func (r *run) settle() {
	for _, sw := range r.swaps {
		if late, ok := sw.late(); ok {
			r.adoptLate(sw, late)
		}
	}
}

// stand sees to it that what was just committed is on disk: git clean, stash or
// checkout may have taken a file, or our edit of it, in the milliseconds before
// the commit knew it. The next commit -a of a person would make that a deletion.
// A later command does not: by then it may be a person's wish.
func (r *run) stand() error {
	if r.again {
		return nil
	}
	for i := range r.in.Edits {
		e := &r.in.Edits[i]
		if at := r.s.abs(e.Path, e.Outside); e.Kind == creates && !present(at) {
			if err := r.put(at, e.Create); err != nil && !errors.Is(err, fs.ErrExist) {
				return err
			}
		} else if e.Kind == takes && e.Before == "" && !present(at) {
			if err := r.take(e); err != nil && vault.CodeOf(err) != vault.CodeDirty {
				return err
			}
		}
	}
	for _, sw := range r.swaps {
		if err := r.standAgain(sw); err != nil {
			return err
		}
	}
	return nil
}

// rewinds bounds how often a commit is made again.
const rewinds = 5

// keep sees to it that the commit is still there when it is acknowledged: see
// recall. A git that holds the index may be about to move the branch, so it is
// waited for, half a second at the most. A branch that a person has left is left
// alone.
func (r *run) keep(branch string) error {
	for range rewinds {
		r.await(filepath.Join(r.s.repo.GitDir(), "index.lock"))
		tip, err := r.s.repo.Tip(r.ctx)
		if err != nil || tip == r.result.Commit {
			return err
		}
		head, err := r.s.repo.Head(r.ctx)
		if err != nil || head.Branch != branch || head.Busy != "" {
			return err
		}
		held, err := r.s.repo.Holds(r.ctx, r.in.Op, r.s.state)
		if err != nil || held {
			return err
		}
		for _, step := range []func() error{r.write, r.publish, r.clear} {
			if err := step(); err != nil {
				return err
			}
		}
	}
	return nil
}

// await waits until a lock of git's is gone, and the moment in which its owner
// moves the branch. It is not ours: we hold the vault's lock.
func (r *run) await(lock string) {
	waited := false
	for n := 0; n < 100 && present(lock); n++ {
		waited = true
		_ = pause(r.ctx, 1)
	}
	if waited {
		_ = pause(r.ctx, 2)
	}
}

// standAgain makes the edit again on a file that is, byte for byte, what it was before.
func (r *run) standAgain(sw swap) error {
	cur, err := readVersion(sw.at)
	if err != nil || digest(cur.text) != sw.edit.Before || sw.edit.Before == sw.ours {
		return nil
	}
	next, err := r.redone(sw.edit, cur.text)
	if err != nil {
		return nil
	}
	_, err = r.swap(sw.at, cur, next, sw.edit)
	return err
}

// late returns the text that was saved into a replaced inode, once two looks agree on it.
func (sw swap) late() ([]byte, bool) {
	c, ok := parseRelic(filepath.Base(sw.kept))
	info, err := os.Lstat(sw.kept)
	if !ok || err != nil || info.ModTime().UnixNano() == c.mtime {
		return nil, false
	}
	first, _, err := readFile(sw.kept)
	if err != nil || len(first) == 0 || digest(first)[:digestLen] == c.digest {
		return nil, false
	}
	again, _, err := readFile(sw.kept)
	return again, err == nil && bytes.Equal(first, again)
}

// adoptLate puts a late save in the place of our text, if nobody else has.
func (r *run) adoptLate(sw swap, late []byte) {
	cur, err := readVersion(sw.at)
	if err != nil || digest(cur.text) != sw.ours {
		return
	}
	next, err := r.redone(sw.edit, late)
	if err != nil {
		return
	}
	if done, err := r.swap(sw.at, cur, next, sw.edit); done && err == nil {
		c, _ := parseRelic(filepath.Base(sw.kept))
		_, _ = r.s.archive(c.op, sw.kept, c.path, digest(late))
	}
}

package worktree

import (
	"bytes"
	"os"
	"path/filepath"
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

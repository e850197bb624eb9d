package worktree

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"github.com/cp-memory/cp/vault/disk"
)

// What a write replaces or removes is kept in displaced/ under a name that says
// all about it:
//
//	<op>.<n>.<mtime, base 36>.<digest>.<path, escaped>
//
// The time and digest are those of its text when it was archived. An editor
// that held the file open then may write to it afterwards; the
// next commands see that by the time, for a day, and say so. After a week the
// file goes.
type relic struct {
	op     string
	mtime  int64
	digest string
	path   string // relative to the vault; cut in front when it was long
}

const (
	keepFor  = 7 * 24 * time.Hour
	watchFor = 24 * time.Hour
	nameRoom = 140 // bytes of the escaped path in a relic's name
)

func (s *Store) displaced() string { return filepath.Join(s.state, "displaced") }

func (c relic) name(n int) string {
	path := url.PathEscape(c.path)
	if over := len(path) - nameRoom; over > 0 {
		path = "…" + strings.TrimLeft(path[over:], "%0123456789ABCDEF")
	}
	return fmt.Sprintf("%s.%d.%s.%s.%s", c.op, n, strconv.FormatInt(c.mtime, 36), c.digest[:digestLen], path)
}

// parseRelic reads a name; the operation's own name holds one dot.
func parseRelic(name string) (c relic, ok bool) {
	parts := strings.SplitN(name, ".", 6)
	if len(parts) != 6 {
		return c, false
	}
	mtime, err := strconv.ParseInt(parts[3], 36, 64)
	path, perr := url.PathUnescape(parts[5])
	return relic{op: parts[0] + "." + parts[1], mtime: mtime, digest: parts[4], path: path}, err == nil && perr == nil
}

// archive moves the inode behind name to displaced/ and returns where it is.
// digest is that of the text it is known to have had.
func (s *Store) archive(op, name, path, digest string) (string, error) {
	info, err := os.Lstat(name)
	if err != nil {
		return "", ignoreMissing(err)
	}
	c := relic{op: op, mtime: info.ModTime().UnixNano(), digest: digest, path: path}
	for n := 0; ; n++ {
		kept := filepath.Join(s.displaced(), c.name(n))
		err := disk.RenameNew(name, kept)
		if errors.Is(err, unix.EXDEV) {
			return kept, copyOut(name, kept)
		}
		if !errors.Is(err, fs.ErrExist) {
			return kept, err
		}
	}
}

// copyOut archives across file systems. An editor that holds the file open
// then writes to nowhere; there is no way to keep that inode a name.
func copyOut(name, kept string) error {
	b, _, err := readFile(name)
	if err != nil {
		return err
	}
	if err := disk.WriteSync(kept, b, 0o600); err != nil {
		return err
	}
	return disk.Remove(name)
}

// inspect looks through displaced/: what is older than a week goes, and what
// was written to after it was archived is told once.
func (s *Store) inspect() error {
	names, err := readNames(s.displaced())
	if err != nil {
		return err
	}
	for _, name := range names {
		op, _, _ := strings.Cut(name, "-")
		at, ok := opMoment(op)
		switch age := s.now().Sub(at); {
		case !ok:
		case age > keepFor:
			err = disk.Remove(filepath.Join(s.displaced(), name))
		case age < watchFor:
			err = s.lateWrite(name)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func readNames(dir string) ([]string, error) {
	d, err := os.Open(dir)
	if err != nil {
		return nil, err
	}
	defer d.Close()
	return d.Readdirnames(-1)
}

// lateWrite notes a replaced file that a program has written to since, unless
// the file in its place says the same.
func (s *Store) lateWrite(name string) error {
	c, ok := parseRelic(name)
	kept := filepath.Join(s.displaced(), name)
	info, err := os.Lstat(kept)
	if !ok || err != nil || !info.Mode().IsRegular() || info.ModTime().UnixNano() == c.mtime {
		return ignoreMissing(err)
	}
	b, _, err := readFile(kept)
	if err != nil || digest(b)[:digestLen] == c.digest {
		return nil
	}
	renamed, err := s.archive(c.op, kept, c.path, digest(b))
	if err != nil {
		return err
	}
	at := filepath.Join(s.root, c.path)
	if now, _, err := readFile(at); len(b) > 0 && (err != nil || !bytes.Equal(now, b)) {
		s.notes = append(s.notes, fmt.Sprintf("%s: a program saved into a version that had just been replaced; its text is kept: %s", c.path, compare(at, renamed)))
	}
	return nil
}

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

	"golang.org/x/sys/unix"

	"github.com/cp-memory/cp/vault/disk"
	"github.com/cp-memory/cp/vault/worktree/files"
)

// What a write replaces or removes is kept in displaced/, in a folder for each
// operation, under a name that says all about it:
//
//	<op>/<op>.<n>.<mtime, base 36>.<digest>.<path, escaped>
//
// The time and digest are those of its text when it was archived. An editor that
// held the file open then may write to it afterwards. So each is looked at twice,
// by the first command after it and just before it goes (see the ledger): one that
// was written to by then stays, and is told.
type relic struct {
	op     string
	mtime  int64
	digest string
	path   string // relative to the vault; cut in front when it was long
}

const nameRoom = 140 // bytes of the escaped path in a relic's name

func (s *Store) displaced() string { return filepath.Join(s.state, "displaced") }

// relics is the folder of what an operation replaced.
func (s *Store) relics(op string) string { return filepath.Join(s.displaced(), op) }

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
	if err := s.enter(op); err != nil {
		return "", err
	}
	c := relic{op: op, mtime: info.ModTime().UnixNano(), digest: digest, path: path}
	for n := 0; ; n++ {
		kept := filepath.Join(s.relics(op), c.name(n))
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
	b, _, err := files.Read(name)
	if err != nil {
		return err
	}
	if err := disk.WriteSync(kept, b, 0o600); err != nil {
		return err
	}
	return disk.Remove(name)
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
// the file in its place says the same, and keeps it as if it had been replaced
// now. It reports whether there was such a text.
func (s *Store) lateWrite(kept string) (bool, error) {
	c, ok := parseRelic(filepath.Base(kept))
	info, err := os.Lstat(kept)
	if !ok || err != nil || !info.Mode().IsRegular() || info.ModTime().UnixNano() == c.mtime {
		return false, ignoreMissing(err)
	}
	b, _, err := files.Read(kept)
	if err != nil || files.Digest(b)[:digestLen] == c.digest {
		return false, nil
	}
	op, err := s.newOp()
	if err != nil {
		return false, err
	}
	renamed, err := s.archive(op, kept, c.path, files.Digest(b))
	if err != nil {
		return false, err
	}
	at := filepath.Join(string(s.Dir), c.path)
	if now, _, err := files.Read(at); len(b) > 0 && (err != nil || !bytes.Equal(now, b)) {
		s.notes = append(s.notes, fmt.Sprintf("%s: a program saved into a version that had just been replaced; its text is kept: %s", c.path, compare(at, renamed)))
	}
	return true, nil
}

package operation

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

	"github.com/cp-memory/cp/vault/disk"
	"github.com/cp-memory/cp/vault/disk/sysfile"
	"github.com/cp-memory/cp/vault/internal/files"
)

// KeptFiles is the folder of a vault's displaced files. The vault's lock is held
// whenever it is used.
type KeptFiles struct {
	Dir   string // its absolute name; it exists
	Vault string // the absolute name of the vault's folder
	Names Names  // of the operations under which what was written late is kept on
}

// relic holds what the name of a kept file says about it.
type relic struct {
	op     string
	mtime  int64
	digest string
	path   string // relative to the vault; cut in front when it was long
}

const (
	nameRoom  = 140 // bytes of the escaped path in a relic's name
	digestLen = 16  // 64 bits of a digest
)

// relics returns the folder of the files that an operation replaced.
func (f KeptFiles) relics(op string) string { return filepath.Join(f.Dir, op) }

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

// Keep moves the inode behind name into the folder of an operation and returns its path,
// or "" if there is no such file. path is the file's name for people, digest that of the
// text it is known to have had.
func (f KeptFiles) Keep(op, name, path, digest string) (string, error) {
	info, err := os.Lstat(name)
	if err != nil {
		return "", files.IgnoreMissing(err)
	}
	if err := f.addOperation(op); err != nil {
		return "", err
	}
	c := relic{op: op, mtime: info.ModTime().UnixNano(), digest: digest, path: path}
	for n := 0; ; n++ {
		kept := filepath.Join(f.relics(op), c.name(n))
		err := disk.RenameNew(name, kept)
		if sysfile.IsOtherDisk(err) {
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

// KeepCopy keeps a text under an operation as if it had been a file.
func (f KeptFiles) KeepCopy(op string, text []byte, path string) (string, error) {
	name := filepath.Join(f.Dir, "copy")
	if err := disk.Remove(name); err != nil {
		return "", err
	}
	if err := disk.Write(name, text, 0o600); err != nil {
		return "", err
	}
	return f.Keep(op, name, path, files.Digest(text))
}

// KeepAgain keeps a file as what it holds by now, a text that Late has returned.
func (f KeptFiles) KeepAgain(kept string, text []byte) {
	if c, ok := parseRelic(filepath.Base(kept)); ok {
		_, _ = f.Keep(c.op, kept, c.path, files.Digest(text))
	}
}

// LateSave returns the text that a program has saved into a kept file since, once two
// looks agree on it.
func LateSave(kept string) ([]byte, bool) {
	info, err := os.Lstat(kept)
	if err != nil {
		return nil, false
	}
	_, first, ok := relicOf(kept, info)
	if !ok || len(first) == 0 {
		return nil, false
	}
	again, _, err := files.Read(kept)
	return again, err == nil && bytes.Equal(first, again)
}

// relicOf returns the relic of a kept file and the text that a program has written into
// the file since. ok is false if none has.
func relicOf(kept string, info fs.FileInfo) (c relic, text []byte, ok bool) {
	c, ok = parseRelic(filepath.Base(kept))
	if !ok || !info.Mode().IsRegular() || info.ModTime().UnixNano() == c.mtime {
		return c, nil, false
	}
	text, _, err := files.Read(kept)
	return c, text, err == nil && files.Digest(text)[:digestLen] != c.digest
}

// keepLate keeps a file anew, as if it had been replaced now, if a program has written to
// it since. It notes it unless the file in its place says the same. It reports whether
// there was such a text.
func (l *look) keepLate(kept string, info fs.FileInfo) (bool, error) {
	c, text, ok := relicOf(kept, info)
	if !ok {
		return false, nil
	}
	op, err := l.Names.New()
	if err != nil {
		return false, err
	}
	renamed, err := l.Keep(op, kept, c.path, files.Digest(text))
	if err != nil {
		return false, err
	}
	at := filepath.Join(l.Vault, c.path)
	if now, _, err := files.Read(at); len(text) > 0 && (err != nil || !bytes.Equal(now, text)) {
		l.notes = append(l.notes, fmt.Sprintf("%s: a program saved into a version that had just been replaced; its text is kept: %s", c.path, files.CompareCommand(at, renamed)))
	}
	return true, nil
}

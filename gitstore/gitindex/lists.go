package gitindex

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/cp-memory/cp/vault/disk"
)

// Lists reports whether the index file has a name that begins so. The names are in order:
// nothing behind the place of such a name is read. known is false where the file cannot
// tell, as in version 4, where names are cut short, and with a second file, which a split
// index has. note is a file that remembers a large index without such a name by its checksum,
// so that the next process does not read what a hundred thousand names take; empty remembers
// nothing.
func Lists(file string, idBytes int, beginning, note string) (found, known bool, err error) {
	f, err := os.Open(file)
	if errors.Is(err, fs.ErrNotExist) {
		return false, true, nil
	}
	if err != nil {
		return false, false, err
	}
	defer f.Close()
	beside, err := os.ReadDir(filepath.Dir(file))
	if err != nil || slices.ContainsFunc(beside, func(e fs.DirEntry) bool { return strings.HasPrefix(e.Name(), "sharedindex.") }) {
		return false, false, err
	}
	id, err := identifyFile(f)
	if err != nil {
		return false, false, err
	}
	if note == "" || id.Sum == "" || id.size < noted {
		found, known = listed(f, idBytes, beginning)
		return found, known, nil
	}
	none := fmt.Appendf(nil, "%d %s %q\n", id.size, id.Sum, beginning)
	if said, err := os.ReadFile(note); err == nil && bytes.Equal(said, none) {
		return false, true, nil
	}
	if found, known = listed(f, idBytes, beginning); known && !found {
		_ = disk.Replace(note, none, 0o600) // without a note the next look reads again
	}
	return found, known, nil
}

// noted is the size of an index from which on it is worth a note: 2,000 files.
const noted = 1 << 18

func listed(in io.Reader, idBytes int, beginning string) (found, known bool) {
	w := bufio.NewReaderSize(in, 2*surveyEntry)
	head := make([]byte, indexHeader)
	if _, err := io.ReadFull(w, head); err != nil || string(head[:4]) != "DIRC" || binary.BigEndian.Uint32(head[4:]) > 3 {
		return false, false
	}
	for range binary.BigEndian.Uint32(head[8:]) {
		b, _ := w.Peek(surveyEntry) // less is the end, or damage
		name, n := measure(b, statSize+idBytes+2)
		if n == 0 {
			return false, false
		}
		if string(name) >= beginning {
			return bytes.HasPrefix(name, []byte(beginning)), true
		}
		_, _ = w.Discard(n)
	}
	return false, true
}

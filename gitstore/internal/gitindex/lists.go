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
	f, id, err := openWhole(file)
	if f == nil {
		return false, errors.Is(err, fs.ErrNotExist), unlessMissing(err)
	}
	defer f.Close()
	if note == "" || id.Sum == "" || id.size < noted {
		found, known = hasBeginning(f, idBytes, beginning)
		return found, known, nil
	}
	none := fmt.Appendf(nil, "%d %s %q\n", id.size, id.Sum, beginning)
	if said, err := os.ReadFile(note); err == nil && bytes.Equal(said, none) {
		return false, true, nil
	}
	if found, known = hasBeginning(f, idBytes, beginning); known && !found {
		_ = disk.Replace(note, none, 0o600) // without a note the next look reads again
	}
	return found, known, nil
}

// Ending returns the names in the index file that begin and end so. known and note are as in
// [Lists]; here the note remembers the names of a large index.
func Ending(file string, idBytes int, beginning, ending, note string) (names []string, known bool, err error) {
	f, id, err := openWhole(file)
	if f == nil {
		return nil, errors.Is(err, fs.ErrNotExist), unlessMissing(err)
	}
	defer f.Close()
	if note == "" || id.Sum == "" || id.size < noted {
		names, known = endingIn(f, idBytes, beginning, ending)
		return names, known, nil
	}
	head := fmt.Sprintf("%d %s %q %q", id.size, id.Sum, beginning, ending)
	if said, err := os.ReadFile(note); err == nil {
		if lines := strings.Split(string(said), "\x00"); lines[0] == head {
			return lines[1:], true, nil
		}
	}
	if names, known = endingIn(f, idBytes, beginning, ending); known {
		_ = disk.Replace(note, []byte(strings.Join(append([]string{head}, names...), "\x00")), 0o600)
	}
	return names, known, nil
}

// openWhole opens an index file. Without an error f is nil where a second file has a part of
// the names.
func openWhole(file string) (f *os.File, id FileID, err error) {
	if f, err = os.Open(file); err != nil {
		return nil, id, err
	}
	beside, err := os.ReadDir(filepath.Dir(file))
	split := slices.ContainsFunc(beside, func(e fs.DirEntry) bool { return strings.HasPrefix(e.Name(), "sharedindex.") })
	if err == nil && !split {
		id, err = identifyFile(f)
	}
	if err != nil || split {
		_ = f.Close()
		return nil, id, err
	}
	return f, id, nil
}

// unlessMissing is err, or nil for a file that is not there: it lists nothing.
func unlessMissing(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// noted is the size of an index from which on it is worth a note: 2,000 files.
const noted = 1 << 18

func hasBeginning(in io.Reader, idBytes int, beginning string) (found, known bool) {
	known = eachName(in, idBytes, func(name []byte) (more bool) {
		found = bytes.HasPrefix(name, []byte(beginning))
		return string(name) < beginning
	})
	return found, known
}

func endingIn(in io.Reader, idBytes int, beginning, ending string) (names []string, known bool) {
	begin, end := []byte(beginning), []byte(ending)
	known = eachName(in, idBytes, func(name []byte) (more bool) {
		within := bytes.HasPrefix(name, begin)
		if within && bytes.HasSuffix(name, end) && (len(names) == 0 || names[len(names)-1] != string(name)) { // once, of one in conflict
			names = append(names, string(name))
		}
		return within || string(name) < beginning
	})
	return names, known
}

// eachName calls fn with the names of an index, in their order, until it returns false. It
// reports whether it could read as far as that.
func eachName(in io.Reader, idBytes int, fn func(name []byte) (more bool)) bool {
	w := bufio.NewReaderSize(in, 2*surveyEntry)
	head := make([]byte, indexHeader)
	if _, err := io.ReadFull(w, head); err != nil || string(head[:4]) != "DIRC" || binary.BigEndian.Uint32(head[4:]) > 3 {
		return false
	}
	for range binary.BigEndian.Uint32(head[8:]) {
		b, _ := w.Peek(surveyEntry) // less is the end, or damage
		name, n := measure(b, statSize+idBytes+2)
		if n == 0 {
			return false
		}
		if !fn(name) {
			return true
		}
		_, _ = w.Discard(n)
	}
	return true
}

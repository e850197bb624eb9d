package gitindex

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
)

// Says reports whether the index file has the text in it, and whether names
// stand in it as they are, all of them: neither cut short as in version 4, nor in a
// second file.
func Says(file, text string) (whole, found bool, err error) {
	f, err := os.Open(file)
	if errors.Is(err, fs.ErrNotExist) {
		return true, false, nil
	}
	if err != nil {
		return false, false, err
	}
	defer f.Close()
	const window = 64 << 10
	b := make([]byte, window+64)
	n, err := io.ReadFull(f, b)
	whole = n > 8 && b[7] < 4
	for kept := 0; n > 0; {
		seen := b[:kept+n]
		found = found || bytes.Contains(seen, []byte(text))
		whole = whole && !bytes.Contains(seen, []byte("link\x00\x00"))
		if err != nil {
			break
		}
		kept = copy(b, seen[len(seen)-len(text):])
		n, err = io.ReadFull(f, b[kept:])
	}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		err = nil
	}
	return whole, found, err
}

package vault

import (
	"encoding/binary"
	"hash/crc32"
	"iter"
	"strings"
)

// Listing is what a scan saw in one folder, in the form in which a mirror keeps
// it and a later scan compares it: text, and no value for each file.
//
// While a folder's own stat is as it was, no name in it has come or gone; then
// the files have to be asked for their stats, and the folder for nothing.
type Listing struct {
	Own   Stat   // of the folder, taken before it was read; zero where that says nothing of its names
	Subs  string // the folders in it that a scan enters, each with a NUL behind it
	Files Marks
}

// Marks are the files of a folder in bytewise order of their names, each with
// its mark: what has to be equal for it to be taken as unchanged. One that says
// nothing, since the file is to be looked at again, is empty; one of a file begins
// with "=" and a packed stat follows; that of what cannot be a memory begins
// with "!".
//
//	a.md NUL = 32 bytes
//	b.md NUL ?
//	c.md NUL ! 2 bytes of length, the rest of the mark
type Marks string

// Packed returns the stat in 32 bytes.
func (s Stat) Packed() [32]byte {
	var b [32]byte
	binary.LittleEndian.PutUint64(b[0:], uint64(s.Size))
	binary.LittleEndian.PutUint64(b[8:], uint64(s.MTime))
	binary.LittleEndian.PutUint64(b[16:], uint64(s.CTime))
	binary.LittleEndian.PutUint64(b[24:], s.Inode)
	return b
}

// AppendMark adds a file to packed Marks.
func AppendMark(b []byte, name, mark string) []byte {
	b = append(append(b, name...), 0)
	switch {
	case mark == "":
		return append(b, '?')
	case mark[0] == '=':
		return append(b, mark...)
	}
	b = append(b, mark[0], 0, 0)
	binary.LittleEndian.PutUint16(b[len(b)-2:], uint16(len(mark)-1))
	return append(b, mark[1:]...)
}

// All yields names and marks. What is not whole is the end.
func (m Marks) All() iter.Seq2[string, string] {
	return func(yield func(name, mark string) bool) {
		for rest := m; rest != ""; {
			name, mark, left, ok := rest.cut()
			if !ok || !yield(name, mark) {
				return
			}
			rest = left
		}
	}
}

// cut takes the first file off.
func (m Marks) cut() (name, mark string, rest Marks, ok bool) {
	i := strings.IndexByte(string(m), 0)
	if i < 0 || i+1 == len(m) {
		return "", "", "", false
	}
	name, at := string(m[:i]), m[i+1:]
	switch {
	case at[0] == '?':
		return name, "", at[1:], true
	case at[0] == '=' && len(at) > 32:
		return name, string(at[:33]), at[33:], true
	case at[0] == '!' && len(at) > 2:
		n := 3 + int(binary.LittleEndian.Uint16([]byte(at[1:3])))
		if n <= len(at) {
			return name, "!" + string(at[3:n]), at[n:], true
		}
	}
	return "", "", "", false
}

// packedHead is the length of what comes first in a packed listing: a checksum
// of the rest, since one that had lost a name would hide a file for good, and
// the folder's own stat.
const packedHead = 4 + 32

// Pack returns the listing as it is kept.
func (l Listing) Pack() []byte {
	own := l.Own.Packed()
	b := make([]byte, 4, packedHead+len(l.Subs)+1+len(l.Files))
	b = append(b, own[:]...)
	b = append(append(b, l.Subs...), 0)
	b = append(b, l.Files...)
	binary.LittleEndian.PutUint32(b, crc32.ChecksumIEEE(b[4:]))
	return b
}

// UnpackListing reads what Pack has made; false where it is something else.
func UnpackListing(b []byte) (l Listing, ok bool) {
	if len(b) <= packedHead || binary.LittleEndian.Uint32(b) != crc32.ChecksumIEEE(b[4:]) {
		return l, false
	}
	word := func(i int) uint64 { return binary.LittleEndian.Uint64(b[4+8*i:]) }
	l.Own = Stat{Size: int64(word(0)), MTime: int64(word(1)), CTime: int64(word(2)), Inode: word(3)}
	names := string(b[packedHead:])
	end := 0
	for end < len(names) && names[end] != 0 {
		end += strings.IndexByte(names[end:], 0) + 1
	}
	l.Subs, l.Files = names[:end], Marks(names[end+1:])
	return l, true
}

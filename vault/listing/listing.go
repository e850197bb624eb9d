package listing

import (
	"encoding/binary"
	"hash/crc32"
	"iter"
	"strings"

	"github.com/cp-memory/cp/vault"
)

// Listing is the content of one folder as a scan saw it. A mirror keeps it and a later
// scan compares it, so it is one text and holds no value for each file.
type Listing struct {
	Own   vault.Stat // of the folder, taken before it was read; zero where that says nothing of its names
	Rules uint64     // a digest of what git ignores in it
	Subs  string     // the folders in it that a scan enters, each with a NUL behind it
	Files Marks
}

// Marks are the files of a folder in bytewise order of their names, each with its mark. A
// file counts as unchanged while its mark is equal. An empty mark means that the file has
// to be looked at again. A file's mark is "=" and a packed stat. The mark of an entry that
// cannot be a memory begins with "!".
//
//	name, NUL, length, mark
//
// The length is a byte, or 255 and two bytes.
type Marks string

// AppendMark adds a file to packed Marks.
func AppendMark(b []byte, name, mark string) []byte {
	b = append(append(b, name...), 0)
	if n := len(mark); n < 255 {
		b = append(b, byte(n))
	} else {
		mark = mark[:min(n, 1<<16-1)]
		b = binary.LittleEndian.AppendUint16(append(b, 255), uint16(len(mark)))
	}
	return append(b, mark...)
}

// All yields names and marks. It ends at the first incomplete one.
func (m Marks) All() iter.Seq2[string, string] {
	return func(yield func(name, mark string) bool) {
		for rest := m; rest != ""; {
			name, mark, left, ok := rest.cutFirst()
			if !ok || !yield(name, mark) {
				return
			}
			rest = left
		}
	}
}

// cutFirst takes the first file off.
func (m Marks) cutFirst() (name, mark string, rest Marks, ok bool) {
	i := strings.IndexByte(string(m), 0)
	if i < 0 || i+1 == len(m) {
		return "", "", "", false
	}
	name, n, rest := string(m[:i]), int(m[i+1]), m[i+2:]
	if n == 255 && len(rest) > 1 {
		n, rest = int(rest[0])|int(rest[1])<<8, rest[2:]
	}
	if n > len(rest) {
		return "", "", "", false
	}
	return name, string(rest[:n]), rest[n:], true
}

// Pack returns the listing as it is kept. First comes a checksum of the rest:
// one that had lost a name would hide a file for good.
func (l Listing) Pack() []byte {
	b := make([]byte, 4, 4+5*binary.MaxVarintLen64+len(l.Subs)+1+len(l.Files))
	b = binary.AppendUvarint(l.Own.AppendPacked(b), l.Rules)
	b = append(append(b, l.Subs...), 0)
	b = append(b, l.Files...)
	binary.LittleEndian.PutUint32(b, crc32.ChecksumIEEE(b[4:]))
	return b
}

// Unpack reads what Pack has made; false where it is something else.
func Unpack(b []byte) (l Listing, ok bool) {
	if len(b) < 4 || binary.LittleEndian.Uint32(b) != crc32.ChecksumIEEE(b[4:]) {
		return l, false
	}
	if b, ok = l.Own.Unpack(b[4:]); !ok || len(b) == 0 {
		return l, false
	}
	rules, n := binary.Uvarint(b)
	if n <= 0 || n == len(b) {
		return l, false
	}
	names := string(b[n:])
	l.Rules = rules
	end := 0
	for end < len(names) && names[end] != 0 {
		sub := strings.IndexByte(names[end:], 0)
		if sub < 0 {
			return Listing{}, false
		}
		end += sub + 1
	}
	if end == len(names) {
		return Listing{}, false
	}
	l.Subs, l.Files = names[:end], Marks(names[end+1:])
	return l, true
}

package vault

import "encoding/binary"

// AppendPacked adds the stat to b, in about 16 bytes: most files were not
// changed again, in any way, after they were written, and inodes are small numbers.
func (s Stat) AppendPacked(b []byte) []byte {
	b = binary.AppendVarint(b, s.Size)
	b = binary.AppendVarint(b, s.MTime)
	b = binary.AppendVarint(b, s.CTime-s.MTime)
	return binary.AppendUvarint(b, s.Inode)
}

// Unpack takes a packed stat off b.
func (s *Stat) Unpack(b []byte) (rest []byte, ok bool) {
	var after int64
	for _, field := range [...]*int64{&s.Size, &s.MTime, &after} {
		n := 0
		if *field, n = binary.Varint(b); n <= 0 {
			return b, false
		}
		b = b[n:]
	}
	inode, n := binary.Uvarint(b)
	if n <= 0 {
		return b, false
	}
	s.CTime, s.Inode = s.MTime+after, inode
	return b[n:], true
}

package gitindex

import (
	"encoding/binary"
	"io/fs"
	"syscall"
)

// encodeStat returns a file's stat as the index keeps it; the mode is the entry's own.
func encodeStat(info fs.FileInfo) statData {
	st, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return statData{}
	}
	var s statData
	for i, v := range [...]uint32{
		uint32(st.Ctim.Sec), uint32(st.Ctim.Nsec), uint32(st.Mtim.Sec), uint32(st.Mtim.Nsec),
		uint32(st.Dev), uint32(st.Ino), 0, st.Uid, st.Gid, uint32(st.Size),
	} {
		binary.BigEndian.PutUint32(s[4*i:], v)
	}
	return s
}

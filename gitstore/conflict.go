package gitstore

import (
	"bytes"
	"encoding/binary"
	"os"
	"path/filepath"
	"strings"
)

// unmerged reports whether the index has conflicts: entries of a stage other
// than 0. It goes through the entries' flags alone, of any version: 3 ms at 100,000.
// A write asks several times, so the last state without a conflict is remembered
// by the checksum it ends in, where git has not been told to leave that out.
func (r *Repo) unmerged() bool {
	id, err := r.indexID()
	if last := r.merged.Load(); err == nil && last != nil && *last == id {
		return false
	}
	raw, err := os.ReadFile(filepath.Join(r.gitDir, "index"))
	if err != nil || hasConflict(raw, r.idLen()/2) {
		return err == nil
	}
	if bytes.HasSuffix(raw, []byte(id.sum)) && strings.Trim(id.sum, "\x00") != "" {
		r.merged.Store(&id)
	}
	return false
}

// hasConflict looks for a stage. A damaged index has none that we can see.
func hasConflict(raw []byte, idBytes int) bool {
	if len(raw) < indexHeader+idBytes || string(raw[:4]) != "DIRC" {
		return false
	}
	version, count := binary.BigEndian.Uint32(raw[4:]), binary.BigEndian.Uint32(raw[8:])
	b := raw[indexHeader : len(raw)-idBytes]
	fixed := statSize + idBytes + 2
	for range count {
		if len(b) < fixed {
			return false
		}
		flags := binary.BigEndian.Uint16(b[fixed-2:])
		if flags&flagStage != 0 {
			return true
		}
		size := sizeOf(b, fixed, flags, version)
		if size <= 0 || size > len(b) {
			return false
		}
		b = b[size:]
	}
	return false
}

// sizeOf returns the size of the entry b begins with; 0 when it cannot tell.
// In version 4 the name is a number of 7 bits a byte, then what differs from
// the name before, and there is no padding.
func sizeOf(b []byte, fixed int, flags uint16, version uint32) int {
	start := fixed
	if flags&flagExtended != 0 {
		start += 2
	}
	if version == 4 {
		for start < len(b) && b[start]&0x80 != 0 {
			start++
		}
		start++
	}
	if start > len(b) {
		return 0
	}
	n := int(flags & flagName)
	if n == flagName || version == 4 {
		n = bytes.IndexByte(b[start:], 0)
	}
	switch {
	case n < 0:
		return 0
	case version == 4:
		return start + n + 1
	}
	return padded(start + n)
}

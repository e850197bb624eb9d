package gitstore

import (
	"bytes"
	"crypto/sha1"
	"encoding/binary"
	"maps"
	"slices"
)

// change is what becomes of one name in the index.
type change struct {
	gone bool
	staged
}

// splice returns the index with the changes made: the entries that stay are
// copied as they are, in runs.
func (x *index) splice(changes map[string]change) []byte {
	var out bytes.Buffer
	out.Grow(len(x.raw) + 128*len(changes) + indexHeader + indexTrailer)
	out.Write(make([]byte, indexHeader))
	count, extended, from := 0, false, 0
	copyUpTo := func(to int) {
		if from < to {
			out.Write(x.raw[x.at[from]:x.at[to]])
			count += to - from
		}
	}
	for _, name := range slices.Sorted(maps.Keys(changes)) {
		i := x.search(name)
		copyUpTo(i)
		from = max(from, i)
		var old record
		for from < x.len() && x.record(from).name() == name { // one, or the stages of a conflict
			old = x.record(from)
			from++
		}
		if c := changes[name]; !c.gone {
			rec := encodeRecord(name, c.staged, old)
			extended = extended || rec.flags()&flagExtended != 0
			out.Write(rec)
			count++
		}
	}
	copyUpTo(x.len())
	b := out.Bytes()
	copy(b, x.header(count, extended))
	b = append(b, x.keptExtensions(changes)...)
	sum := sha1.Sum(b)
	return append(b, sum[:]...)
}

// header returns the file's first 12 bytes; version 3 is for extended flags.
func (x *index) header(count int, extended bool) []byte {
	version := uint32(2)
	if extended || len(x.raw) > 0 && binary.BigEndian.Uint32(x.raw[4:]) == 3 {
		version = 3
	}
	b := append(make([]byte, 0, indexHeader), "DIRC"...)
	b = binary.BigEndian.AppendUint32(b, version)
	return binary.BigEndian.AppendUint32(b, uint32(count))
}

// encodeRecord makes an entry; flags that a person set on the old one of that name stay.
func encodeRecord(name string, s staged, old record) record {
	b := make(record, entryFixed, padded(entryFixed+2+len(name)))
	copy(b, s.stat[:])
	binary.BigEndian.PutUint32(b[statMode:], s.mode)
	copy(b[entryID:], rawID(s.id))
	flags, extended := uint16(min(len(name), flagName)), uint16(0)
	if s.intent {
		extended |= flagIntent
	}
	if s.skip {
		extended |= flagSkip
	}
	if old != nil {
		flags |= old.flags() & flagAssume
	}
	if extended != 0 {
		flags |= flagExtended
		b = binary.BigEndian.AppendUint16(b, extended)
	}
	binary.BigEndian.PutUint16(b[entryFlags:], flags)
	size := padded(len(b) + len(name))
	b = append(b, name...)
	return append(b, make([]byte, size-len(b))...)
}

// keptExtensions returns the extensions that stay true: the cached trees with
// the changed folders taken out, the undo of resolved conflicts and, as
// strangeExtension has seen to it, the untracked cache. The fsmonitor's bits
// and the tables of offsets go by position, and git makes them anew.
func (x *index) keptExtensions(changes map[string]change) []byte {
	var out []byte
	for _, e := range x.extensions {
		data := e.data
		switch e.name {
		case "TREE":
			data = invalidateTrees(data, changes)
		case "REUC", "UNTR":
		default:
			continue
		}
		if data == nil {
			continue
		}
		out = append(out, e.name...)
		out = binary.BigEndian.AppendUint32(out, uint32(len(data)))
		out = append(out, data...)
	}
	return out
}

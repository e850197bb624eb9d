package gitindex

import (
	"context"
	"encoding/binary"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/cp-memory/cp/gitstore/internal/object"
	"github.com/cp-memory/cp/vault/disk/sysfile"
)

// statData holds ten numbers of 32 bits by which the index sees whether a file has
// changed. All zero means unknown.
type statData [statSize]byte

const statMTime = 8

func (s statData) field(at int) uint32 { return binary.BigEndian.Uint32(s[at:]) }

// maxRacy bounds the files that are read to see whether they changed in the second in
// which the index was written. After a clone that may be all of them.
const maxRacy = 1000

// Files is the files that an index is of.
type Files struct {
	Top string
	IDs object.IDs
}

// freshen gives the changed entries the stat data of the files in the work
// tree that hold what they say; the others keep none, and git looks at them. And
// it does what git does whenever it writes an index, whose new time would hide
// them: entries whose file changed in the very second of the old one are marked.
func (w Files) freshen(ctx context.Context, x *Index, changes map[string]change) error {
	for name, c := range changes {
		if !c.gone && !c.intent {
			c.stat = w.statFor(name, c.staged, x)
			changes[name] = c
		}
	}
	looked := 0
	for i := range x.len() {
		e := x.recordAt(i)
		if s := e.stat(); !x.racy(s) || s.field(statSizeField) == 0 {
			continue
		}
		name := e.name()
		if _, ok := changes[name]; ok || e.flags()&flagStage != 0 {
			continue
		}
		looked++
		if looked <= maxRacy && w.holds(name, e.treeEntry()) {
			continue
		}
		s := x.stagedAt(i)
		binary.BigEndian.PutUint32(s.stat[statSizeField:], 0)
		changes[name] = change{staged: s}
	}
	return ctx.Err()
}

// racy reports whether a file of this stat may have changed after the index
// was written without a trace. Git compares seconds.
func (x *Index) racy(s statData) bool {
	return int64(s.field(statMTime)) >= x.time.Unix()
}

// statFor returns the stat data of the file name, if it holds what s says.
func (w Files) statFor(name string, s staged, x *Index) statData {
	if s.stat != (statData{}) && !x.racy(s.stat) {
		return s.stat // moved: true of the file it was, and of no other
	}
	now, ok := w.lstat(name)
	if !ok {
		return statData{}
	}
	if !w.holds(name, s.Entry) {
		return statData{}
	}
	if again, ok := w.lstat(name); !ok || again != now {
		return statData{}
	}
	return now
}

// encodeStat returns a file's stat as the index keeps it; the mode is the entry's own.
func encodeStat(info fs.FileInfo) (s statData) {
	st, ok := sysfile.StatOf(info)
	if !ok {
		return s
	}
	inode, contents := time.Unix(0, st.CTime), time.Unix(0, st.MTime)
	for i, v := range [...]uint32{
		uint32(inode.Unix()), uint32(inode.Nanosecond()), uint32(contents.Unix()), uint32(contents.Nanosecond()),
		uint32(st.Device), uint32(st.Inode), 0, st.UID, st.GID, uint32(st.Size),
	} {
		binary.BigEndian.PutUint32(s[4*i:], v)
	}
	return s
}

// lstat returns the stat data of a regular file in the work tree.
func (w Files) lstat(name string) (statData, bool) {
	info, err := os.Lstat(filepath.Join(w.Top, filepath.FromSlash(name)))
	if err != nil || !info.Mode().IsRegular() {
		return statData{}, false
	}
	return encodeStat(info), true
}

// holds reports whether the work tree's file is the entry's.
func (w Files) holds(name string, e object.Entry) bool {
	if !e.IsFile() {
		return false
	}
	b, err := os.ReadFile(filepath.Join(w.Top, filepath.FromSlash(name)))
	return err == nil && w.IDs.HashObject(object.KindBlob, b) == e.ID
}

// ModeOf returns the mode that git would give the file in the work tree. Without a file it
// returns an ordinary file's.
func (w Files) ModeOf(name string, trustExecutable bool) uint32 {
	info, err := os.Lstat(filepath.Join(w.Top, filepath.FromSlash(name)))
	if err == nil && trustExecutable && info.Mode().IsRegular() && info.Mode()&0o100 != 0 {
		return object.ModeExecutable
	}
	return object.ModeFile
}

package gitindex

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"sort"
	"strings"
	"time"

	"github.com/cp-memory/cp/gitstore/internal/object"
	"github.com/cp-memory/cp/gitstore/plumb"
)

// Index is git's index file, version 2 or 3, as bytes with the places of its
// entries. It is never turned into structs: at 100,000 files that would take
// longer than all the rest of a write.
//
//	"DIRC" version count          12 bytes
//	entry*                        sorted by name, then stage
//	extension*                    4 letters, length, contents
//	SHA-1 of all that             20 bytes
//
// An entry is 40 bytes of stat data, the id, 16 bits of flags, in version 3
// perhaps 16 more, the name, and 1 to 8 NULs up to a multiple of 8.
type Index struct {
	raw        []byte
	at         []int // where each entry begins, and last where they end
	extensions []extension
	time       time.Time // mtime of the file
}

type extension struct {
	name string
	data []byte
}

// FileID tells one state of the index file from another: git replaces the file
// with every change.
type FileID struct {
	size  int64
	mtime int64
	Sum   string // the trailer in hex; empty with index.skipHash, and without a file
}

// The layout of an entry.
const (
	indexHeader   = 12
	statSize      = 40
	entryID       = statSize
	entryFlags    = entryID + object.IDSize
	entryFixed    = entryFlags + 2
	flagAssume    = 0x8000
	flagExtended  = 0x4000
	flagStage     = 0x3000
	flagName      = 0x0fff
	flagSkip      = 0x4000 // extended: skip-worktree
	flagIntent    = 0x2000 // extended: intent-to-add
	entryAlign    = 8
	indexTrailer  = 20
	statMode      = 24
	statSizeField = 36
)

// ErrUnknown is the error for an index of another version, and for a damaged one.
var ErrUnknown = errors.New("not an index this program can read")

// Read reads an index; a missing one is empty. The error wraps [ErrUnknown] when
// the file is of another version or damaged.
func Read(path string) (*Index, error) {
	raw, info, err := plumb.ReadWithStat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return &Index{}, nil
	}
	if err != nil {
		return nil, err
	}
	x, err := parseIndex(raw)
	if err != nil {
		return nil, err
	}
	x.time = info.ModTime()
	return x, nil
}

// Identify identifies a state of an index file by its stat and its end alone;
// a missing one has the zero FileID.
func Identify(path string) (FileID, error) {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return FileID{}, nil
	}
	if err != nil {
		return FileID{}, err
	}
	defer f.Close()
	return identifyFile(f)
}

func identifyFile(f *os.File) (FileID, error) {
	info, err := f.Stat()
	if err != nil {
		return FileID{}, err
	}
	tail := make([]byte, min(indexTrailer, info.Size()))
	_, err = f.ReadAt(tail, info.Size()-int64(len(tail)))
	sum := hex.EncodeToString(tail)
	if strings.Trim(sum, "0") == "" {
		sum = ""
	}
	return FileID{info.Size(), info.ModTime().UnixNano(), sum}, err
}

// parseIndex finds the entries and extensions of an index.
func parseIndex(raw []byte) (*Index, error) {
	if len(raw) < indexHeader+indexTrailer || string(raw[:4]) != "DIRC" {
		return nil, ErrUnknown
	}
	version, count := binary.BigEndian.Uint32(raw[4:]), int(binary.BigEndian.Uint32(raw[8:]))
	end := len(raw) - indexTrailer
	if version != 2 && version != 3 || count > end/entryFixed {
		return nil, ErrUnknown
	}
	x := &Index{raw: raw, at: make([]int, 0, count+1)}
	at := indexHeader
	for range count {
		_, size := measure(raw[at:end], entryFixed)
		if size == 0 {
			return nil, ErrUnknown
		}
		x.at = append(x.at, at)
		at += size
	}
	x.at = append(x.at, at)
	return x, x.parseExtensions(raw[at:end])
}

func (x *Index) parseExtensions(b []byte) error {
	for len(b) > 0 {
		if len(b) < 8 {
			return ErrUnknown
		}
		size := binary.BigEndian.Uint32(b[4:])
		if uint64(size) > uint64(len(b)-8) {
			return ErrUnknown
		}
		x.extensions = append(x.extensions, extension{string(b[:4]), b[8 : 8+size]})
		b = b[8+size:]
	}
	return nil
}

// measure returns the name and the size of the entry that b begins with, whose other
// parts than the name take fixed bytes; size 0 when b does not hold one.
func measure(b []byte, fixed int) (name []byte, size int) {
	if len(b) < fixed {
		return nil, 0
	}
	start, end := nameIn(b, fixed)
	if size = paddedSize(end); end < start || size > len(b) || b[end] != 0 {
		return nil, 0
	}
	return b[start:end], size
}

// nameIn returns where the name of an entry begins and ends; an end before the
// beginning when b does not hold it.
func nameIn(b []byte, fixed int) (start, end int) {
	flags := binary.BigEndian.Uint16(b[fixed-2:])
	start = fixed
	if flags&flagExtended != 0 {
		start += 2
	}
	n := int(flags & flagName)
	if n == flagName { // that or longer
		n = bytes.IndexByte(b[min(start, len(b)):], 0)
	}
	return start, start + n
}

// paddedSize returns the size of an entry whose name ends at n.
func paddedSize(n int) int { return (n + entryAlign) &^ (entryAlign - 1) }

// record is the bytes of one entry.
type record []byte

func (x *Index) len() int { return max(0, len(x.at)-1) }

func (x *Index) recordAt(i int) record { return x.raw[x.at[i]:x.at[i+1]] }

// path returns the entry's name without making a string.
func (e record) path() []byte {
	start, end := nameIn(e, entryFixed)
	return e[start:end]
}

func (e record) name() string { return string(e.path()) }

func (e record) treeEntry() object.Entry {
	return object.Entry{Mode: binary.BigEndian.Uint32(e[statMode:]), ID: hex.EncodeToString(e[entryID:entryFlags])}
}

// stat returns the stat data of the entry.
func (e record) stat() statData { return statData(e[:statSize]) }

func (e record) flags() uint16 { return binary.BigEndian.Uint16(e[entryFlags:]) }

// extendedFlags returns the second flags; none in most entries.
func (e record) extendedFlags() uint16 {
	if e.flags()&flagExtended == 0 {
		return 0
	}
	return binary.BigEndian.Uint16(e[entryFixed:])
}

// search returns the place of the first entry that is not before name.
func (x *Index) search(name string) int {
	return sort.Search(x.len(), func(i int) bool { return string(x.recordAt(i).path()) >= name })
}

// Find returns the merged entry of that name.
func (x *Index) Find(name string) (staged, bool) {
	i := x.search(name)
	if i == x.len() || x.recordAt(i).name() != name {
		return staged{}, false
	}
	return x.stagedAt(i), true
}

// HasAllNames reports whether the names in x are all of the index: none stands in a second file
// (split index), and no folder stands for its files (sparse index).
func (x *Index) HasAllNames() bool {
	for _, e := range x.extensions {
		if e.name == "link" || e.name == "sdir" {
			return false
		}
	}
	return true
}

// Tracks reports whether the index holds a file of that name at any stage, or a file in the
// folder of that name.
func (x *Index) Tracks(name string, folder bool) bool {
	if folder {
		name += "/"
	}
	i := x.search(name)
	return i < x.len() && (x.recordAt(i).name() == name || folder && strings.HasPrefix(x.recordAt(i).name(), name))
}

// Has reports whether the index holds a file of that name.
func (x *Index) Has(name string) bool {
	_, ok := x.Find(name)
	return ok
}

func (x *Index) stagedAt(i int) staged {
	e := x.recordAt(i)
	return staged{Entry: e.treeEntry(), intent: e.extendedFlags()&flagIntent != 0, skip: e.extendedFlags()&flagSkip != 0, stat: e.stat()}
}

// below calls fn for each entry below the folder dir, in order.
func (x *Index) below(dir string, fn func(name string, s staged)) {
	for i := x.search(dir + "/"); i < x.len(); i++ {
		name := x.recordAt(i).name()
		if !strings.HasPrefix(name, dir+"/") {
			return
		}
		fn(name, x.stagedAt(i))
	}
}

// StrangeExtension returns the first extension that a splice would damage, or "". UNTR,
// the untracked cache, survives a splice in which no name comes or goes.
func (x *Index) StrangeExtension(namesChange bool) string {
	for _, e := range x.extensions {
		switch e.name {
		case "TREE", "REUC", "EOIE", "IEOT", "FSMN":
		case "UNTR":
			if namesChange {
				return e.name
			}
		default:
			return e.name
		}
	}
	return ""
}

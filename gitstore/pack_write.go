package gitstore

import (
	"bytes"
	"compress/zlib"
	"crypto/sha1"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"hash/crc32"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/cp-memory/cp/vault/disk"
)

// A pack is
//
//	"PACK" version count      4 bytes each
//	object*                   type and size, 3 bits and then 7 a byte, and its bytes deflated
//	SHA-1 of all that         20 bytes
//
// and is called by that sum. Its index, which makes it visible to git, is the
// file that packIndex reads.

// packLimit bounds the memory that a pack under way takes; what goes beyond
// it makes another pack.
const packLimit = 32 << 20

// packKinds are the numbers of the kinds of objects in a pack.
var packKinds = map[string]byte{kindCommit: 1, kindTree: 2, kindBlob: 3}

// packed is an object's place in a pack.
type packed struct {
	id     string // its bytes
	crc    uint32
	offset uint32
}

// writePacks writes all new objects into packs, also those that are elsewhere:
// then their life hangs on nothing older than this write. A pack takes objects
// until it is larger than limit.
func (o *odb) writePacks(limit int) error {
	o.packed = nil
	for left := o.order; len(left) > 0; {
		n, err := o.writePack(left, limit)
		if err != nil {
			return err
		}
		left = left[n:]
	}
	return disk.SyncDir(filepath.Join(o.sources[0].dir, "pack"))
}

// writePack writes a pack with as many of the objects as fit, and returns how
// many those are.
func (o *odb) writePack(ids []string, limit int) (int, error) {
	var b bytes.Buffer
	b.WriteString("PACK\x00\x00\x00\x02\x00\x00\x00\x00")
	var rows []packed
	for _, id := range ids {
		if b.Len() > limit {
			break
		}
		obj, from := o.fresh[id], b.Len()
		b.Write(packHeader(packKinds[obj.kind], len(obj.data)))
		deflated, err := o.deflate.all(obj.data)
		if err != nil {
			return 0, err
		}
		b.Write(deflated)
		rows = append(rows, packed{string(rawID(id)), crc32.ChecksumIEEE(b.Bytes()[from:]), uint32(from)})
	}
	binary.BigEndian.PutUint32(b.Bytes()[8:], uint32(len(rows)))
	sum := sha1.Sum(b.Bytes())
	b.Write(sum[:])
	return len(rows), o.placePack(hex.EncodeToString(sum[:]), b.Bytes(), encodePackIndex(rows, sum[:]))
}

// placePack makes a pack visible: its index comes last.
func (o *odb) placePack(name string, pack, index []byte) error {
	dir := filepath.Join(o.sources[0].dir, "pack")
	if err := disk.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	path := filepath.Join(dir, "pack-"+name)
	if err := place(disk.WriteSync, filepath.Join(dir, "tmp_pack_"+name), path+".pack", pack); err != nil {
		return err
	}
	if err := place(disk.WriteSync, filepath.Join(dir, "tmp_idx_"+name), path+".idx", index); err != nil {
		return err
	}
	o.packed = append(o.packed, path)
	return nil
}

// gonePack reports whether a pack of ours is not there any more.
func gonePack(path string) bool {
	for _, name := range [...]string{path + ".pack", path + ".idx"} {
		if _, err := os.Stat(name); errors.Is(err, fs.ErrNotExist) {
			return true
		}
	}
	return false
}

// packHeader is what an object in a pack begins with: its kind and size.
func packHeader(kind byte, size int) []byte {
	b := []byte{kind<<4 | byte(size&15)}
	for size >>= 4; size > 0; size >>= 7 {
		b[len(b)-1] |= 0x80
		b = append(b, byte(size&0x7f))
	}
	return b
}

// encodePackIndex returns the index of a pack of that sum.
func encodePackIndex(rows []packed, sum []byte) []byte {
	slices.SortFunc(rows, func(a, b packed) int { return bytes.Compare([]byte(a.id), []byte(b.id)) })
	b := append(make([]byte, 0, idxNames+len(rows)*(idSize+8)+2*idSize), "\xfftOc\x00\x00\x00\x02"...)
	at := 0
	for first := range 256 {
		for at < len(rows) && int(rows[at].id[0]) <= first {
			at++
		}
		b = binary.BigEndian.AppendUint32(b, uint32(at))
	}
	for _, r := range rows {
		b = append(b, r.id...)
	}
	for _, r := range rows {
		b = binary.BigEndian.AppendUint32(b, r.crc)
	}
	for _, r := range rows {
		b = binary.BigEndian.AppendUint32(b, r.offset)
	}
	b = append(b, sum...)
	all := sha1.Sum(b)
	return append(b, all[:]...)
}

// deflater compresses one object after the other, as fast as it can: that is
// git's own choice for new objects, and its gc compresses again.
type deflater struct {
	z   *zlib.Writer
	out bytes.Buffer
}

// all returns the parts deflated, in memory that the next call uses again.
func (d *deflater) all(parts ...[]byte) (_ []byte, err error) {
	d.out.Reset()
	if d.z == nil {
		d.z, err = zlib.NewWriterLevel(&d.out, zlib.BestSpeed)
	} else {
		d.z.Reset(&d.out)
	}
	for _, p := range parts {
		if err == nil {
			_, err = d.z.Write(p)
		}
	}
	if err == nil {
		err = d.z.Close()
	}
	return d.out.Bytes(), err
}
